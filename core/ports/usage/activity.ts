import type { DayOfActivity } from '../../../projections/activity/activity-days.ts';

/** What was stored and asked, by UTC day, as far as it is projected. */
export interface ActivityReader {
  /**
   * Return the days that have anything, in any order, from one to another, both YYYY-MM-DD and inclusive: of
   * the organization or, summed up, of these owners in it.
   */
  days(
    org: string,
    owners: readonly string[] | undefined,
    from: string,
    to: string,
  ): Promise<Omit<DayOfActivity, 'org' | 'owner'>[]>;
}
