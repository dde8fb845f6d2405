import type { Row, RowPlace } from './row.ts';

/** What a verification compares of a store. */
export interface RowScope {
  /** One organization; undefined: all. */
  org?: string | undefined;
  /** Whether rows that every sample includes are compared: they take every event, whatever the sample. */
  whole: boolean;
  /** What the store keeps of usage, beside days: every billed event, or that recalls were billed. */
  usage: 'billed' | 'metered';
  /** The first UTC day of usage that the store keeps, YYYY-MM-DD; undefined: all are. */
  firstDay?: string | undefined;
}

/** The rows of one projection, while a verification folds the log. */
export interface LogRows<Write> {
  /** Takes a write of the fold, in the order of the log; returns the rows that come from this event alone. */
  take(write: Write, event: RowPlace): Row[];
  /** The rows that every sample includes, as of the events so far. */
  whole?(): Row[];
  /** Whether a later write erased the row. */
  isErased?(row: Row): boolean;
  /**
   * Reports each content that a row has from here on: where a store can't be read as of a position, any of them is
   * right.
   */
  onChange?(report: (row: Row) => void): void;
}

/** How a projection's rows follow from its writes. */
export interface VerifiedRows<Write> {
  /** It has rows that come from one event each: of a large log a sample of them is compared. */
  hasSampled: boolean;
  /** It has totals, or few documents: every sample includes them. */
  hasWhole: boolean;
  fromLog(scope: RowScope): LogRows<Write>;
}
