import {
  checkEntitiesQuery,
  checkFactsQuery,
  checkObservationsQuery,
  checkSessionsQuery,
  checkTurnsQuery,
  checkUsersQuery,
} from '../../../../schemas/http/list-queries.ts';
import type { MemoryLists } from '../../../core/use-cases.ts';
import { type Endpoint, type GuardedCall, ok } from '../endpoint.ts';

const reading = (path: string, list: (call: GuardedCall) => Promise<object>): Endpoint => ({
  method: 'get',
  path,
  access: 'token',
  roles: ['memory:read'],
  reach: 'scope',
  handle: async call => ok(await list(call)),
});

export const memoryEndpoints = (lists: MemoryLists): Endpoint[] => [
  reading('/memory/users', ({ principal, query }) => lists.users(principal, query(checkUsersQuery))),
  reading('/memory/sessions', ({ principal, query }) => lists.sessions(principal, query(checkSessionsQuery))),
  reading('/memory/turns', ({ principal, query }) => lists.turns(principal, query(checkTurnsQuery))),
  reading('/memory/turns/:id', ({ principal, params }) => lists.turn(principal, params.id!)),
  reading('/memory/observations', ({ principal, query }) =>
    lists.observations(principal, query(checkObservationsQuery)),
  ),
  reading('/memory/facts', ({ principal, query }) => lists.facts(principal, query(checkFactsQuery))),
  reading('/memory/entities', ({ principal, query }) => lists.entities(principal, query(checkEntitiesQuery))),
];
