import { type Batch, makeBatch } from './batch.ts';
import type { Remember } from './batch-send.ts';
import { type Caller, makeCaller } from './caller.ts';
import { checkTime, sleep } from './deadline.ts';
import { misconfigured } from './error.ts';
import { follow } from './events.ts';
import { type Keys, makeKeys } from './keys.ts';
import { type Memory, makeMemory } from './memory.ts';
import type {
  BatchOptions,
  CallOptions,
  EventsOptions,
  ForgetOptions,
  RecallOptions,
  RememberOptions,
  ScopeOptions,
  TurnInput,
  TurnstoneOptions,
} from './options.ts';
import { member, query } from './query.ts';
import { ingestOf, optionsOf, recallOf, turnOf, unusable } from './requests.ts';
import { makeTransport, type Request } from './transport.ts';
import type { FeedEvent, Forgotten, Job, Me, Recalled, Remembered } from './types.ts';
import { makeUsage, type Usage } from './usage.ts';

const TIMEOUT_MS = 40_000;
const TOTAL_TIMEOUT_MS = 120_000;

type Sleep = NonNullable<TurnstoneOptions['sleep']>;

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] ||
  undefined;

/** Without a slash at its end. A fault doesn't repeat the address: it may have a password in it. */
const addressOf = (baseUrl: string | undefined): string => {
  if (!baseUrl) throw misconfigured('There is no address: pass baseUrl, or set TURNSTONE_URL.');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw misconfigured('baseUrl must be a URL, as https://memory.example.com.');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw misconfigured('baseUrl must be an http or https URL without a user, a query and a fragment.');
  return url.href.replace(/\/+$/, '');
};

const keyOf = (apiKey: string | undefined): string => {
  // A line end comes with it from many a file.
  const key = apiKey?.trim();
  if (key) return key;
  throw misconfigured('There is no API key: pass apiKey, or set TURNSTONE_API_KEY.');
};

/**
 * A client of one service with one API key. Calls may be made at the same time; they share tokens. Every failure is a
 * `TurnstoneError`.
 */
export class Turnstone {
  /** What is stored. */
  readonly memory: Memory;
  readonly usage: Usage;
  readonly keys: Keys;
  readonly #scope: ScopeOptions;
  readonly #caller: Caller;
  readonly #sleep: Sleep;

  constructor(options: TurnstoneOptions = {}) {
    const { fetch, timeoutMs = TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
    checkTime('timeoutMs', timeoutMs);
    checkTime('totalTimeoutMs', totalTimeoutMs);
    const apiKey = keyOf(options.apiKey ?? environment('TURNSTONE_API_KEY'));
    this.#sleep = options.sleep ?? sleep;
    this.#scope = { user: options.user, session: options.session };
    const transport = makeTransport({
      baseUrl: addressOf(options.baseUrl ?? environment('TURNSTONE_URL')),
      // A browser's own must be called on the window.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      sleep: this.#sleep,
      apiKey,
    });
    this.#caller = makeCaller(transport, apiKey, { timeoutMs, totalTimeoutMs });
    this.memory = makeMemory(this.#caller);
    this.usage = makeUsage(this.#caller);
    this.keys = makeKeys(this.#caller);
  }

  #scoped<T extends ScopeOptions>(options: T): T {
    return {
      ...optionsOf(options),
      user: options.user ?? this.#scope.user,
      session: options.session ?? this.#scope.session,
    };
  }

  /** Stores turns; when it resolves, they can be recalled. At most 1,000; `batch` takes any number. */
  async remember(turns: TurnInput | TurnInput[], options: RememberOptions = {}): Promise<Remembered> {
    return this.#write(Array.isArray(turns) ? turns : [turns], options);
  }

  async #write(turns: TurnInput[], options: RememberOptions, how?: Pick<Request, 'isCarriedOut'>) {
    const body = ingestOf(turns.map(turnOf), this.#scoped(options));
    const request: Request = { method: 'POST', path: '/ingestion/memory', body, ...how };
    return (await this.#caller.call(request, options)) as Remembered;
  }

  /** What was said that answers `q`, best first, with the probability that it does. */
  async recall(q: string, options: RecallOptions = {}): Promise<Recalled> {
    const body = recallOf(q, this.#scoped(options));
    return (await this.#caller.call({ method: 'POST', path: '/recall', body }, options)) as Recalled;
  }

  /** Erases a user, or one session of a user, for good. There is no way back. */
  async forget(erased: ForgetOptions): Promise<Forgotten> {
    const needsUser = 'forget needs a user: nothing is erased by a default.';
    const { user, session, ...options } = optionsOf(erased, needsUser);
    if (typeof user !== 'string' || user === '') throw unusable(needsUser);
    // Null may have been meant as one session, and would erase all.
    if (session !== undefined && typeof session !== 'string') throw unusable('A session is a text.');
    // In the query: a proxy that drops the body of a DELETE would make more of it than was meant.
    const path = `/memory${query<'erase'>({ user_id: user, session_id: session })}`;
    return (await this.#caller.call({ method: 'DELETE', path }, options)) as Forgotten;
  }

  /**
   * Every turn and observation that the key may see, then those that come, until `signal` is aborted or the loop is left.
   * No gap and no repeat, over broken connections and restarts.
   */
  events(options: EventsOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    return follow(this.#caller, this.#sleep, optionsOf(options));
  }

  /** Gathers turns into requests. Turns of one session keep their order. */
  batch(options: BatchOptions = {}): Batch {
    // Of a batch that is given up it is to be known which turns are stored.
    const remember: Remember = (turns, write) => this.#write(turns, write, { isCarriedOut: true });
    return makeBatch(remember, this.#scoped(options));
  }

  /** What became of a write, by its `job_id` or `passive_job_id`. */
  async job(id: string, options?: CallOptions): Promise<Job> {
    const path = `/ingestion/jobs/${member(id)}`;
    return (await this.#caller.call({ method: 'GET', path }, options)) as Job;
  }

  /** Whom the key speaks for. */
  async me(options?: CallOptions): Promise<Me> {
    return (await this.#caller.call({ method: 'GET', path: '/me' }, options)) as Me;
  }
}
