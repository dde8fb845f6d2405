/** The messages of the call `verify`, in both modes. */
import { PROJECTION_NAMES, type ProjectionName } from '../../../projections/all.ts';
import type { Difference } from '../../../projections/verify/compare.ts';
import type { Positions } from '../../core/ports.ts';

/** What operators verify. */
export const VERIFIED_NAMES: readonly ProjectionName[] = PROJECTION_NAMES;

export type VerifyMessage =
  | {
      kind: 'progress';
      /** `again`: what differs is compared a second time. */
      phase: 'log' | 'store' | 'again';
      /** Of the log's records, of rows of the store. */
      done: number;
      /** Undefined where it is unknown. */
      total: number | undefined;
    }
  | VerifyReport;

export interface VerifyReport {
  kind: 'report';
  projections: readonly ProjectionName[];
  /** Rows that the log gives of the sample. */
  rows: number;
  /** Part of all ids that was looked at: 0 to 1. Sums of days and accounts are always whole. */
  sampled: number;
  /** Next offsets up to which the log was read. */
  positions: Positions;
  /** By projection, of all organizations and partitions: equal when nothing differs. */
  digests: Partial<Record<ProjectionName, { log: string; store: string }>>;
  /** How many. */
  differences: number;
  /** The first of them. */
  named: Omit<Difference, 'unit' | 'hash' | 'isWhole'>[];
  seconds: number;
}
