/** The calls that list what is stored. */
import { entitiesQuery, observationsQuery, sessionsQuery, turnsQuery, usersQuery } from './listings.ts';
import { json, type Operation } from './operation.ts';

/** What all of them hold to. */
const PAGES =
  'Send next_cursor back as cursor until it is null, with the same other parameters: each item comes exactly once and in its order, whatever is written or erased in between. A page has fewer items than its limit where their texts are long.';

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
    summary: 'List the users',
    description: `Those that the token may see, by their names, with what is stored of each, in all of their sessions. A user appears with the first turn; the numbers follow within a moment. ${PAGES}`,
    query: usersQuery,
    answer: json(200, 'A page of users.', 'Users'),
  }),
  reading({
    path: '/memory/sessions',
    id: 'listSessions',
    summary: 'List the sessions',
    description: `By user and name, with the time of their first and last turn. A session appears with its first turn; the numbers follow within a moment. ${PAGES}`,
    query: sessionsQuery,
    answer: json(200, 'A page of sessions.', 'Sessions'),
  }),
  reading({
    path: '/memory/turns',
    id: 'listTurns',
    summary: 'List the turns',
    description: `By user, session and time: with a session_id, the conversation as it was spoken; with order desc, from its end. A turn that was acknowledged is listed at once. ${PAGES}`,
    query: turnsQuery,
    answer: json(200, 'A page of turns.', 'Turns'),
  }),
  reading({
    path: '/memory/turns/{id}',
    id: 'readTurn',
    summary: 'Read one turn',
    description:
      'With the observations that were made of it, the entities that it names, and where it comes from. The id is one of active_fragment_ids, or of a hit.',
    answer: json(200, 'The turn.', 'TurnDetails'),
    statuses: [404, 503],
  }),
  reading({
    path: '/memory/observations',
    id: 'listObservations',
    summary: 'List the observations',
    description: `What clients said of turns, and what extractors found in them: by user, session and the time of their turn. ${PAGES}`,
    query: observationsQuery,
    answer: json(200, 'A page of observations.', 'Observations'),
  }),
  reading({
    path: '/memory/entities',
    id: 'listEntities',
    summary: 'List the entities',
    description: `The people, places and things that extractors found, by user and name. Each user has their own. ${PAGES}`,
    query: entitiesQuery,
    answer: json(200, 'A page of entities.', 'Entities'),
  }),
];
