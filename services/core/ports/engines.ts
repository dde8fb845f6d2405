import type { Decode } from '../log/events.ts';
import type { Gauge } from '../watch/gauges.ts';
import type { AccountStore } from './account-store.ts';
import type { Admission } from './admission.ts';
import type { EventLog, NewRecord, RecordAddress } from './event-log.ts';
import type { FailureCounter } from './failure-counter.ts';
import type { FeedPorts } from './feed.ts';
import type { KeyStore } from './key-store.ts';
import type { Listing } from './listing.ts';
import type { OperatorCalls } from './operator-calls.ts';
import type { RecallIndex } from './recall-index.ts';
import type { Search } from './search.ts';
import type { SigningKey } from './signing-key.ts';
import type { UsageReader } from './usage-reader.ts';

/** What a set of engines provides to the services, embedded or shared. */
export interface Engines {
  log: Pick<EventLog, 'append' | 'read' | 'ends'>;
  decode: Decode;
  keys: Pick<KeyStore, 'forSession' | 'idsOf' | 'destroy'>;
  admission: Admission;
  usage: UsageReader;
  /** What hangs on turns. */
  details: Pick<RecallIndex, 'observationsOf' | 'job' | 'enrichment' | 'holdings'>;
  listing: Listing;
  /** Resolves when every serving read model contains what is at these addresses; rejects with `unavailable`. */
  settled: (addresses: readonly RecordAddress[]) => Promise<void>;
  /**
   * Unix milliseconds: what was recorded by then is in the projections that serve, and nothing recorded by then is still
   * to come. Throws `unavailable` when the log can't be read.
   */
  settledUntil: () => Promise<number>;
  search: Search;
  feed: FeedPorts;
  /** Reports records to admission that were appended without it; waits until there is room for more. */
  imported: (records: readonly NewRecord[], addresses: readonly RecordAddress[]) => Promise<void>;
  accounts: AccountStore;
  /** The first with a private half signs, all verify. */
  signingKeys: readonly SigningKey[];
  /** Where several processes answer exchanges. */
  failureCounter?: FailureCounter;
  /** Resolves when calls can be answered; until then they are `unavailable`. */
  caughtUp: Promise<void>;
  isCaughtUp: () => boolean;
  /** By the engine's name: resolves to a short description of its state, or rejects with what is wrong. */
  probes: Record<string, () => Promise<string>>;
  /** Why turns are not being enriched, if this process knows of a reason. */
  enrichmentWaitsFor: () => string | undefined;
  gauges: readonly Gauge[];
  /** What an operator may ask of these engines. */
  operatorCalls: OperatorCalls;
  close(): Promise<void>;
}
