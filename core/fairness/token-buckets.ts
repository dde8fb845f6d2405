import type { RateLimiter } from '../ports/admission/rate-limiter.ts';

/** Names are counted in two halves; when one is full, the other is forgotten. Together they take some megabytes. */
const HALF_OF_NAMES = 50_000;

/** How far a bucket's clock moves for one taken, in whole microseconds. */
export const intervalOf = ({ most, perMs }: { most: number; perMs: number }): number =>
  Math.ceil((perMs * 1_000) / most);

/**
 * Token buckets in the memory of this process. A bucket is one number, the moment at which it is full again (the generic
 * cell rate algorithm, ITU-T I.371): one taken moves it by an interval, and it may lie `perMs` ahead at most. `now`:
 * milliseconds of a clock that is never set.
 */
export const makeTokenBuckets = (now = (): number => performance.now()): RateLimiter => {
  /** In microseconds, by name. What is used moves to the younger half, so that only unused names are forgotten. */
  let younger = new Map<string, number>();
  let older = new Map<string, number>();
  const keep = (name: string, fullAt: number): void => {
    younger.set(name, fullAt);
    if (younger.size < HALF_OF_NAMES) return;
    older = younger;
    younger = new Map();
  };

  return {
    take: async (name, rate) => {
      const time = Math.round(now() * 1_000);
      const fullAt = Math.max(younger.get(name) ?? older.get(name) ?? 0, time);
      const next = fullAt + intervalOf(rate);
      const early = next - time - rate.perMs * 1_000;
      // Rounding an interval up must not cost the last one of a full bucket.
      const isEmpty = early > rate.most;
      keep(name, isEmpty ? fullAt : next);
      return isEmpty ? Math.ceil(early / 1_000) : undefined;
    },
  };
};
