import type {
  ErasureAnswer,
  IngestAnswer,
  Page,
  RecallAnswer,
  SessionItem,
  TurnItem,
  UserItem,
} from '../../core/use-cases.ts';
import type { Client } from '../client/client.ts';

/** Undefined: the service's default for the key. */
export interface Named {
  user?: string;
  session?: string;
}

export interface SaidTurn {
  role: string;
  text: string;
  /** RFC 3339. */
  timestamp: string;
}

export interface Question extends Named {
  question: string;
  mode?: 'active' | 'deep';
  kinds?: string[];
  /** RFC 3339, inclusive; so is `until`. */
  since?: string;
  until?: string;
  limit?: number;
  withTimeline?: boolean;
}

/** What the key is bound to: the defaults of a call that names nothing. */
export interface Bounds extends Named {
  /** It may name any user, and must name one to erase. */
  anyUser: boolean;
  mayRead: boolean;
}

interface PageOf {
  limit?: number;
  cursor?: string;
}

/** The running service, over HTTP. Calls reject with a `Failure` for people, or with the signal's reason. */
export interface Memory {
  bounds(): Promise<Bounds>;
  remember(turns: SaidTurn[], named: Named, signal: AbortSignal): Promise<IngestAnswer>;
  recall(question: Question, signal: AbortSignal): Promise<RecallAnswer>;
  erase(named: Named, signal: AbortSignal): Promise<ErasureAnswer>;
  users(page: PageOf, signal: AbortSignal): Promise<Page<'users', Pick<UserItem, 'user_id'>>>;
  sessions(query: PageOf & { user?: string }, signal: AbortSignal): Promise<Page<'sessions', SessionItem>>;
  turns(
    query: PageOf & Named & { since?: string; until?: string; order?: 'asc' | 'desc' },
    signal: AbortSignal,
  ): Promise<Page<'turns', TurnItem>>;
}

/** The contract requires an organization, but the key decides which one. */
const scopeOf = ({ user, session }: Named) => ({ org_id: 'any', user_id: user, session_id: session });

const queryOf = (values: Record<string, string | number | undefined>): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : '';
};

/** `client` is called for each request: what it needs may appear only after the start. */
export const makeMemory = (client: () => Client): Memory => {
  const post = async (path: string, body: unknown, signal: AbortSignal): Promise<never> =>
    (await client().call({ method: 'POST', path, body, repeatable: true, signal })) as never;
  const list = async (
    path: string,
    query: Record<string, string | number | undefined>,
    signal: AbortSignal,
  ): Promise<never> =>
    (await client().call({
      method: 'GET',
      path: path + queryOf(query),
      repeatable: true,
      signal,
    })) as never;

  return {
    bounds: async () => {
      const { user_id, session_id, roles = [] } = await client().claims();
      const anyUser = roles.includes('*');
      return {
        user: user_id,
        session: session_id,
        anyUser,
        mayRead: anyUser || roles.includes('memory:read'),
      };
    },
    // The turns have timestamps: sent again they are the same turns, stored and billed once.
    remember: (turns, named, signal) => post('/ingestion/memory', { scope: scopeOf(named), turns }, signal),
    recall: ({ question, user, session, limit, withTimeline, ...window }, signal) =>
      post(
        '/recall',
        {
          scope: scopeOf({ user, session }),
          q: question,
          top_k: limit,
          include_timeline: withTimeline,
          ...window,
        },
        signal,
      ),
    erase: async (named, signal) =>
      (await client().call({
        method: 'DELETE',
        path: '/memory',
        body: { scope: scopeOf(named) },
        repeatable: true,
        signal,
      })) as ErasureAnswer,
    users: (page, signal) => list('/memory/users', { ...page }, signal),
    sessions: ({ user, ...page }, signal) => list('/memory/sessions', { user_id: user, ...page }, signal),
    turns: ({ user, session, ...rest }, signal) =>
      list('/memory/turns', { user_id: user, session_id: session, ...rest }, signal),
  };
};
