import type { ActivityReader } from '../../../../core/ports.ts';
import { summedDays } from '../../../../projections/activity/activity-days.ts';
import { activityDayOf } from '../activity-rows.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Reads the days of the file that serves: a row a day and owner. */
export const openActivityDays = (reader: Pick<ProjectionsReader, 'prepare'>): ActivityReader => {
  const read = reader.prepare(
    `SELECT d.* FROM json_each(?2) o CROSS JOIN activity_days d
     WHERE d.org = ?1 AND d.owner = o.value AND d.day BETWEEN ?3 AND ?4`,
  );
  return {
    days: async (org, owners, from, to) =>
      summedDays(read.all(org, JSON.stringify(owners ?? ['']), from, to).map(activityDayOf)),
  };
};
