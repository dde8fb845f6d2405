/** Decides what has expired in one organization by a reader's clock. */
export interface Horizon {
  /** Unix milliseconds. What has an expiry of its own has expired if that isn't later. */
  now: number;
  /**
   * By the organization's retention, only what was recorded after this instant is kept; undefined: everything
   * is.
   */
  keptAfter?: number | undefined;
}

/** @param kept when it was recorded, or what a retention counts from instead */
export const hasExpired = (
  { now, keptAfter }: Horizon,
  { expiresAt, kept }: { expiresAt?: number | undefined; kept: number },
): boolean => (expiresAt === undefined ? keptAfter !== undefined && kept <= keptAfter : expiresAt <= now);
