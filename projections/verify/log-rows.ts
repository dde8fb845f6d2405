import type { Row, RowAddress } from './row.ts';

/** The part of a store that a verification compares. */
export interface RowScope {
  /** One organization; undefined: all. */
  org?: string | undefined;
  /** Whether to compare rows that every sample includes: they require every event, whatever the sample. */
  whole: boolean;
  /** The first UTC day whose usage the store keeps, YYYY-MM-DD; undefined: every day is kept. */
  firstDay?: string | undefined;
}

/** Collects the rows of one projection while a verification folds the log. */
export interface LogRows<Write> {
  /** Takes a write of the fold, in log order; returns the rows that come from this event alone. */
  take(write: Write, event: RowAddress): Row[];
  /** The rows that every sample includes, as of the events so far. */
  whole?(): Row[];
  /** Whether a later write erased the row. */
  isErased?(row: Row): boolean;
  /**
   * Reports each content that a row has from now on: for a store that can't be read as of a position, any of
   * them is correct.
   */
  onChange?(report: (row: Row) => void): void;
}

/** How a projection's rows are derived from its writes. */
export interface VerifiedRows<Write> {
  /** It has rows that come from one event each; for a large log, a sample of them is compared. */
  hasSampled: boolean;
  /** It has totals, or few documents, which every sample includes. */
  hasWhole: boolean;
  fromLog(scope: RowScope): LogRows<Write>;
}
