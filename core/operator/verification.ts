/** The messages of the call `verify`, in both modes. */
import { PROJECTION_NAMES, type ProjectionName } from '../../projections/all.ts';
import type { Difference } from '../../projections/verify/compare.ts';
import type { Positions } from '../ports.ts';

/** The projections that operators can verify. */
export const VERIFIED_NAMES: readonly ProjectionName[] = PROJECTION_NAMES;

export type VerifyMessage =
  | {
      kind: 'progress';
      /** `again`: compares the rows that differed once more. */
      phase: 'log' | 'store' | 'again';
      /** Records of the log or rows of the store so far. */
      done: number;
      /** Undefined where it is unknown. */
      total: number | undefined;
    }
  | VerifyReport;

export interface VerifyReport {
  kind: 'report';
  projections: readonly ProjectionName[];
  /** The number of rows in the sample, according to the log. */
  rows: number;
  /**
   * The share of all ids that was compared, 0 to 1. Daily totals and accounts are always compared in full.
   */
  sampled: number;
  /** Next offsets up to which the log was read. */
  positions: Positions;
  /** By projection, over all organizations and partitions; equal when nothing differs. */
  digests: Partial<Record<ProjectionName, { log: string; store: string }>>;
  /** The number of differences. */
  differences: number;
  /** The first differences. */
  named: Omit<Difference, 'unit' | 'hash' | 'isWhole'>[];
  seconds: number;
}
