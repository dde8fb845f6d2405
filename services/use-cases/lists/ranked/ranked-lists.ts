/** The lists of what has words, best first. */
import { readScope } from '../../../../core/scope.ts';
import type { CallContext, Principal } from '../../../../core/use-cases.ts';
import { conditionInQuery } from '../../../../domain/filter/condition.ts';
import type { ListName, Page, Query } from '../../../../schemas/http/lists.ts';
import { LISTED } from '../../../../schemas/http/queries/list-operation.ts';
import type { HeldFactPorts } from '../facts/held-facts.ts';
import { sessionItem, turnOf, userItem } from '../items.ts';
import { shownObservations } from '../shown-observations.ts';
import type { TurnPorts } from '../turn.ts';
import { type RankedEntityPorts, rankEntities } from './ranked-entities.ts';
import { type ListFacts, rankFacts } from './ranked-facts.ts';
import { type RankedPorts, rankFragments } from './ranked-fragments.ts';
import { rankSessions, rankUsers } from './ranked-scopes.ts';

export type RankedListPorts = TurnPorts & HeldFactPorts & RankedEntityPorts & RankedPorts;

type RankedLists = {
  [Name in ListName]: (
    principal: Principal,
    query: Query<Name> & { q: string },
    context: CallContext | undefined,
  ) => Promise<Page<Name>>;
};

export const makeRankedLists = (ports: RankedListPorts, listFacts: ListFacts): RankedLists => ({
  users: async (principal, { q, limit = LISTED, cursor, filter }, context) => {
    // Users are listed with all of their sessions, whichever is the credential's default.
    const scope = { ...readScope(principal, {}), session: undefined, filter: conditionInQuery(filter) };
    const { page, ...rest } = await rankUsers(ports, scope, { q, limit, cursor }, context);
    return { users: page.map(({ item, match }) => ({ ...userItem(item), match })), ...rest };
  },
  sessions: async (principal, { q, limit = LISTED, cursor, ...query }, context) => {
    const scope = { ...readScope(principal, query), filter: conditionInQuery(query.filter) };
    const { page, ...rest } = await rankSessions(ports, scope, { q, limit, cursor }, context);
    return { sessions: page.map(({ item, match }) => ({ ...sessionItem(item), match })), ...rest };
  },
  turns: async (principal, query, context) => {
    const filter = { kind: 'turn', role: query.role } as const;
    const { page, ...rest } = await rankFragments(ports, 'turns', principal, query, filter, context);
    return { turns: page.map(({ fragment, match }) => ({ ...turnOf(fragment), match })), ...rest };
  },
  observations: async (principal, query, context) => {
    const filter = { kind: 'observation', turnId: query.turn_id, source: query.source } as const;
    const { page, ...rest } = await rankFragments(ports, 'observations', principal, query, filter, context);
    const found = page.map(({ fragment }) => fragment);
    const shown = await shownObservations(ports, readScope(principal, query), found);
    return { observations: shown.map((one, i) => ({ ...one, match: page[i]!.match })), ...rest };
  },
  entities: async (principal, { q, limit = LISTED, cursor, kind, turn_id: turnId, ...query }) => {
    const scope = { ...readScope(principal, query), filter: conditionInQuery(query.filter) };
    return rankEntities(ports, scope, { q, limit, cursor, kind, turnId });
  },
  facts: (principal, query) => rankFacts(listFacts, principal, query),
});
