import type { Decode } from '../log/events.ts';
import type { EngineCalls } from '../operator/calls.ts';
import type { Gauge } from '../watch/gauges.ts';
import type { AccountStore } from './accounts/account-store.ts';
import type { KeyStore } from './accounts/key-store.ts';
import type { SigningKeys } from './accounts/signing-key.ts';
import type { Admission } from './admission/admission.ts';
import type { FailureCounter } from './admission/failure-counter.ts';
import type { RateLimiter } from './admission/rate-limiter.ts';
import type { EventLog, NewRecord, RecordAddress } from './log/event-log.ts';
import type { ExportChunks } from './log/export-chunks.ts';
import type { Embeddings } from './models/embed.ts';
import type { FeedPorts } from './recall/feed.ts';
import type { Listing } from './recall/listing.ts';
import type { Search } from './recall/search.ts';
import type { TurnDetails } from './recall/turn-details.ts';
import type { UsageLedger } from './usage/usage-ledger.ts';
import type { UsageReader } from './usage/usage-reader.ts';

/** Everything a set of engines, embedded or shared, provides to the services, grouped by room. */
export interface Engines {
  log: Pick<EventLog, 'append' | 'read' | 'ends' | 'partitionOf'>;
  decode: Decode;
  keys: Pick<KeyStore, 'forSession' | 'byId' | 'idsOf' | 'destroy'>;
  admission: Admission;
  memory: ReadModels;
  usage: { reader: UsageReader; ledger: UsageLedger };
  accounts: AccountEngines;
  transfer: Transfer;
  watch: Watch;
  /** The calls that an operator may make to these engines. */
  operatorCalls: EngineCalls;
  close(): Promise<void>;
}

/** The projections of what was said, as callers read them. */
export interface ReadModels {
  search: Search;
  /** Where an embedding model is configured. */
  embeddings: Embeddings | undefined;
  details: TurnDetails;
  listing: Listing;
  feed: FeedPorts;
  /**
   * Resolves when every serving read model contains the records at these addresses; rejects with `unavailable`, and when
   * the signal is aborted: nobody waits any more.
   */
  settled: (addresses: readonly RecordAddress[], signal: AbortSignal) => Promise<void>;
  /**
   * Unix milliseconds: everything recorded by then is in the serving projections, and nothing more will be recorded by
   * then. Throws `unavailable` when the log can't be read.
   */
  settledUntil: () => Promise<number>;
}

export interface AccountEngines {
  store: AccountStore;
  /** The first key with a private half signs; all of them verify. */
  signingKeys: SigningKeys;
  /** Set when several processes answer exchanges. */
  failureCounter?: FailureCounter;
  /** Counts for all processes that answer calls. */
  rateLimiter: RateLimiter;
}

export interface Transfer {
  /** Doesn't delay other calls, however long the log is. */
  exportChunks: ExportChunks;
  /** Reports records that were appended without admission to it; waits until there is room for more. */
  imported: (records: readonly NewRecord[], addresses: readonly RecordAddress[]) => Promise<void>;
}

/** How the engines are, for readiness and metrics. */
export interface Watch {
  /** Resolves when calls can be answered; until then they are `unavailable`. */
  caughtUp: Promise<void>;
  isCaughtUp: () => boolean;
  /** By engine name: resolves to a short description of its state, or rejects with what is wrong. */
  probes: Record<string, () => Promise<string>>;
  /** The engines, by their names in `probes`, without which this process can do nothing of what its role is for. */
  needed: readonly string[];
  /** Why turns are not being enriched, if this process knows of a reason. */
  enrichmentWaitsFor: () => string | undefined;
  gauges: readonly Gauge[];
}
