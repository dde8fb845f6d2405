/** The time limit of a call, and whether its answer is still awaited. */
export interface Deadline {
  /** Aborted at the deadline, or when the client disconnects before it; the reason is the error to throw. */
  readonly signal: AbortSignal;
  /** The deadline on the clock of `performance.now()`. */
  readonly at: number;
  /** When the answer is given at the latest, by the same clock: an append that began has until then. */
  readonly appendUntil: number;
  /**
   * Call it just before an append. Throws the signal's reason when the call was cancelled. Otherwise the call
   * can't be cancelled any more: the answer waits for the end of the work, so that it agrees with the log,
   * but no longer than until `appendUntil`.
   */
  beginAppend(): void;
}
