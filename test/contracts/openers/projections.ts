import type { Limits } from '../../../projections/recall/candidates.ts';
import type { FeedIndex, Listing, ProjectionStore, RecallIndex } from '../../../services/core/ports.ts';

/** A projection store and the index that reads what it wrote. */
export interface OpenProjections {
  store: ProjectionStore;
  index: RecallIndex;
  listing: Listing;
  feed: FeedIndex;
  /** The same index with other limits of candidates. */
  indexOf(limits: Limits): RecallIndex;
  /** Closes, and opens the same data again. */
  reopen(): Promise<OpenProjections>;
  close(): Promise<void>;
}
