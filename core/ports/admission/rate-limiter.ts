/**
 * A rate as a token bucket, which holds `most` tokens and refills evenly with `most` tokens per `perMs`
 * milliseconds. So any time `t` sees at most `most` × (1 + t / `perMs`).
 */
export interface Rate {
  /** At least 1. */
  most: number;
  perMs: number;
}

/** Count calls by name over all processes that share the limiter. */
export interface RateLimiter {
  /**
   * Take `count` tokens (default: one; at most `most`) from the name's bucket and return undefined. When it
   * has fewer, take nothing and return the milliseconds until it has them. Don't reject when the engine is
   * unreachable: count within this process instead.
   */
  take(name: string, rate: Rate, count?: number): Promise<number | undefined>;
}
