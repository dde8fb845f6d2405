import type { WritesOf } from '../../../projections/all.ts';
import type { Logged } from './admission.ts';
import type { Positions } from './event-log.ts';
import type { LogRange } from './store-behind.ts';

/** What one step of the projector writes: applied completely, with the positions after it, or not at all. */
export interface ProjectedBatch extends WritesOf {
  /** What admission learns from the log, when admission is a projection itself. */
  logged: Logged[];
  positions: Positions;
  /** What the step was made of, in a store of several engines, each of which holds how far it is. */
  range?: LogRange;
}

/** A store that removes what has expired. */
export interface Sweeping {
  /** One step of it, for what had expired at `now` (Unix milliseconds). Resolves with whether there may be more. */
  sweep(now: number): Promise<boolean>;
}

/** Writes that an engine rejects on every attempt. */
export type RefusedWrites = ReadonlySet<object>;

export const NONE_REFUSED: RefusedWrites = new Set();

export interface ProjectionStore {
  positions(): Promise<Positions>;
  /** While any write is refused the positions don't advance: the batch must be applied again without the refused writes. */
  apply(batch: ProjectedBatch): Promise<RefusedWrites>;
  close(): Promise<void>;
}
