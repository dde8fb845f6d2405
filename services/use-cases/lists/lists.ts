/** The calls that list what is stored: scope → cursor → tail and index → page. */

import { ServiceError } from '../../../core/errors.ts';
import type { ListFilter } from '../../../core/ports.ts';
import { boundSession, readScope } from '../../../core/scope.ts';
import type { MemoryLists } from '../../../core/use-cases.ts';
import { conditionInQuery } from '../../../domain/filter/condition.ts';
import { cursors } from '../../../schemas/http/lists.ts';
import { LISTED } from '../../../schemas/http/queries/list-operation.ts';
import { type EntityPorts, makeListEntities } from './entities.ts';
import { type HeldFactPorts, makeListFacts } from './facts/held-facts.ts';
import { listFragments } from './fragments.ts';
import { observationOf, sessionItem, turnItem, userItem } from './items.ts';
import { listWith } from './named-lists.ts';
import { readCorrections, withCorrection } from './read-corrections.ts';
import { withSubjects } from './read-people.ts';
import { withTailSessions, withTailUsers } from './tail.ts';
import { makeTurnDetails, type TurnPorts } from './turn.ts';
import { readUser, userScope } from './user.ts';

export const makeLists = (ports: TurnPorts & HeldFactPorts & EntityPorts): MemoryLists => {
  const { listing } = ports;
  return {
    users: async (principal, { limit = LISTED, cursor, filter, sort = 'id' }) => {
      if (boundSession(principal) !== undefined)
        throw new ServiceError('forbidden', 'This credential may only see its own session.');
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
      const scope = readScope(principal, query);
      const found = page.map(({ fragment }) => fragment);
      const ids = found.flatMap(({ id, corrects }) => (corrects ? [id, corrects.id] : [id]));
      const [corrections, shown] = await Promise.all([
        readCorrections(ports, scope, ids),
        withSubjects(ports.details, scope, found),
      ]);
      const observations = shown.map(observationOf);
      return { observations: observations.map(one => withCorrection(one, corrections)), ...rest };
    },
    entities: makeListEntities(ports),
    facts: makeListFacts(ports),
    turn: makeTurnDetails(ports),
    user: async (principal, id) => readUser(ports, userScope(principal, id)),
  };
};
