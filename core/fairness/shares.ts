import { ServiceError, unavailable } from '../errors.ts';

/**
 * Limits what stays open for long: streams and exports. An organization gets at most half of a process's
 * limit.
 */
export interface Shares {
  /**
   * Takes one and returns a function that gives it back, once. Throws `rate_limited` at the organization's
   * half, or `unavailable`.
   */
  take(org: string): () => void;
}

/** `what`: a plural for error messages, such as "event streams". */
export const makeShares = (most: number, what: string, retryAfterSeconds: number): Shares => {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take: org => {
      const own = taken.get(org) ?? 0;
      if (own >= Math.ceil(most / 2))
        throw new ServiceError('rate_limited', `The organization has too many open ${what}.`, {
          details: { error: 'rate_limited' },
          retryAfter: retryAfterSeconds,
        });
      if (all >= most)
        throw unavailable(`The service has too many open ${what}.`, undefined, retryAfterSeconds);
      taken.set(org, own + 1);
      all++;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        all--;
        const left = taken.get(org)! - 1;
        if (left === 0) taken.delete(org);
        else taken.set(org, left);
      };
    },
  };
};
