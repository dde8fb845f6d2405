import type { RateLimiter } from '../ports/admission/rate-limiter.ts';

/**
 * Names are kept in two halves; when one is full, the older half is dropped. Together they take some
 * megabytes.
 */
const HALF_OF_NAMES = 50_000;

/** Buckets by name: microseconds. */
export interface StoredBuckets {
  all: Iterable<readonly [name: string, fullAt: number]>;
  keep: (name: string, fullAt: number) => void;
}

/** Whole microseconds by which one token moves a bucket's clock. */
export const intervalOf = ({ most, perMs }: { most: number; perMs: number }): number =>
  Math.ceil((perMs * 1_000) / most);

/**
 * Makes token buckets in the memory of this process. A bucket is one number, the moment at which it is full
 * again (the generic cell rate algorithm, ITU-T I.371): each token moves it by an interval, and it may lie at
 * most `perMs` ahead. `now`: milliseconds of a clock; a bucket that one which ran ahead has counted is full.
 * `stored`: what was kept of them before, and what keeps them.
 */
export const makeTokenBuckets = (
  now = (): number => performance.now(),
  stored?: StoredBuckets,
): RateLimiter => {
  /** Microseconds by name. A used name moves to the younger half, so only unused names are dropped. */
  let younger = new Map<string, number>(stored?.all);
  let older = new Map<string, number>();
  const keep = (name: string, fullAt: number): void => {
    younger.set(name, fullAt);
    if (younger.size < HALF_OF_NAMES) return;
    older = younger;
    younger = new Map();
  };

  return {
    take: async (name, rate, count = 1) => {
      const time = Math.round(now() * 1_000);
      const known = younger.get(name) ?? older.get(name) ?? 0;
      const isAhead = known > time + rate.perMs * 1_000 + rate.most;
      const fullAt = isAhead ? time : Math.max(known, time);
      const next = fullAt + count * intervalOf(rate);
      const early = next - time - rate.perMs * 1_000;
      // Rounding an interval up must not cost a full bucket its last token.
      const isEmpty = early > rate.most;
      keep(name, isEmpty ? fullAt : next);
      if (!isEmpty) stored?.keep(name, next);
      return isEmpty ? Math.ceil(early / 1_000) : undefined;
    },
  };
};
