/** The calls that list what is stored: scope → cursor → tail and index → page. */

import { ServiceError } from '../../../core/errors.ts';
import type { ListFilter } from '../../../core/ports.ts';
import { boundSession, readScope } from '../../../core/scope.ts';
import type { CallContext, MemoryLists, Principal } from '../../../core/use-cases.ts';
import { conditionInQuery } from '../../../domain/filter/condition.ts';
import { cursors, type ListName, type Page, type Query } from '../../../schemas/http/lists.ts';
import { LISTED } from '../../../schemas/http/queries/list-operation.ts';
import { makeListEntities } from './entities.ts';
import { makeListFacts } from './facts/held-facts.ts';
import { listFragments } from './fragments.ts';
import { sessionItem, turnItem, userItem } from './items.ts';
import { listWith } from './named-lists.ts';
import { makeRankedLists, type RankedListPorts } from './ranked/ranked-lists.ts';
import { shownObservations } from './shown-observations.ts';
import { withTailSessions, withTailUsers } from './tail.ts';
import { makeTurnDetails } from './turn.ts';
import { readUser, userScope } from './user.ts';

type Lists = { [Name in ListName]: (principal: Principal, query: Query<Name>) => Promise<Page<Name>> };

export const makeLists = (ports: RankedListPorts): MemoryLists => {
  const { listing } = ports;
  const lists: Lists = {
    users: async (principal, { limit = LISTED, cursor, filter, sort = 'id' }) => {
      const scope = { ...readScope(principal, {}), filter: conditionInQuery(filter) };
      // Users are listed with all of their sessions, whichever is the credential's default.
      const list = listWith(ports, { ...scope, session: undefined });
      const { page, ...rest } = await list(limit, {
        sort,
        cursor,
        byName: cursors.users,
        byTime: cursors.recentUsers,
        activity: 'user',
        stored: (after: { user: string } | undefined, most) => listing.users(scope, after?.user, most),
        withTail: (stored, tail, after, most) => withTailUsers(stored, tail, after?.user, most),
      });
      return { users: page.map(userItem), ...rest };
    },
    sessions: async (principal, { limit = LISTED, cursor, sort = 'id', ...query }) => {
      const scope = { ...readScope(principal, query), filter: conditionInQuery(query.filter) };
      const { page, ...rest } = await listWith(ports, scope)(limit, {
        sort,
        cursor,
        byName: cursors.sessions,
        byTime: cursors.recentSessions,
        activity: 'session',
        stored: (after, most) => listing.sessions(scope, after, most),
        withTail: withTailSessions,
      });
      return { sessions: page.map(sessionItem), ...rest };
    },
    turns: async (principal, query) => {
      const filter: ListFilter = { kind: 'turn', role: query.role };
      const { order = 'asc' } = query;
      const { page, ...rest } = await listFragments(
        ports,
        cursors.turns[order],
        principal,
        query,
        filter,
        order,
      );
      return { turns: page.map(turnItem), ...rest };
    },
    observations: async (principal, query) => {
      const filter: ListFilter = { kind: 'observation', turnId: query.turn_id, source: query.source };
      const { page, ...rest } = await listFragments(ports, cursors.observations, principal, query, filter);
      const found = page.map(({ fragment }) => fragment);
      return { observations: await shownObservations(ports, readScope(principal, query), found), ...rest };
    },
    entities: makeListEntities(ports),
    facts: makeListFacts(ports),
  };
  const ranked = makeRankedLists(ports, lists.facts);

  /** Lists all, or what has the words that are asked for. */
  const list =
    <Name extends ListName>(name: Name) =>
    async (principal: Principal, query: Query<Name>, context?: CallContext): Promise<Page<Name>> => {
      if (name === 'users' && boundSession(principal) !== undefined)
        throw new ServiceError('forbidden', 'This credential may only see its own session.');
      const { q } = query as { q?: string };
      return q === undefined
        ? lists[name](principal, query)
        : ranked[name](principal, query as Query<Name> & { q: string }, context);
    };

  return {
    users: list('users'),
    sessions: list('sessions'),
    turns: list('turns'),
    observations: list('observations'),
    entities: list('entities'),
    facts: list('facts'),
    turn: makeTurnDetails(ports),
    user: async (principal, id) => readUser(ports, userScope(principal, id)),
  };
};
