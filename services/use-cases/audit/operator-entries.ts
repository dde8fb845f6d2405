import { randomUUID } from 'node:crypto';
import type { OperatorCallName, OperatorCalls } from '../../../core/operator/calls.ts';
import type { ImportMessage } from '../../../core/operator/transfer.ts';
import type { AuditAction, AuditTargetKind } from '../../../schemas/events/audit.ts';
import type { AuditNotes, Noted } from './audit-notes.ts';

interface Touched {
  org: string;
  target: { kind: AuditTargetKind; id: string | null };
}

interface Decision {
  action: AuditAction;
  /** Whether its entry must be there before anything is read. */
  reads?: true;
  /**
   * The organization that it touches, by its arguments and by the first line that tells it; undefined: that
   * line says nothing of it.
   */
  touched: (args: Readonly<Record<string, unknown>>, line: object | undefined) => Touched | undefined;
}

const organization = (org: unknown): Touched => ({
  org: String(org),
  target: { kind: 'organization', id: null },
});

const whenDone: Decision['touched'] = ({ org_id }, line) => line && organization(org_id);

/** By call, in an order of its own; undefined: it touches the engines, and no organization by its name. */
const DECISIONS: Record<OperatorCallName, Decision | undefined> = {
  'orgs.list': undefined,
  'orgs.create': { action: 'organization.create', touched: whenDone },
  'orgs.setLimits': { action: 'limits.set', touched: whenDone },
  'orgs.setRetention': { action: 'retention.set', touched: whenDone },
  'orgs.setScreening': { action: 'screening.set', touched: whenDone },
  'keys.recover': {
    action: 'keys.recover',
    touched: ({ org_id }, line) =>
      line && { org: String(org_id), target: { kind: 'key', id: (line as { id: string }).id } },
  },
  export: { action: 'memory.export', reads: true, touched: ({ org }) => organization(org) },
  import: {
    action: 'memory.import',
    touched: (_, line) => {
      const message = line as ImportMessage | undefined;
      return message?.kind === 'checked' && !message.dryRun ? organization(message.org) : undefined;
    },
  },
  generations: undefined,
  replay: undefined,
  rollback: undefined,
  retire: undefined,
  'deadLetters.list': undefined,
  'deadLetters.show': undefined,
  'deadLetters.requeue': undefined,
  'deadLetters.discard': undefined,
  'removals.list': undefined,
  'removals.repeat': undefined,
  rewrapKeys: undefined,
  verify: undefined,
};

const entryOf = (action: AuditAction, { org, target }: Touched): Noted => ({
  org,
  requestId: randomUUID(),
  action,
  outcome: 'done',
  actor_kind: 'operator',
  actor_key: null,
  actor_user: null,
  actor_address: null,
  target_kind: target.kind,
  target_id: target.id,
  target_user: null,
});

type AnyCall = (args: object, signal: AbortSignal) => AsyncIterable<object>;

/** The same calls, each with its entry in the audit log of the organization that it touches. */
export const withEntries = (calls: OperatorCalls, notes: Pick<AuditNotes, 'note'>): OperatorCalls => {
  const noted = (name: string, call: unknown): unknown => {
    const decision = DECISIONS[name as OperatorCallName];
    if (!decision) return call;
    const { action, reads, touched } = decision;
    return async function* (args: Record<string, unknown>, signal: AbortSignal) {
      let isNoted = false;
      const noteOnce = async (line: object | undefined): Promise<void> => {
        const of = isNoted ? undefined : touched(args, line);
        if (!of) return;
        isNoted = true;
        await notes.note(entryOf(action, of), reads ? 'before' : 'each');
      };
      for await (const line of (call as AnyCall)(args, signal)) {
        // Before the line: whoever has read it may be gone.
        await noteOnce(line);
        yield line;
      }
    };
  };
  const entries = Object.entries(calls).map(([name, call]) => [name, noted(name, call)]);
  return Object.fromEntries(entries) as unknown as OperatorCalls;
};
