import type { SweptSessions } from '../../../core/ports/projection/projection-store.ts';
import type {
  FeedIndex,
  Listing,
  ProjectionStore,
  Retrieval,
  TurnDetails,
  VerifiableRows,
} from '../../../core/ports.ts';
import type { Limits } from '../../../domain/search/candidates.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';

/** All that is read of the recall index. */
export type RecallIndex = Retrieval & TurnDetails;

/** A projection store and the index that reads what it wrote. */
export interface OpenProjections {
  store: ProjectionStore;
  index: RecallIndex;
  listing: Listing;
  feed: FeedIndex;
  /** Sweeps, as whoever runs in the background does, until nothing is left of what had expired at `now`. */
  sweep(now: number): Promise<void>;
  /** The sessions of which something was swept. */
  swept: SweptSessions;
  /** Those of these turns that are known, as a write asks: whether they have a fragment. */
  known(org: string, user: string, ids: readonly string[]): Promise<Map<string, boolean>>;
  /** The rows that a verification reads of recall. */
  rows: VerifiableRows;
  /** How many rows hold words, of turns, observations and mentions, or vectors. */
  kept(): Promise<number>;
  /** Projects events of accounts, where the read models find them. */
  account(events: readonly AccountEvent[]): Promise<void>;
  /** The same index with other limits of candidates. */
  indexOf(limits: Limits): RecallIndex;
  /** Closes, and opens the same data again. */
  reopen(): Promise<OpenProjections>;
  close(): Promise<void>;
}
