import { ServiceError } from '../../../../core/errors.ts';
import type { Admission, ListedSession, Listing } from '../../../../core/ports.ts';
import { ownScope, readScope } from '../../../../core/scope.ts';
import type { BudgetedContext, NamedOfUser, Principal } from '../../../../core/use-cases.ts';
import type { SessionTitled } from '../../../../schemas/events/curation/correction.ts';
import type { SessionItem } from '../../../../schemas/http/items.ts';
import type { TitleSession } from '../../../../schemas/http/names.ts';
import { sessionItem } from '../../lists/items.ts';
import { withTailSessions } from '../../lists/tail.ts';
import { type AppendPorts, makeAppendCorrection } from './append-correction.ts';

export interface TitleSessionPorts extends AppendPorts {
  listing: Pick<Listing, 'sessions'>;
  admission: Pick<Admission, 'tail'>;
}

/** find → append → wait for the read models → read. */
export const makeTitleSession = (ports: TitleSessionPorts) => {
  const { listing, admission } = ports;
  const append = makeAppendCorrection(ports);

  const read = async (scope: { org: string; user: string; session: string }): Promise<ListedSession> => {
    const tail = await admission.tail(scope);
    const [found] = withTailSessions(await listing.sessions(scope, undefined, 1), tail, undefined, 1);
    if (!found) throw new ServiceError('not_found', 'There is no such session.');
    return found;
  };

  return async (
    principal: Principal,
    { id, user_id }: NamedOfUser,
    asked: TitleSession,
    context: BudgetedContext,
  ): Promise<SessionItem> => {
    const named = { user_id, session_id: id };
    const { org, user } = ownScope(principal, named, readScope(principal, named));
    const scope = { org, user, session: id };
    const title = asked.title === '' ? null : asked.title;
    const known = await read(scope);
    if ((known.said.title?.value ?? null) === title) return sessionItem(known);
    const data: SessionTitled = { user_id: user, session_id: id, title };
    await append({ type: 'session.titled', ...scope, data, after: known.said.title?.at }, context);
    return sessionItem(await read(scope));
  };
};
