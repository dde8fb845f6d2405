/** Query parameters of the list endpoints. */
import { cursorFaults } from './cursor.ts';
import { makeQueryCheck } from './query.ts';
import { id, text } from './text.ts';
import { windowFaults } from './window.ts';

const MOST_LISTED = 200;
/** Items per page by default. */
export const LISTED = 50;

const instant = { type: 'string', format: 'date-time' } as const;

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

export interface PageQuery {
  limit?: number;
  cursor?: string;
}

interface ScopeQuery {
  user_id?: string;
  session_id?: string;
}

export interface SessionsQuery extends PageQuery {
  user_id?: string;
}

interface FragmentsQuery extends PageQuery, ScopeQuery {
  /** RFC 3339, inclusive. */
  since?: string;
  until?: string;
}

export interface TurnsQuery extends FragmentsQuery {
  role?: string;
  order?: 'asc' | 'desc';
}

export interface ObservationsQuery extends FragmentsQuery {
  turn_id?: string;
  source?: 'client' | 'rules' | 'llm';
}

export interface EntitiesQuery extends PageQuery, ScopeQuery {
  kind?: string;
  turn_id?: string;
}

const window = {
  since: { ...instant, description: 'Earliest timestamp, inclusive; RFC 3339.' },
  until: { ...instant, description: 'Latest timestamp, inclusive; not before since.' },
} as const;

export const usersQuery = { ...page };
export const sessionsQuery = { user_id: user, ...page };
export const turnsQuery = {
  user_id: user,
  session_id: session,
  role: { ...text(1, 64), description: 'Only turns with this role.' },
  ...window,
  order: {
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'asc',
    description: 'By user, session and time, ascending or descending.',
  },
  ...page,
};
export const observationsQuery = {
  user_id: user,
  session_id: session,
  turn_id: turn,
  source: { type: 'string', enum: ['client', 'rules', 'llm'], description: 'Only those from this source.' },
  ...window,
  ...page,
};
export const entitiesQuery = {
  user_id: user,
  session_id: session,
  turn_id: turn,
  kind: { ...text(1, 64), description: 'Only this kind, such as person.' },
  ...page,
};

const inOrder = (query: unknown): 'asc' | 'desc' => ((query as TurnsQuery).order === 'desc' ? 'desc' : 'asc');

export const checkUsersQuery = makeQueryCheck<PageQuery>(usersQuery, {
  between: query => cursorFaults('users', query),
});
export const checkSessionsQuery = makeQueryCheck<SessionsQuery>(sessionsQuery, {
  between: query => cursorFaults('sessions', query),
});
export const checkTurnsQuery = makeQueryCheck<TurnsQuery>(turnsQuery, {
  between: query => [...windowFaults('query', query), ...cursorFaults(`turns ${inOrder(query)}`, query)],
});
export const checkObservationsQuery = makeQueryCheck<ObservationsQuery>(observationsQuery, {
  between: query => [...windowFaults('query', query), ...cursorFaults('observations', query)],
});
export const checkEntitiesQuery = makeQueryCheck<EntitiesQuery>(entitiesQuery, {
  between: query => cursorFaults('entities', query),
});
