/** Count failures by name, in windows of one minute that begin with the first failure. */
export interface FailureCounter {
  /**
   * Count one failure and return undefined. When the window has `most`, count nothing and return the
   * milliseconds until the next failure is allowed.
   */
  add(name: string, most: number, now: number): Promise<number | undefined>;
}
