/**
 * Count the sessions whose keys are destroyed because all of them has expired: by organization, over all
 * processes, for as long as a day. `at`: the agreed instant up to which what has expired may be destroyed, in
 * Unix milliseconds, so that no clock alone begins another day.
 */
export interface ExpiryCounts {
  /** Resolve with the number of the last 24 to 25 hours. */
  taken(org: string, at: number): Promise<number>;
  /** Count one more, unless `most` are counted; resolve with whether it was. */
  take(org: string, most: number, at: number): Promise<boolean>;
}

const SLOT_MS = 3_600_000;
/** One more than a day has: the last 24 hours are counted whole. */
const SLOTS = 25;

/** The hour of `at`, in which one is counted, and the first one that still counts. */
export const slotsOf = (at: number): { slot: number; since: number } => {
  const slot = Math.floor(at / SLOT_MS);
  return { slot, since: slot - SLOTS + 1 };
};
