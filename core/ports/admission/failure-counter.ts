/** Counts failures by name, in windows of one minute that begin with the first failure. */
export interface FailureCounter {
  /** Milliseconds until the next failure is allowed; undefined while there is room. */
  fullFor(name: string, most: number, now: number): Promise<number | undefined>;
  /** Counts one failure. When the window is full it counts nothing and returns what `fullFor` returns. */
  add(name: string, most: number, now: number): Promise<number | undefined>;
}
