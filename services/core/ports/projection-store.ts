import type { WritesOf } from '../../../projections/all.ts';
import type { Logged } from './admission.ts';
import type { Positions } from './event-log.ts';

/** What one step of the projector writes: applied whole, with the positions after it, or not at all. */
export interface ProjectedBatch extends WritesOf {
  /** What admission learns from the log, for an admission that is a projection of its own. */
  logged: Logged[];
  positions: Positions;
}

export interface ProjectionStore {
  positions(): Promise<Positions>;
  apply(batch: ProjectedBatch): Promise<void>;
  close(): Promise<void>;
}
