import type { BilledEvent } from '../../../projections/usage/merkle.ts';

/** The billed events themselves, as far as they are projected. */
export interface UsageLedger {
  /**
   * Unix milliseconds: every event recorded by then is in the ledger, and nothing more will be recorded by then. Throws
   * `unavailable` when the log can't be read.
   */
  projectedUntil(): Promise<number>;
  /** The first UTC day that is kept; undefined: every day is. */
  firstDay(): string | undefined;
  /**
   * Yields pages of the events of a UTC day (YYYY-MM-DD) in the order of their ids' bytes, each event once, on the day of its first
   * copy. An event with zero tokens may be among them.
   */
  events(org: string, day: string): AsyncIterable<readonly BilledEvent[]>;
}
