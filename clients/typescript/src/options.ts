/** What is passed in. Names are camelCase here; what comes back is as the API answers it. */
import type { TurnstoneError } from './error.ts';

export interface TurnstoneOptions {
  /** As `https://memory.example.com`. Default: the environment's `TURNSTONE_URL`, where there is an environment. */
  baseUrl?: string | undefined;
  /** Default: the environment's `TURNSTONE_API_KEY`. */
  apiKey?: string | undefined;
  /** For every `remember` and `recall` that names none; lists and `forget` ask for theirs. Default: the key's user. */
  user?: string | undefined;
  /** The same; default: the key's session; without one writes go to `default-session`. */
  session?: string | undefined;
  /** Milliseconds that one attempt may take. Default: 40,000; the service itself gives up after 30,000. */
  timeoutMs?: number | undefined;
  /** Milliseconds that a call may take with its retries and the waits between them. Default: 120,000. */
  totalTimeoutMs?: number | undefined;
  /** Default: the runtime's. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Waits before a retry; for tests. Rejects once the signal is aborted. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Of one call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  timeoutMs?: number | undefined;
}

export interface ScopeOptions {
  /** The end-user whose memory it is. */
  user?: string | undefined;
  /** The conversation. */
  session?: string | undefined;
}

/** An instant: a `Date`, or RFC 3339 as `2026-01-05T09:30:00Z`. */
export type Instant = Date | string;

export interface TurnInput {
  /** Who spoke: `user`, `assistant`, a speaker's name. */
  role: string;
  text: string;
  /** When it was said. Default: now. Sent again, a turn of the same role, text and instant is not stored twice. */
  timestamp?: Instant | undefined;
  /** What you know of this turn already; recallable as soon as it is. */
  observations?: (string | { text: string })[] | undefined;
}

export interface WriteOptions extends ScopeOptions {
  /** False: no turn is stored, only what is found in it. */
  writeActive?: boolean | undefined;
  /** False: nothing is extracted from it. */
  writePassive?: boolean | undefined;
  /** Kept with the turns; at most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface RememberOptions extends WriteOptions, CallOptions {}

export interface RecallOptions extends ScopeOptions, CallOptions {
  /** `deep` spends more to reach what one pass can't. Default: `active`. */
  mode?: 'active' | 'deep' | undefined;
  /** Hits across all kinds. Default: 15, with `deep` 25. */
  topK?: number | undefined;
  includeTimeline?: boolean | undefined;
  /** Default: all. */
  kinds?: ('turn' | 'observation' | 'entity')[] | undefined;
  /** Said then or later. */
  since?: Instant | undefined;
  /** Said then or before. */
  until?: Instant | undefined;
  /** What the service knew at that time. */
  asOf?: Instant | undefined;
  /** Whether each hit tells what made its score. */
  explain?: boolean | undefined;
}

export interface ForgetOptions extends CallOptions {
  /** Required, so that nothing is erased by a default. */
  user: string;
  /** Only this session. Default: all of the user's. */
  session?: string | undefined;
}

export interface MonthOptions extends CallOptions {
  /** `YYYY-MM`, UTC. Default: the current month. */
  month?: string | undefined;
}

export interface EventsOptions {
  /** The `position` of an event: goes on behind it. `now`: only what comes. Default: from the beginning. */
  after?: string | undefined;
  signal?: AbortSignal | undefined;
  /** A connection that is silent for as long is taken for dead. Default: 45,000; the service beats every 15,000. */
  silenceMs?: number | undefined;
}

export interface ListOptions extends CallOptions {
  /** Items that are fetched at a time, 1 to 200. Default: 50. */
  pageSize?: number | undefined;
}

export interface SessionsOptions extends ListOptions {
  user?: string | undefined;
}

export interface TurnsOptions extends ListOptions, ScopeOptions {
  role?: string | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
  /** By time. Default: `asc`. */
  order?: 'asc' | 'desc' | undefined;
}

export interface ObservationsOptions extends ListOptions, ScopeOptions {
  turnId?: string | undefined;
  source?: 'client' | 'rules' | 'llm' | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
}

export interface EntitiesOptions extends ListOptions, ScopeOptions {
  turnId?: string | undefined;
  kind?: string | undefined;
}

export type Role = '*' | 'memory:write' | 'memory:read' | 'usage:read' | 'keys:manage';

export interface CreateKeyOptions extends CallOptions {
  name: string;
  /** Default: those of the key that creates it. */
  roles?: Role[] | undefined;
  /** The user of its tokens. Default: the creator's. */
  user?: string | undefined;
  /** The session of its tokens. */
  session?: string | undefined;
}

export interface BatchOptions extends WriteOptions {
  /** Turns of a request, 1 to 1,000. Default: 1,000. */
  maxTurns?: number | undefined;
  /** Milliseconds that a turn waits for others. Default: 500. */
  maxAgeMs?: number | undefined;
  /** Requests at once; those of one session go one after the other. Default: 4. */
  maxInFlight?: number | undefined;
  /** Turns that were added and not yet acknowledged; at as many `add` waits. Default: 10,000. */
  maxPending?: number | undefined;
  /**
   * Once it is aborted, no turn is sent, neither again. A request that was sent comes to its end, so that it is known what
   * became of its turns; those that had still to be sent fail with the code `aborted`, and `add` rejects.
   */
  signal?: AbortSignal | undefined;
}

/** What became of one turn of a batch. */
export type Outcome =
  | {
      ok: true;
      /** Of the turn; undefined when it was written with `writeActive: false`. */
      id: string | undefined;
    }
  | { ok: false; error: TurnstoneError };
