import type { AccountEvent } from '../../../projections/accounts/projection.ts';
import type { RecallWrite } from '../../../projections/recall/projection.ts';
import type { UsageRow } from '../../../projections/usage/projection.ts';
import type { Logged } from './admission.ts';
import type { Positions } from './event-log.ts';

/** What one step of the projector writes: applied whole, with the positions after it, or not at all. */
export interface ProjectedBatch {
  recall: RecallWrite[];
  usage: UsageRow[];
  accounts: AccountEvent[];
  /** What admission learns from the log, for an admission that is a projection of its own. */
  logged: Logged[];
  positions: Positions;
}

export interface ProjectionStore {
  positions(): Promise<Positions>;
  apply(batch: ProjectedBatch): Promise<void>;
  close(): Promise<void>;
}
