import type { DatabaseSync } from 'node:sqlite';
import {
  addRow,
  type DayOfActivity,
  emptyDay,
  ownersOf,
} from '../../../../projections/activity/activity-days.ts';
import type { ActivityRow } from '../../../../projections/activity/activity-projection.ts';
import { activityDayRow, countedRow } from '../../../../projections/activity/verified-activity.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { activityDayOf, countedOf } from '../activity-rows.ts';
import type { StoredProjection, Writer } from './stored.ts';

const TABLES = `
  -- Whose keys sealed what is counted. Kept when they are destroyed: they name nobody.
  CREATE TABLE IF NOT EXISTS activity_sessions (no INTEGER PRIMARY KEY, org TEXT NOT NULL, owner TEXT NOT NULL,
    session TEXT NOT NULL, UNIQUE (org, owner, session));
  -- What each event counts, so that a second copy counts nothing.
  CREATE TABLE IF NOT EXISTS activity_events (id TEXT NOT NULL, session INTEGER NOT NULL, day TEXT NOT NULL,
    turns INTEGER NOT NULL, facts INTEGER NOT NULL, recalls INTEGER NOT NULL, latency INTEGER NOT NULL,
    confidence INTEGER NOT NULL, offset INTEGER NOT NULL, PRIMARY KEY (id, session)) WITHOUT ROWID;
  -- Turns by day and session: a session counts while it has any.
  CREATE TABLE IF NOT EXISTS activity_seen (day TEXT NOT NULL, session INTEGER NOT NULL, turns INTEGER NOT NULL,
    PRIMARY KEY (day, session)) WITHOUT ROWID;
  -- The sums of a day, of an organization (owner '') and of each owner; bins are JSON.
  CREATE TABLE IF NOT EXISTS activity_days (org TEXT NOT NULL, owner TEXT NOT NULL, day TEXT NOT NULL,
    turns INTEGER NOT NULL, users INTEGER NOT NULL, sessions INTEGER NOT NULL, facts INTEGER NOT NULL,
    recalls INTEGER NOT NULL, latency TEXT NOT NULL, confidence TEXT NOT NULL, PRIMARY KEY (org, owner, day)) WITHOUT ROWID;
`;

const COUNTED = `SELECT e.id, s.org, s.owner, s.session, e.day, e.turns, e.facts, e.recalls, e.latency, e.confidence
  FROM activity_events e CROSS JOIN activity_sessions s ON s.no = e.session`;
const SUMS =
  'SELECT org, owner, day, turns, users, sessions, facts, recalls, latency, confidence FROM activity_days';

/** Adds what a step's events count to the days of their organizations and owners, each event once. */
const openActivityWriter = (database: DatabaseSync): Writer<ActivityRow> => {
  const findSession = database.prepare(
    'SELECT no FROM activity_sessions WHERE org = ? AND owner = ? AND session = ?',
  );
  const putSession = database.prepare(
    'INSERT INTO activity_sessions (org, owner, session) VALUES (?, ?, ?) RETURNING no',
  );
  const putEvent = database.prepare(
    'INSERT OR IGNORE INTO activity_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const known = database.prepare(`${COUNTED} WHERE e.id = ? AND e.session = ? AND e.offset > ?`);
  const removeEvent = database.prepare('DELETE FROM activity_events WHERE id = ? AND session = ?');
  const addSeen = database.prepare(
    `INSERT INTO activity_seen VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET turns = turns + excluded.turns RETURNING turns`,
  );
  const readDay = database.prepare(`${SUMS} WHERE org = ? AND owner = ? AND day = ?`);
  const removeDay = database.prepare('DELETE FROM activity_days WHERE org = ? AND owner = ? AND day = ?');
  const putDay = database.prepare(
    'INSERT OR REPLACE INTO activity_days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );

  const sessionOf = ({ org, owner, session }: ActivityRow): number => {
    const found = findSession.get(org, owner, session) ?? putSession.get(org, owner, session)!;
    return Number(found.no);
  };

  return {
    write: rows => {
      const days = new Map<string, DayOfActivity>();
      const dayOf = (org: string, owner: string, day: string): DayOfActivity => {
        const name = JSON.stringify([org, owner, day]);
        const found = days.get(name);
        if (found) return found;
        const stored = readDay.get(org, owner, day);
        const sum = stored ? activityDayOf(stored) : emptyDay(org, owner, day);
        days.set(name, sum);
        return sum;
      };
      const count = (row: ActivityRow, no: number, sign: 1 | -1): void => {
        const { org, owner, day, turns } = row;
        for (const one of ownersOf(row)) addRow(dayOf(org, one, day), row, sign);
        if (turns === 0) return;
        const seen = Number(addSeen.get(day, no, sign * turns)!.turns);
        const isOther = sign === 1 ? seen === turns : seen === 0;
        if (isOther) for (const one of ownersOf(row)) dayOf(org, one, day).sessions += sign;
        if (owner === '') return;
        const own = dayOf(org, owner, day);
        const users = own.turns > 0 ? 1 : 0;
        dayOf(org, '', day).users += users - own.users;
        own.users = users;
      };
      const insert = (
        { eventId, day, turns, facts, recalls, latency, confidence, offset }: ActivityRow,
        no: number,
      ) => putEvent.run(eventId, no, day, turns, facts, recalls, latency, confidence, offset).changes === 1;
      for (const row of rows) {
        const no = sessionOf(row);
        if (insert(row, no)) {
          count(row, no, 1);
          continue;
        }
        // The first copy in the log wins, also where it comes late: a dead letter that was requeued.
        const later = known.get(row.eventId, no, row.offset);
        if (!later) continue;
        count({ ...row, ...countedOf(later) }, no, -1);
        removeEvent.run(row.eventId, no);
        insert(row, no);
        count(row, no, 1);
      }
      for (const {
        org,
        owner,
        day,
        turns,
        users,
        sessions,
        facts,
        recalls,
        latency,
        confidence,
      } of days.values()) {
        if (turns + facts + recalls === 0) removeDay.run(org, owner, day);
        else
          putDay.run(
            org,
            owner,
            day,
            turns,
            users,
            sessions,
            facts,
            recalls,
            JSON.stringify(latency),
            JSON.stringify(confidence),
          );
      }
    },
  };
};

function* activityRows(reader: DatabaseSync): Generator<Row> {
  for (const row of reader.prepare(`${COUNTED} WHERE in_sample_by_name(e.id)`).iterate())
    yield countedRow(countedOf(row));
  for (const row of reader.prepare(SUMS).iterate()) yield activityDayRow(activityDayOf(row));
}

export const ACTIVITY: StoredProjection<ActivityRow> = {
  tables: TABLES,
  openWriter: openActivityWriter,
  rows: activityRows,
};
