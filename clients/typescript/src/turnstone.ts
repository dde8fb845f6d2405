import { type Audit, makeAudit } from './audit.ts';
import { type Batch, makeBatch } from './batch/batch.ts';
import type { Remember } from './batch/batch-send.ts';
import { follow } from './events.ts';
import type { TurnInput } from './inputs.ts';
import { type Keys, makeKeys } from './keys.ts';
import { type Memory, makeMemory } from './memory.ts';
import * as operations from './operations.ts';
import type {
  BatchOptions,
  CallOptions,
  ContextOptions,
  EventsOptions,
  ForgetOptions,
  RecallOptions,
  RememberOptions,
  ScopeOptions,
  TurnstoneOptions,
} from './options.ts';
import { serverOf } from './server.ts';
import { type Caller, makeCaller } from './transport/caller.ts';
import { checkTime, sleep } from './transport/deadline.ts';
import { ingestOf, optionsOf, readScope, recallOf, turnsOf, unusable } from './transport/requests.ts';
import { makeTransport, type Request } from './transport/transport.ts';
import type {
  Feedback,
  FeedEvent,
  Forgotten,
  Job,
  Me,
  OrganizationDeletion,
  Recalled,
  Receipt,
  Remembered,
  Retention,
  Screening,
  Verdict,
} from './types.ts';
import { makeUsage, type Usage } from './usage.ts';
import { jobIdOf, type Waited, type WaitOptions, WITHIN_MS, waitForJob } from './wait.ts';
import { makeWebhooks, type Webhooks } from './webhooks.ts';

const TIMEOUT_MS = 40_000;
const TOTAL_TIMEOUT_MS = 120_000;

type Sleep = NonNullable<TurnstoneOptions['sleep']>;

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
  readonly webhooks: Webhooks;
  readonly #scope: ScopeOptions;
  readonly #caller: Caller;
  readonly #sleep: Sleep;

  constructor(options: TurnstoneOptions = {}) {
    const { fetch, timeoutMs = TIMEOUT_MS, totalTimeoutMs = TOTAL_TIMEOUT_MS } = options;
    checkTime('timeoutMs', timeoutMs);
    checkTime('totalTimeoutMs', totalTimeoutMs);
    this.#sleep = options.sleep ?? sleep;
    this.#scope = { user: options.user, session: options.session };
    const transport = makeTransport({
      ...serverOf(options),
      // A browser's fetch must be called on the window.
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      sleep: this.#sleep,
    });
    this.#caller = makeCaller(transport, { timeoutMs, totalTimeoutMs });
    this.memory = makeMemory(this.#caller, this.#scope);
    this.usage = makeUsage(this.#caller);
    this.audit = makeAudit(this.#caller);
    this.keys = makeKeys(this.#caller);
    this.webhooks = makeWebhooks(this.#caller);
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
    const body = ingestOf(turnsOf(turns), this.#scoped(options));
    return this.#caller.call({ ...operations.ingest(body), ...how }, options);
  }

  /** Finds stored turns that answer `q`, best first, and the probability that they contain the answer. */
  async recall(q: string, options: RecallOptions = {}): Promise<Recalled> {
    const body = recallOf(q, { ...optionsOf(options), ...readScope(options, this.#scope) });
    return this.#caller.call(operations.recall(body), options);
  }

  /**
   * Returns what a prompt needs to know for `q`, as one string of at most `tokens`: what holds now, then
   * what was said. Empty where nothing is known. Nothing else is returned or billed.
   */
  async context(q: string, options: ContextOptions = {}): Promise<string> {
    const { tokens, ...rest } = optionsOf(options);
    const only = { includeContext: true, contextMaxTokens: tokens, includeHits: false };
    return (await this.recall(q, { ...rest, ...only })).context ?? '';
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

  /**
   * Says whether a turn or an observation of a recall with `receipt: true` was helpful or wrong; the last
   * verdict counts. Throws `not_found` for a hit that is gone.
   */
  async giveFeedback(id: string, hit: string, verdict: Verdict, options?: CallOptions): Promise<Feedback> {
    return this.#caller.call(operations.giveFeedback(id, { hit_id: hit, verdict }), options);
  }

  /** The state of a write, by its `job_id` or `passive_job_id`. */
  async job(id: string, options?: CallOptions): Promise<Job> {
    return this.#caller.call(operations.job(id), options);
  }

  /**
   * Waits until nothing is left to do for a write: until its turns are in the index, and what is said in them
   * has been extracted. Resolves with the job once it is `done` or `failed`; rejects with `timeout` where it
   * is still `queued` after `withinMs`. What was written can be recalled without waiting.
   */
  async wait(write: Waited, options: WaitOptions = {}): Promise<Job> {
    const { withinMs = WITHIN_MS, ...rest } = optionsOf(options);
    return waitForJob(() => this.job(jobIdOf(write), rest), { withinMs, signal: rest.signal }, this.#sleep);
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

  /** Whether somebody asked for the deletion of the organization, and when it can be confirmed. */
  async deletion(options?: CallOptions): Promise<OrganizationDeletion> {
    return this.#caller.call(operations.deletion(), options);
  }

  /**
   * Asks for the deletion of the organization, which `orgId` names. It can be confirmed a day later. Needs
   * the role `*`.
   */
  async askDeletion(orgId: string, options?: CallOptions): Promise<OrganizationDeletion> {
    return this.#caller.call(operations.askDeletion({ org_id: orgId }), options);
  }

  /**
   * Confirms it, which can't be undone: from then on every key is refused. Rejects with `conflict` where it
   * is too early, or too late.
   */
  async confirmDeletion(orgId: string, options?: CallOptions): Promise<OrganizationDeletion> {
    return this.#caller.call(operations.confirmDeletion({ org_id: orgId }), options);
  }

  /** Takes it back. Needs the role `*`. */
  async withdrawDeletion(options?: CallOptions): Promise<OrganizationDeletion> {
    return this.#caller.call(operations.withdrawDeletion(), options);
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
