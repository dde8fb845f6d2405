import type { OperatorCalls } from '../../operations/operator/calls.ts';
import type { FailureCounter } from '../../use-cases/accounts/failures.ts';
import type { FeedPorts } from '../../use-cases/feed/feed.ts';
import type { Passed } from '../../use-cases/recall/passed.ts';
import type { Search } from '../../use-cases/recall/search.ts';
import type { ImportPorts } from '../../use-cases/transfer/import.ts';
import type { Decode } from '../log/events.ts';
import type { Admission, EventLog, KeyStore, Listing, Place, RecallIndex, UsageReader } from '../ports.ts';
import type { AccountStore } from './account-store.ts';

/** A number, or several with the same labels and other values of them. */
export type Reading = number | readonly { labels: Readonly<Record<string, string>>; value: number }[];

/** A number to be asked for when somebody looks (`GET /metrics`). */
export interface Gauge {
  name: string;
  help: string;
  labels?: readonly string[];
  read: () => Reading | Promise<Reading>;
}

/** What a set of engines gives to the services, embedded or shared. */
export interface Engines {
  log: Pick<EventLog, 'append' | 'read' | 'ends'>;
  decode: Decode;
  keys: Pick<KeyStore, 'forSession' | 'idsOf' | 'destroy'>;
  admission: Admission;
  usage: UsageReader;
  /** What hangs on turns. */
  details: Pick<RecallIndex, 'observationsOf' | 'job' | 'enrichment' | 'holdings'>;
  listing: Listing;
  /** Resolves when every read model that serves has passed these places of the log; rejects with `unavailable`. */
  projected: (places: readonly Place[]) => Promise<void>;
  search: Search;
  passed: Passed;
  feed: FeedPorts;
  /** Tells admission of records that were appended beside it; waits until there is room for more. */
  imported: ImportPorts['imported'];
  accounts: AccountStore;
  /** Where several processes answer exchanges. */
  failureCounter?: FailureCounter;
  /** Resolves when calls can be answered; until then they are `unavailable`. */
  caughtUp: Promise<void>;
  isCaughtUp: () => boolean;
  /** By the engine's name: a word on its state; throws what is wrong with it. */
  probes: Record<string, () => Promise<string>>;
  /** What keeps turns from being enriched, where this process knows. */
  enrichmentWaitsFor: () => string | undefined;
  gauges: readonly Gauge[];
  /** What an operator may ask of these engines. */
  operatorCalls: OperatorCalls;
  close(): Promise<void>;
}
