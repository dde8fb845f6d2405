/** What the call `verify` says, in both modes. */
import type { Difference } from '../../../projections/verify/compare.ts';
import type { VerifiedProjection } from '../../../projections/verify/row.ts';
import type { Positions } from '../../core/ports.ts';

export type VerifyMessage =
  | {
      kind: 'progress';
      /** `again`: what differs is looked at a second time. */
      phase: 'log' | 'store' | 'again';
      /** Of the log's records, of rows of the store. */
      done: number;
      /** Undefined where nobody knows. */
      total: number | undefined;
    }
  | VerifyReport;

export interface VerifyReport {
  kind: 'report';
  projections: readonly VerifiedProjection[];
  /** Rows that the log gives of the sample. */
  rows: number;
  /** Part of all ids that was looked at: 0 to 1. Sums of days and accounts are always whole. */
  sampled: number;
  /** Next offsets up to which the log was read. */
  positions: Positions;
  /** By projection, of all organizations and partitions: equal when nothing differs. */
  digests: Partial<Record<VerifiedProjection, { log: string; store: string }>>;
  /** How many. */
  differences: number;
  /** The first of them. */
  named: Omit<Difference, 'unit' | 'hash'>[];
  seconds: number;
}
