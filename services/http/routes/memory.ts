import {
  checkEntitiesQuery,
  checkObservationsQuery,
  checkSessionsQuery,
  checkTurnsQuery,
  checkUsersQuery,
} from '../../../schemas/http/requests.ts';
import type { MemoryLists } from '../../use-cases.ts';
import { checked } from '../body.ts';
import { type Endpoint, type GuardedCall, ok } from '../endpoint.ts';

const reading = (path: string, list: (call: GuardedCall) => Promise<object>): Endpoint => ({
  method: 'get',
  path,
  access: 'token',
  roles: ['memory:read'],
  handle: async call => ok(await list(call)),
});

export const memoryEndpoints = (lists: MemoryLists): Endpoint[] => [
  reading('/memory/users', ({ principal, query }) => lists.users(principal, checked(checkUsersQuery(query)))),
  reading('/memory/sessions', ({ principal, query }) =>
    lists.sessions(principal, checked(checkSessionsQuery(query))),
  ),
  reading('/memory/turns', ({ principal, query }) => lists.turns(principal, checked(checkTurnsQuery(query)))),
  reading('/memory/turns/:id', ({ principal, params }) => lists.turn(principal, params.id!)),
  reading('/memory/observations', ({ principal, query }) =>
    lists.observations(principal, checked(checkObservationsQuery(query))),
  ),
  reading('/memory/entities', ({ principal, query }) =>
    lists.entities(principal, checked(checkEntitiesQuery(query))),
  ),
];
