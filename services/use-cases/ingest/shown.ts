import { ServiceError } from '../../../core/errors.ts';
import type { Admission, Listing } from '../../../core/ports.ts';
import { type HorizonOf, living } from '../lists/living-tail.ts';

export interface ShownPorts {
  admission: Pick<Admission, 'waiting'>;
  listing: Pick<Listing, 'offsets'>;
  horizonOf: HorizonOf;
}

/**
 * Which of a user's known turns are shown: one that was hidden, or has expired, has no fragment any more.
 * While the index is unreachable all are taken to be: an acknowledged write can be repeated then too.
 */
export const makeShown =
  ({ admission, listing, horizonOf }: ShownPorts) =>
  async (
    { org, user }: { org: string; user: string },
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> => {
    if (ids.length === 0) return new Set();
    try {
      // The tail first: what leaves it is in the index.
      const [tail, horizon] = await Promise.all([admission.waiting(org, user, ids), horizonOf(org)]);
      const waiting = living(tail, horizon);
      const indexed = await listing.offsets({ org, user }, ids);
      return new Set([...waiting.map(({ id }) => id), ...indexed.keys()]);
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'unavailable')) throw error;
      return new Set(ids);
    }
  };
