/** Arguments of the calls. Their names are camelCase; answers keep the API's names. */
import type { TurnstoneError } from './error.ts';
import type { Instant, ObservationInput } from './inputs.ts';
import type { Filter, Role, UsageSplit } from './types.ts';

export interface TurnstoneOptions {
  /**
   * For example `https://memory.example.com`. Default: the environment variable `TURNSTONE_URL`, or else the
   * server that runs with its data folder here (Node).
   */
  baseUrl?: string | undefined;
  /**
   * Default: the environment variable `TURNSTONE_API_KEY`, or else, for a server on this machine, the key in
   * its data folder: `TURNSTONE_DATA_DIR`, by default `./data`.
   */
  apiKey?: string | undefined;
  /**
   * Applies to every call without a user, except `forget`, which has its own. A write without either goes to
   * the key's user.
   */
  user?: string | undefined;
  /**
   * Applies to writes and `recall` without a session. Default: the key's session; without one, writes go to
   * `default-session`.
   */
  session?: string | undefined;
  /** Time limit of one attempt in milliseconds. Default: 40,000; the service itself gives up after 30,000. */
  timeoutMs?: number | undefined;
  /** Time limit of a call, with its retries and the waits between them, in milliseconds. Default: 120,000. */
  totalTimeoutMs?: number | undefined;
  /** Default: the runtime's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Waits before a retry, for tests. Must reject once the signal is aborted. */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Overrides the client's `timeoutMs`. */
  timeoutMs?: number | undefined;
}

export interface ScopeOptions {
  /** The end user who owns the memory. */
  user?: string | undefined;
  /** The conversation. */
  session?: string | undefined;
}

/**
 * Whose memory is read: a user of the call or of the client, or `allUsers`. Without either nothing is sent.
 */
export interface ReadOptions extends ScopeOptions {
  /**
   * True: all that the key may see, instead of the client's own user and session. For a key of one user, that
   * is its user.
   */
  allUsers?: boolean | undefined;
}

/** The input of `memory.addFact`: a sentence and, with `attribute`, the fact that it says. */
export interface AddFactOptions extends ObservationInput, ScopeOptions, CallOptions {
  /** Whose attribute it is. Default: The user. */
  subject?: string | undefined;
  /** When it was said. Default: now, by the service's clock, so that saying it again stores nothing. */
  timestamp?: Instant | undefined;
  /** Stored with it; at most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface WriteOptions extends ScopeOptions {
  /** False: the turns are not stored, only what is extracted from them. */
  writeActive?: boolean | undefined;
  /** False: nothing is extracted from the turns. */
  writePassive?: boolean | undefined;
  /** From this moment on the turns, and what was found in them, are in no answer. */
  expiresAt?: Instant | undefined;
  /** The same, in days after the turns were recorded: 1 to 36,500. Not together with `expiresAt`. */
  ttlDays?: number | undefined;
  /** Names the session where it has no title yet. */
  sessionTitle?: string | undefined;
  /** Stored with the turns, and what a `filter` is about; at most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | undefined;
}

export interface RememberOptions extends WriteOptions, CallOptions {}

export interface RecallOptions extends ReadOptions, CallOptions {
  /** `deep` does more work and finds what a single pass misses. Default: `active`. */
  mode?: 'active' | 'deep' | undefined;
  /** Number of hits across all kinds. Default: 15, with `deep` 25. */
  topK?: number | undefined;
  /**
   * `ever`: facts that no longer hold are hits too. Default: `now`, unless the question asks about the past.
   */
  holds?: 'now' | 'ever' | undefined;
  includeTimeline?: boolean | undefined;
  /** Adds `context`: one string for a prompt, of what holds now and what was said. */
  includeContext?: boolean | undefined;
  /** Most tokens of the context, 50 to 8,000. Default: 800. */
  contextMaxTokens?: number | undefined;
  /** False: no hits are returned or billed, for a call that wants only the context. */
  includeHits?: boolean | undefined;
  /** Least score of a hit, 0 to 1. Applies to context and timeline too. */
  minScore?: number | undefined;
  /** Most tokens of all hits together, of long turns their parts; what does not fit is passed over. */
  maxTokens?: number | undefined;
  /** Whether a long hit is the part that matters instead of all its words. Default: true with `maxTokens`. */
  passages?: boolean | undefined;
  /** Only turns whose metadata passes, and what was found in them. */
  filter?: Filter | undefined;
  /**
   * One of the service's configured embedding models, to compare it before it serves. Default: the one that
   * serves.
   */
  embeddingsModel?: string | undefined;
  /** Default: all. */
  kinds?: ('turn' | 'observation' | 'entity')[] | undefined;
  /** Earliest timestamp, inclusive. */
  since?: Instant | undefined;
  /** Latest timestamp, inclusive. */
  until?: Instant | undefined;
  /** Answers from what the service knew at that time. */
  asOf?: Instant | undefined;
  /** Where it is asked, minutes to the east of UTC: "yesterday" is a day there. Default: as in `asOf`. */
  utcOffset?: number | undefined;
  /** Adds an explanation of its score to each turn and observation. */
  explain?: boolean | undefined;
  /** Keeps what was answered for 90 days: the answer has `receipt_id`, for `getRecall`. */
  receipt?: boolean | undefined;
}

/** The options of a recall that have to do with a context. */
export interface ContextOptions
  extends Omit<
    RecallOptions,
    | 'contextMaxTokens'
    | 'includeContext'
    | 'includeHits'
    | 'includeTimeline'
    | 'topK'
    | 'maxTokens'
    | 'passages'
    | 'explain'
  > {
  /** Most tokens of the context, 50 to 8,000. Default: 800. */
  tokens?: number | undefined;
}

export interface ForgetOptions extends CallOptions {
  /** Required, so that nothing is erased by default. */
  user: string;
  /** Only this session. Default: all of the user's sessions. */
  session?: string | undefined;
}

export interface RotateKeyOptions extends CallOptions {
  /** How long the former key still works, at most a week; 0: it is revoked at once. Default: a day. */
  graceSeconds?: number | undefined;
}

export interface SplitOptions extends CallOptions {
  /** Adds `split`: the sums by user, by session or by API key. */
  by?: UsageSplit['by'] | undefined;
  /** With `by`: the most shares, 1 to 1,000. Default: 100. */
  limit?: number | undefined;
}

export interface MonthOptions extends SplitOptions {
  /** `YYYY-MM`, UTC. Default: the current month. */
  month?: string | undefined;
}

export interface StatementOptions extends CallOptions {
  /** `YYYY-MM`, UTC: a month that is over. */
  month: string;
}

export interface EventsOptions {
  /**
   * The `position` of an event, to continue after it, or `now` for new events only. Default: from the
   * beginning.
   */
  after?: string | undefined;
  /** Only turns whose metadata passes, and what was found in them. */
  filter?: Filter | undefined;
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds without data after which to reconnect. Default: 45,000; the service sends a beat every
   * 15,000.
   */
  silenceMs?: number | undefined;
}

export interface CorrectionOptions extends CallOptions {
  /** Whose it is. Required for a key that may name any user. */
  user?: string | undefined;
}

export interface CreateKeyOptions extends CallOptions {
  name: string;
  /** Default: the roles of the key that creates it. */
  roles?: Role[] | undefined;
  /** The user of calls that name none. Default: the creator's user. */
  user?: string | undefined;
  /** The session of calls that name none. Default: none. */
  session?: string | undefined;
  /** Until when it works. Default: as the creator. */
  expiresAt?: Instant | undefined;
  /** Client addresses or ranges (`192.0.2.0/24`) that it works from. Default: as the creator. */
  addresses?: string[] | undefined;
  /** Whether user and session are bounds instead of defaults. Default: as the creator. */
  strict?: boolean | undefined;
}

export interface BatchOptions extends WriteOptions {
  /** Maximum turns per request, 1 to 1,000. Default: 1,000. */
  maxTurns?: number | undefined;
  /** Milliseconds that a turn waits for others. Default: 500. */
  maxAgeMs?: number | undefined;
  /** Concurrent requests; those of one session are sent one after another. Default: 4. */
  maxInFlight?: number | undefined;
  /** Added turns that are not acknowledged; `add` waits when there are this many. Default: 10,000. */
  maxPending?: number | undefined;
  /**
   * Once aborted, nothing is sent or retried. A request in flight is completed, so that the outcome of its
   * turns is known; turns that were not sent fail with the code `aborted`, and `add` rejects.
   */
  signal?: AbortSignal | undefined;
}

/** The outcome of one turn of a batch. */
export type Outcome =
  | {
      ok: true;
      /** The turn's id; undefined where it was written with `writeActive: false`, or had no words. */
      id: string | undefined;
    }
  | { ok: false; error: TurnstoneError };
