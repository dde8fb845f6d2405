import type { FailureCounter } from './accounts/failures.ts';
import type { AccountStore } from './accounts/store.ts';
import type { OperatorCalls } from './operator/calls.ts';
import type { Admission, EventLog, KeyStore, Place, RecallIndex, UsageReader } from './ports.ts';
import type { Search } from './recall/search.ts';

/** A number to be asked for when somebody looks (`GET /metrics`). */
export interface Gauge {
  name: string;
  help: string;
  read: () => number | Promise<number>;
}

/** What a set of engines gives to the services, embedded or shared. */
export interface Engines {
  log: Pick<EventLog, 'append' | 'ends'>;
  keys: Pick<KeyStore, 'forSession' | 'idsOf' | 'destroy'>;
  admission: Admission;
  usage: UsageReader;
  jobs: Pick<RecallIndex, 'job' | 'enrichment' | 'holdings'>;
  /** Resolves when every read model that serves has passed these places of the log; rejects with `unavailable`. */
  projected: (places: readonly Place[]) => Promise<void>;
  search: Search;
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
