import { type Audit, makeAudit } from './audit.ts';
import { type Batch, makeBatch } from './batch/batch.ts';
import type { Remember } from './batch/batch-send.ts';
import { misconfigured } from './error.ts';
import { follow } from './events.ts';
import type { TurnInput } from './inputs.ts';
import { type Keys, makeKeys } from './keys.ts';
import { type Memory, makeMemory } from './memory.ts';
import * as operations from './operations.ts';
import type {
  BatchOptions,
  CallOptions,
  EventsOptions,
  ForgetOptions,
  RecallOptions,
  RememberOptions,
  ScopeOptions,
  TurnstoneOptions,
} from './options.ts';
import { HEADER_TEXT } from './transport/answer.ts';
import { type Caller, makeCaller } from './transport/caller.ts';
import { checkTime, sleep } from './transport/deadline.ts';
import { ingestOf, optionsOf, readScope, recallOf, turnOf, unusable } from './transport/requests.ts';
import { makeTransport, type Request } from './transport/transport.ts';
import type {
  FeedEvent,
  Forgotten,
  Job,
  Me,
  Recalled,
  Receipt,
  Remembered,
  Retention,
  Screening,
} from './types.ts';
import { makeUsage, type Usage } from './usage.ts';

const TIMEOUT_MS = 40_000;
const TOTAL_TIMEOUT_MS = 120_000;

type Sleep = NonNullable<TurnstoneOptions['sleep']>;

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] ||
  undefined;

/** The URL without a trailing slash. Errors don't repeat the address, which may contain a password. */
const addressOf = (baseUrl: string | undefined): string => {
  if (!baseUrl) throw misconfigured('There is no address: pass baseUrl, or set TURNSTONE_URL.');
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw misconfigured('baseUrl must be a URL, such as https://memory.example.com.');
  }
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw misconfigured('baseUrl must be an http or https URL without a user, a query and a fragment.');
  return url.href.replace(/\/+$/, '');
};

const keyOf = (apiKey: string | undefined): string => {
  // A key read from a file often ends with a line break.
  const key = apiKey?.trim();
  if (!key) throw misconfigured('There is no API key: pass apiKey, or set TURNSTONE_API_KEY.');
  if (!HEADER_TEXT.test(key))
    throw misconfigured(
      'The API key contains characters that no key has: is it the whole key, and nothing else?',
    );
  return key;
};

/**
 * A client of one service with one API key, which goes with every call. Calls may run concurrently. Every
 * failure is a `TurnstoneError`.
 */
export class Turnstone {
  /** Lists of what is stored. */
  readonly memory: Memory;
  readonly usage: Usage;
  readonly audit: Audit;
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
      // A browser's fetch must be called on the window.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      sleep: this.#sleep,
      apiKey,
    });
    this.#caller = makeCaller(transport, { timeoutMs, totalTimeoutMs });
    this.memory = makeMemory(this.#caller, this.#scope);
    this.usage = makeUsage(this.#caller);
    this.audit = makeAudit(this.#caller);
    this.keys = makeKeys(this.#caller);
  }

  #scoped<T extends ScopeOptions>(options: T): T {
    return {
      ...optionsOf(options),
      user: options.user ?? this.#scope.user,
      session: options.session ?? this.#scope.session,
    };
  }

  /** Stores up to 1,000 turns, which can be recalled once the promise resolves; `batch` takes any number. */
  async remember(turns: TurnInput | TurnInput[], options: RememberOptions = {}): Promise<Remembered> {
    return this.#write(Array.isArray(turns) ? turns : [turns], options);
  }

  async #write(turns: TurnInput[], options: RememberOptions, how?: Pick<Request, 'isCarriedOut'>) {
    const body = ingestOf(turns.map(turnOf), this.#scoped(options));
    return this.#caller.call({ ...operations.ingest(body), ...how }, options);
  }

  /** Finds stored turns that answer `q`, best first, and the probability that they contain the answer. */
  async recall(q: string, options: RecallOptions = {}): Promise<Recalled> {
    const body = recallOf(q, { ...optionsOf(options), ...readScope(options, this.#scope) });
    return this.#caller.call(operations.recall(body), options);
  }

  /** Permanently erases a user, or one session of a user. */
  async forget(erased: ForgetOptions): Promise<Forgotten> {
    const needsUser = 'forget needs a user: nothing is erased by default.';
    const { user, session, ...options } = optionsOf(erased, needsUser);
    if (typeof user !== 'string' || user === '') throw unusable(needsUser);
    // A null may be intended as one session, but would erase all.
    if (session !== undefined && typeof session !== 'string') throw unusable('A session must be a string.');
    return this.#caller.call(operations.erase({ user_id: user, session_id: session }), options);
  }

  /**
   * Yields every turn and observation that the key may see, then new ones as they are written, until `signal`
   * is aborted or the caller leaves the loop. There are no gaps and no repeats, across broken connections and
   * restarts.
   */
  events(options: EventsOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    return follow(this.#caller, this.#sleep, optionsOf(options));
  }

  /** Collects turns into requests. Turns of one session keep their order. */
  batch(options: BatchOptions = {}): Batch {
    // When a batch is aborted, it must still be known which turns are stored.
    const remember: Remember = (turns, write) => this.#write(turns, write, { isCarriedOut: true });
    return makeBatch(remember, this.#scoped(options));
  }

  /**
   * Returns what a recall with `receipt: true` answered, by its `receipt_id`, for 90 days. The words are read
   * anew; a hit that was erased or hidden since has the status `erased`.
   */
  async getRecall(id: string, options?: CallOptions): Promise<Receipt> {
    return this.#caller.call(operations.readReceipt(id), options);
  }

  /** The state of a write, by its `job_id` or `passive_job_id`. */
  async job(id: string, options?: CallOptions): Promise<Job> {
    return this.#caller.call(operations.job(id), options);
  }

  /** The organization, user and roles of the key. */
  async me(options?: CallOptions): Promise<Me> {
    return this.#caller.call(operations.me(), options);
  }

  /** How long the organization keeps what has no expiry of its own. */
  async retention(options?: CallOptions): Promise<Retention> {
    return this.#caller.call(operations.retention(), options);
  }

  /** Sets it to 1 to 36,500 days, or `null` for ever; in force 24 hours later. Needs the role `*`. */
  async setRetention(days: number | null, options?: CallOptions): Promise<Retention> {
    return this.#caller.call(operations.setRetention({ days }), options);
  }

  /** Whether secrets are replaced in what the organization sends, before it is stored. */
  async screening(options?: CallOptions): Promise<Screening> {
    return this.#caller.call(operations.screening(), options);
  }

  /** Sets it, from the next call on; `default`: what the installation does. Needs the role `*`. */
  async setScreening(screen: Screening['screen'] | 'default', options?: CallOptions): Promise<Screening> {
    return this.#caller.call(operations.setScreening({ screen }), options);
  }
}
