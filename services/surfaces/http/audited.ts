import { ServiceError } from '../../../core/errors.ts';
import { watchChanges } from '../../../core/payers/changes.ts';
import { eraseScope, mayRead, seesAll } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';
import type { Check, Checked } from '../../../schemas/ajv.ts';
import type { Right } from '../../../schemas/http/rights.ts';
import { addressClass } from '../../use-cases/audit/address-class.ts';
import type { AuditNotes, Noted } from '../../use-cases/audit/audit-notes.ts';
import type { Answer, GuardedCall, GuardedEndpoint } from './endpoint.ts';

type Target = Pick<Noted, 'target_kind' | 'target_id' | 'target_user'>;

const NO_TARGET: Target = { target_kind: null, target_id: null, target_user: null };

/** The users and sessions that a request names, in its query or its body. */
interface Named {
  user_id?: string | undefined;
  session_id?: string | undefined;
}

/** The parts of its request that a call has read. */
interface Read {
  asked?: Named;
  sent?: { scope?: Named };
}

/** The same call, which remembers the query and the body that are read. */
const remembering = (call: GuardedCall): { call: GuardedCall; read: Read } => {
  const read: Read = {};
  const query = <T>(check: (query: URLSearchParams) => Checked<T>): T => {
    const asked = call.query(check);
    read.asked = asked as Named;
    return asked;
  };
  const body = async <T>(check: Check<T>): Promise<T> => {
    const sent = await call.body(check);
    read.sent = sent as NonNullable<Read['sent']>;
    return sent;
  };
  return { call: { ...call, query, body }, read };
};

const user = (id: string): Target => ({ target_kind: 'user', target_id: id, target_user: id });
const organization: Target = { ...NO_TARGET, target_kind: 'organization' };

const targetOf = (
  target: Right['target'],
  { principal, params }: Pick<GuardedCall, 'principal' | 'params'>,
  { asked, sent }: Read,
  answer: Answer | undefined,
): Target => {
  switch (target) {
    case undefined:
      return NO_TARGET;
    case 'organization':
      return organization;
    case 'caller':
      return seesAll(principal) ? organization : user(principal.userId);
    case 'scope': {
      const scope = eraseScope(principal, { form: 'query', ...(sent?.scope ?? asked) });
      if (scope.session === undefined) return user(scope.user);
      return { target_kind: 'session', target_id: scope.session, target_user: scope.user };
    }
    case 'user':
      return user(params.id!);
    case 'session':
    case 'entity':
      return {
        target_kind: target,
        target_id: params.id!,
        target_user: asked?.user_id ?? principal.userId,
      };
    default: {
      const made = (answer?.body as { id?: string } | undefined)?.id;
      return { target_kind: target, target_id: params.id ?? made ?? null, target_user: null };
    }
  }
};

/** Notes in the audit log what callers do, as the table of rights says of each operation. */
export const makeAudited = (notes: Pick<AuditNotes, 'note'>) => {
  const entryOf = (
    { action }: Pick<Right, 'action'>,
    principal: Principal,
    { address, requestId }: { address: string; requestId: string },
    outcome: Noted['outcome'],
    target: Target,
  ): Noted => ({
    org: principal.orgId,
    requestId,
    action,
    outcome,
    actor_kind: 'key',
    actor_key: principal.keyId,
    actor_user: principal.userId,
    actor_address: addressClass(address),
    ...target,
  });

  /**
   * Nobody waits for it. Without a target: a caller who is refused could choose as many as it likes.
   */
  const refused = (
    right: Pick<Right, 'action'>,
    principal: Principal,
    of: { address: string; requestId: string },
  ): void => void notes.note(entryOf(right, principal, of, 'refused', NO_TARGET), 'hourly');

  /**
   * Calls the endpoint. An answer that is noted as a read is given after its entry is stored. `before` is
   * awaited before its first append.
   */
  const handle = async (
    { right, handle }: GuardedEndpoint,
    asked: GuardedCall,
    before?: () => Promise<void>,
  ): Promise<Answer> => {
    const { principal, address, context } = asked;
    const of = { address, requestId: context.correlationId };
    // Only an entry that names a target needs what was read.
    const { call, read } = right.noted === 'refusals' ? { call: asked, read: {} } : remembering(asked);
    const { ended, hasChanged } = watchChanges(() => handle(call), before);
    const noteAs = (
      outcome: Noted['outcome'],
      answer: Answer | undefined,
      how: 'each' | 'hourly' | 'before',
    ) => notes.note(entryOf(right, principal, of, outcome, targetOf(right.target, asked, read, answer)), how);
    let answer: Answer;
    try {
      answer = await ended;
    } catch (error) {
      // It was done if it is in the log, whatever became of its answer.
      if (right.noted === 'acts' && hasChanged()) await noteAs('done', undefined, 'each');
      else if (error instanceof ServiceError && error.code === 'forbidden') refused(right, principal, of);
      throw error;
    }
    if (right.noted === 'reads') await noteAs('done', answer, 'before');
    if (right.noted !== 'acts') return answer;
    if (hasChanged()) await noteAs('done', answer, 'each');
    // A caller who isn't told whether there is such a thing may send anything as its id.
    else if (right.untold && !mayRead(principal))
      await notes.note(entryOf(right, principal, of, 'unchanged', NO_TARGET), 'hourly');
    else await noteAs('unchanged', answer, 'hourly');
    return answer;
  };
  return { refused, handle };
};
