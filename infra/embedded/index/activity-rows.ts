import type { SQLOutputValue } from 'node:sqlite';
import type { DayOfActivity } from '../../../projections/activity/activity-days.ts';

type Stored = Record<string, SQLOutputValue>;

/** A counted event, as its row is read. */
export const countedOf = (row: Stored) => ({
  eventId: String(row.id),
  org: String(row.org),
  owner: String(row.owner),
  session: String(row.session),
  day: String(row.day),
  turns: Number(row.turns),
  facts: Number(row.facts),
  recalls: Number(row.recalls),
  latency: Number(row.latency),
  confidence: Number(row.confidence),
});

export const activityDayOf = (row: Stored): DayOfActivity => ({
  org: String(row.org),
  owner: String(row.owner),
  day: String(row.day),
  turns: Number(row.turns),
  users: Number(row.users),
  sessions: Number(row.sessions),
  facts: Number(row.facts),
  recalls: Number(row.recalls),
  latency: JSON.parse(String(row.latency)) as number[],
  confidence: JSON.parse(String(row.confidence)) as number[],
});
