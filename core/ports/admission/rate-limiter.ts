/**
 * So many in so much time, as a token bucket: it holds `most`, which may be taken at once, and fills evenly, `most` in
 * `perMs` milliseconds. So any time `t` sees at most `most` × (1 + t / `perMs`).
 */
export interface Rate {
  /** At least 1. */
  most: number;
  perMs: number;
}

/** Counts what callers do, by name, over all processes that share it. */
export interface RateLimiter {
  /**
   * Takes one from the name's bucket: undefined. From an empty one nothing is taken: the milliseconds until it has one. An
   * unreachable engine is no reason to reject: then this process counts by itself.
   */
  take(name: string, rate: Rate): Promise<number | undefined>;
}
