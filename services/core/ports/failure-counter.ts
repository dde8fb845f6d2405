/** Counts failures by name, in windows of a minute that begin with the first failure. */
export interface FailureCounter {
  /** Milliseconds until the next failure is allowed; undefined while there is room. */
  fullFor(name: string, most: number, now: number): Promise<number | undefined>;
  /** Counts one failure. Without room it counts nothing and answers as `fullFor`. */
  add(name: string, most: number, now: number): Promise<number | undefined>;
}
