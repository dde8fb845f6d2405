/** Count failures by name, in windows of one minute that begin with the first failure. */
export interface FailureCounter {
  /** Return the milliseconds until the next failure is allowed; undefined while there is room. */
  fullFor(name: string, most: number, now: number): Promise<number | undefined>;
  /** Count one failure. When the window is full, count nothing and return the result of `fullFor`. */
  add(name: string, most: number, now: number): Promise<number | undefined>;
}
