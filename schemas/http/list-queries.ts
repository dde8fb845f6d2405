/** Query parameters of the list endpoints. */
import type { FromQuery } from '../from-schema.ts';
import { cursorFaults } from './cursor.ts';
import { filterQuery, filterQueryFaults } from './filter.ts';
import { source } from './hits.ts';
import { id, instant, text } from './parts.ts';
import { makeQueryCheck } from './query.ts';
import { windowFaults } from './window.ts';

const MOST_LISTED = 200;
/** Items per page by default. */
export const LISTED = 50;

const page = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MOST_LISTED,
    default: LISTED,
    description: 'Maximum number of items per page.',
  },
  cursor: {
    type: 'string',
    minLength: 1,
    description:
      "The next_cursor of the previous page. The list continues after that page's last item, whatever was written since.",
  },
} as const;

const user = {
  ...id,
  description: 'Only this user. Default: all users that the token may see.',
} as const;
const session = {
  ...id,
  description: "Only this session. Default: the token's session_id claim; without one, all sessions.",
} as const;
const turn = { type: 'string', description: 'Only what belongs to the turn with this id.' } as const;

const window = {
  since: { ...instant, description: 'Earliest timestamp, inclusive; RFC 3339.' },
  until: { ...instant, description: 'Latest timestamp, inclusive; not before since.' },
} as const;

const filter = filterQuery;

export const usersQuery = { filter, ...page } as const;
export const sessionsQuery = { user_id: user, filter, ...page } as const;
export const turnsQuery = {
  user_id: user,
  session_id: session,
  role: { ...text(1, 64), description: 'Only turns with this role.' },
  ...window,
  filter,
  order: {
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'By user, session and time, ascending or descending.',
  },
  ...page,
} as const;
export const observationsQuery = {
  user_id: user,
  session_id: session,
  turn_id: turn,
  source: { ...source, description: 'Only those from this source.' },
  ...window,
  filter,
  ...page,
} as const;
export const entitiesQuery = {
  user_id: user,
  session_id: session,
  turn_id: turn,
  kind: { ...text(1, 64), description: 'Only this kind, such as person.' },
  filter,
  ...page,
} as const;

export const factsQuery = {
  user_id: {
    ...id,
    description: "Whose facts. Default: the token's user; required where a token may name any.",
  },
  session_id: session,
  subject: { ...text(1, 256), description: "Only of this subject: an entity's id, or a label." },
  value: {
    ...text(1, 256),
    description:
      "Only facts whose value names this, so what it is to others: an entity's id, or a label. With ent_… of Grace: that Grace is Ada's sibling.",
  },
  attribute: { ...text(1, 64), description: 'Only this attribute, such as home.' },
  holds: {
    type: 'string',
    enum: ['now', 'ever'],
    default: 'now',
    description: 'What holds, or also what held before.',
  },
  as_of: {
    ...instant,
    description: 'As of this moment: of what was recorded by then, what held then; RFC 3339.',
  },
  filter,
  ...page,
} as const;

export type FactsQuery = FromQuery<typeof factsQuery>;
export type PageQuery = FromQuery<typeof usersQuery>;
export type SessionsQuery = FromQuery<typeof sessionsQuery>;
export type TurnsQuery = FromQuery<typeof turnsQuery>;
export type ObservationsQuery = FromQuery<typeof observationsQuery>;
export type EntitiesQuery = FromQuery<typeof entitiesQuery>;

const inOrder = (query: unknown): 'asc' | 'desc' => ((query as TurnsQuery).order === 'desc' ? 'desc' : 'asc');

export const checkUsersQuery = makeQueryCheck(usersQuery, {
  between: query => [...filterQueryFaults(query), ...cursorFaults('users', query)],
});
export const checkSessionsQuery = makeQueryCheck(sessionsQuery, {
  between: query => [...filterQueryFaults(query), ...cursorFaults('sessions', query)],
});
export const checkTurnsQuery = makeQueryCheck(turnsQuery, {
  between: query => [
    ...windowFaults('query', query),
    ...filterQueryFaults(query),
    ...cursorFaults(`turns ${inOrder(query)}`, query),
  ],
});
export const checkObservationsQuery = makeQueryCheck(observationsQuery, {
  between: query => [
    ...windowFaults('query', query),
    ...filterQueryFaults(query),
    ...cursorFaults('observations', query),
  ],
});
export const checkFactsQuery = makeQueryCheck(factsQuery, {
  between: query => [...filterQueryFaults(query), ...cursorFaults('facts', query)],
});
export const checkEntitiesQuery = makeQueryCheck(entitiesQuery, {
  between: query => [...filterQueryFaults(query), ...cursorFaults('entities', query)],
});
