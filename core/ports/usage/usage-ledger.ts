import type { BilledEvent } from '../../../projections/usage/merkle.ts';

/** The billed events, as far as they are projected. */
export interface UsageLedger {
  /**
   * Return Unix milliseconds: every event recorded by then is in the ledger, and nothing more will be
   * recorded by then. Throw `unavailable` when the log can't be read.
   */
  projectedUntil(): Promise<number>;
  /** Return the first UTC day that is kept; undefined: every day is. */
  firstDay(): string | undefined;
  /**
   * Yield pages of the events of a UTC day (YYYY-MM-DD) in the order of their ids' bytes, each event once, on
   * the day of its first copy. Events with zero tokens may be included.
   */
  events(org: string, day: string): AsyncIterable<readonly BilledEvent[]>;
}
