import type { Decode } from '../log/events.ts';
import type { EngineCalls } from '../operator/calls.ts';
import type { PaidLog } from '../payers/paid-log.ts';
import type { Pay } from '../payers/till.ts';
import type { CursorSeal } from '../sealed-cursors.ts';
import type { Gauge } from '../watch/gauges.ts';
import type { AccountStore } from './accounts/account-store.ts';
import type { KeyStore } from './accounts/key-store.ts';
import type { SigningKeys } from './accounts/signing-key.ts';
import type { Admission } from './admission/admission.ts';
import type { BegunErasures } from './admission/begun-erasures.ts';
import type { FailureCounter } from './admission/failure-counter.ts';
import type { RateLimiter } from './admission/rate-limiter.ts';
import type { AuditLog } from './audit/audit-log.ts';
import type { EventLog, NewRecord, RecordAddress } from './log/event-log.ts';
import type { ExportChunks } from './log/export-chunks.ts';
import type { Embeddings } from './models/embed.ts';
import type { FeedPorts } from './recall/feed.ts';
import type { Find } from './recall/find.ts';
import type { Listing } from './recall/listing.ts';
import type { Search } from './recall/search.ts';
import type { TurnDetails } from './recall/turn-details.ts';
import type { ActivityReader } from './usage/activity.ts';
import type { UsageLedger } from './usage/usage-ledger.ts';
import type { UsageReader } from './usage/usage-reader.ts';
import type { SplitUsage } from './usage/usage-split.ts';
import type { WebhookEngines } from './webhooks/webhooks.ts';

/**
 * A set of engines, embedded or shared, as the services use it: the members that all rooms share, and one
 * group for each room.
 */
export interface Engines {
  /** Appends what callers cause, with its payer. */
  log: PaidLog;
  /** Takes what an append beside the log costs: that of an account's event. */
  pay: Pay;
  decode: Decode;
  keys: Pick<KeyStore, 'forSession' | 'has' | 'byId' | 'idsOf' | 'sessionsOf' | 'usersOf' | 'destroy'>;
  /** Seals cursors before a caller gets them. */
  cursors: CursorSeal;
  admission: Admission;
  memory: ReadModels;
  usage: { reader: UsageReader; split: SplitUsage; ledger: UsageLedger };
  audit: AuditLog;
  activity: ActivityReader;
  accounts: AccountEngines;
  webhooks: WebhookEngines;
  transfer: Transfer;
  watch: Watch;
  /** The calls that an operator may make to these engines. */
  operatorCalls: EngineCalls;
  /**
   * End the work under way, then close. `until`: don't wait beyond this instant, by the clock of
   * `performance.now()`, for engines elsewhere that don't answer.
   */
  close(until?: number): Promise<void>;
}

/** The projections of turns and observations, as callers read them. */
export interface ReadModels {
  search: Search;
  find: Find;
  /** Set when an embedding model is configured. */
  embeddings: Embeddings | undefined;
  details: TurnDetails;
  listing: Listing;
  feed: FeedPorts;
  /**
   * Resolve when every serving read model contains the records at these addresses; reject with `unavailable`,
   * or when the signal is aborted because nobody waits any more.
   */
  settled: (addresses: readonly RecordAddress[], signal: AbortSignal) => Promise<void>;
  /**
   * Return Unix milliseconds: the serving projections hold everything recorded by then, and nothing more will
   * be recorded by then. Throw `unavailable` when the log can't be read.
   */
  settledUntil: () => Promise<number>;
  /** Set when several processes answer calls. */
  begunErasures?: BegunErasures;
}

export interface AccountEngines {
  store: AccountStore;
  /** The first key with a private half signs; all of them verify. */
  signingKeys: SigningKeys;
  /** Set when several processes answer exchanges. */
  failureCounter?: FailureCounter;
  /** Counts over all processes that answer calls. */
  rateLimiter: RateLimiter;
  /**
   * Resolve with the instant up to which something may be destroyed, Unix milliseconds: two sources of time
   * agree on it. Undefined: none for now.
   */
  upTo: () => Promise<number | undefined>;
}

export interface Transfer {
  /** An operator's appends have no payer. */
  log: Pick<EventLog, 'append' | 'read' | 'ends'>;
  /** Must not delay other calls, however long the log is. */
  exportChunks: ExportChunks;
  /** Report records that were appended without admission, and wait until admission has room for more. */
  imported: (records: readonly NewRecord[], addresses: readonly RecordAddress[]) => Promise<void>;
}

/** The state of the engines, for readiness and metrics. */
export interface Watch {
  /** Resolves when calls can be answered; until then they fail with `unavailable`. */
  caughtUp: Promise<void>;
  isCaughtUp: () => boolean;
  /**
   * Checks by engine name. Resolve to a short description of the engine's state, or reject with the fault.
   */
  probes: Record<string, () => Promise<string>>;
  /** Names in `probes` of the engines that this process's role cannot do without. */
  needed: readonly string[];
  /** Return the reason why turns are not being enriched, if this process knows one. */
  enrichmentWaitsFor: () => string | undefined;
  gauges: readonly Gauge[];
}
