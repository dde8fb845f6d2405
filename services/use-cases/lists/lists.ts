/** The calls that list what is stored: scope → cursor → tail and index → page. */

import { ServiceError } from '../../../core/errors.ts';
import { freshnessOf } from '../../../core/freshness.ts';
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
import { keyAfter, notIn, paged } from './page.ts';
import { readCorrections, withCorrection } from './read-corrections.ts';
import { withSubjects } from './read-people.ts';
import { withTailSessions, withTailUsers } from './tail.ts';
import { makeTurnDetails, type TurnPorts } from './turn.ts';
import { readUser, userScope } from './user.ts';

export const makeLists = (ports: TurnPorts & HeldFactPorts & EntityPorts): MemoryLists => {
  const { listing, admission, clock } = ports;
  return {
    users: async (principal, { limit = LISTED, cursor, filter }) => {
      if (boundSession(principal) !== undefined)
        throw new ServiceError('forbidden', 'This credential may only see its own session.');
      const scope = { ...readScope(principal, {}), filter: conditionInQuery(filter) };
      const after = keyAfter(cursors.users, scope, cursor)?.user;
      // Users are listed with all of their sessions, whichever is the credential's default.
      const now = clock();
      const tail = await admission.tail({ ...scope, session: undefined });
      const stored = await listing.users(scope, after, limit + 1);
      const found = withTailUsers(stored, tail, after, limit + 1);
      const { page, next_cursor } = paged(cursors.users, found, limit, one => one, scope.filter);
      const freshness = freshnessOf(now, tail, notIn(stored, page));
      return { users: page.map(userItem), next_cursor, freshness };
    },
    sessions: async (principal, { limit = LISTED, cursor, ...query }) => {
      const scope = { ...readScope(principal, query), filter: conditionInQuery(query.filter) };
      const after = keyAfter(cursors.sessions, scope, cursor);
      const now = clock();
      const tail = await admission.tail(scope);
      const stored = await listing.sessions(scope, after, limit + 1);
      const found = withTailSessions(stored, tail, after, limit + 1);
      const { page, next_cursor } = paged(cursors.sessions, found, limit, one => one, scope.filter);
      const freshness = freshnessOf(now, tail, notIn(stored, page));
      return { sessions: page.map(sessionItem), next_cursor, freshness };
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
