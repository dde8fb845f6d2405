import type { WritesOf } from '../../../projections/all.ts';
import type { Logged } from './admission.ts';
import type { Positions } from './event-log.ts';

/** What one step of the projector writes: applied whole, with the positions after it, or not at all. */
export interface ProjectedBatch extends WritesOf {
  /** What admission learns from the log, for an admission that is a projection of its own. */
  logged: Logged[];
  positions: Positions;
}

/** Writes that an engine won't store however often it is asked. */
export type RefusedWrites = ReadonlySet<object>;

export const NONE_REFUSED: RefusedWrites = new Set();

export interface ProjectionStore {
  positions(): Promise<Positions>;
  /** While any write is refused the positions don't move: the batch is to be applied again without them. */
  apply(batch: ProjectedBatch): Promise<RefusedWrites>;
  close(): Promise<void>;
}
