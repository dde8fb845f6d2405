/** The endpoints that list what is stored. */
import { entitiesQuery, observationsQuery, sessionsQuery, turnsQuery, usersQuery } from './listings.ts';
import { json, type Operation } from './operation.ts';

/** The paging rules of all of them. */
const PAGES =
  'To page, repeat the call with next_cursor as cursor and the other parameters unchanged, until next_cursor is null. Each item comes exactly once, in order, whatever is written or erased in between. A page holds fewer items than its limit where their texts are long.';

const reading = (
  operation: Omit<Operation, 'method' | 'tag' | 'access' | 'statuses'> & Partial<Pick<Operation, 'statuses'>>,
): Operation => ({
  method: 'get',
  tag: 'Memory',
  access: ['memory:read'],
  statuses: [422, 503],
  ...operation,
});

export const listOperations: readonly Operation[] = [
  reading({
    path: '/memory/users',
    id: 'listUsers',
    summary: 'List users',
    description: `The users that the token may see, ordered by name, with counts over all of their sessions. A user is listed from the first turn on; the counts follow within a moment. ${PAGES}`,
    query: usersQuery,
    answer: json(200, 'A page of users.', 'Users'),
  }),
  reading({
    path: '/memory/sessions',
    id: 'listSessions',
    summary: 'List sessions',
    description: `Ordered by user and name, with the times of the first and last turn. A session is listed from its first turn on; the counts follow within a moment. ${PAGES}`,
    query: sessionsQuery,
    answer: json(200, 'A page of sessions.', 'Sessions'),
  }),
  reading({
    path: '/memory/turns',
    id: 'listTurns',
    summary: 'List turns',
    description: `Ordered by user, session and time: with a session_id, the conversation as it was spoken; with order desc, from its end. An acknowledged turn is listed at once. ${PAGES}`,
    query: turnsQuery,
    answer: json(200, 'A page of turns.', 'Turns'),
  }),
  reading({
    path: '/memory/turns/{id}',
    id: 'readTurn',
    summary: 'Get a turn',
    description:
      'One turn with its observations, the entities it mentions, and its position in the log. The id comes from active_fragment_ids or from a hit.',
    answer: json(200, 'The turn.', 'TurnDetails'),
    statuses: [404, 503],
  }),
  reading({
    path: '/memory/observations',
    id: 'listObservations',
    summary: 'List observations',
    description: `What clients sent with turns and what extractors found in them, ordered by user, session and the turn's time. ${PAGES}`,
    query: observationsQuery,
    answer: json(200, 'A page of observations.', 'Observations'),
  }),
  reading({
    path: '/memory/entities',
    id: 'listEntities',
    summary: 'List entities',
    description: `The people, places and things that extractors found, ordered by user and name. Each user has their own. ${PAGES}`,
    query: entitiesQuery,
    answer: json(200, 'A page of entities.', 'Entities'),
  }),
];
