import type { DatabaseSync } from 'node:sqlite';
import type { Tokens } from '../../../../core/ports.ts';
import type { UsageRow } from '../../../../projections/usage/usage-projection.ts';
import { billedRow, dayRow } from '../../../../projections/usage/verified-usage.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { bytesOfId } from '../file/projections-database.ts';
import type { StepTurns, StoredProjection } from './stored.ts';

const TABLES = `
  -- Billed events that are no turns, and erased turns: any other turn is billed when its fragment is new.
  CREATE TABLE IF NOT EXISTS usage_rows (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS usage_days (org TEXT NOT NULL, day TEXT NOT NULL, tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, PRIMARY KEY (org, day)) WITHOUT ROWID;
  -- What each event billed, in the order in which a statement lists a day's: it outlives the words of a turn.
  CREATE TABLE IF NOT EXISTS usage_events (org TEXT NOT NULL, day TEXT NOT NULL, id TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, PRIMARY KEY (org, day, id)) WITHOUT ROWID;
`;

const EVENTS = 'SELECT org, day, id, tokens_in, tokens_out FROM usage_events WHERE in_sample_by_name(id)';
const DAYS = 'SELECT org, day, tokens_in, tokens_out FROM usage_days';

/** Adds the tokens that a step's events bill to their organizations' days, each event once. */
const openUsageWriter = (
  database: DatabaseSync,
  { fresh, moved }: StepTurns,
): ((rows: readonly UsageRow[]) => void) => {
  const hasFragment = database.prepare('SELECT 1 FROM fragments WHERE id = ?');
  const insertBilled = database.prepare('INSERT OR IGNORE INTO usage_rows VALUES (?)');
  const addToDay = database.prepare(
    `INSERT INTO usage_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out`,
  );

  const insertEvent = database.prepare('INSERT OR REPLACE INTO usage_events VALUES (?, ?, ?, ?, ?)');
  const removeEvent = database.prepare('DELETE FROM usage_events WHERE org = ? AND day = ? AND id = ?');

  /**
   * Returns whether an event that is no fresh turn is billed for the first time. `usage_rows` need not repeat
   * ids in `fragments`. A turn without a fragment was erased, after it was billed.
   */
  const isFirst = (eventId: string): boolean => {
    if (eventId.startsWith('trn_') && hasFragment.get(bytesOfId(eventId)!)) return false;
    return insertBilled.run(eventId).changes === 1;
  };

  const sumsOf = (rows: readonly UsageRow[]): Map<string, Map<string, Tokens>> => {
    const sums = new Map<string, Map<string, Tokens>>();
    const add = (org: string, day: string, tokensIn: number, tokensOut: number): void => {
      const days = sums.get(org) ?? new Map<string, Tokens>();
      sums.set(org, days);
      const sum = days.get(day) ?? { tokensIn: 0, tokensOut: 0 };
      days.set(day, { tokensIn: sum.tokensIn + tokensIn, tokensOut: sum.tokensOut + tokensOut });
    };
    for (const { eventId, org, day, tokensIn, tokensOut } of rows) {
      const isFresh = fresh.delete(eventId);
      // The step may have both copies: the fresh one is billed before it is moved.
      const movedFrom = isFresh ? undefined : moved.get(eventId);
      if (movedFrom !== undefined) {
        add(org, movedFrom, -tokensIn, -tokensOut);
        removeEvent.run(org, movedFrom, eventId);
      }
      if (!isFresh && movedFrom === undefined && !isFirst(eventId)) continue;
      add(org, day, tokensIn, tokensOut);
      insertEvent.run(org, day, eventId, tokensIn, tokensOut);
    }
    return sums;
  };

  return rows => {
    for (const [org, days] of sumsOf(rows))
      for (const [day, { tokensIn, tokensOut }] of days) addToDay.run(org, day, tokensIn, tokensOut);
  };
};

function* usageRows(reader: DatabaseSync): Generator<Row> {
  for (const { org, day, id, tokens_in, tokens_out } of reader.prepare(EVENTS).iterate()) {
    const tokens = { tokensIn: Number(tokens_in), tokensOut: Number(tokens_out) };
    yield billedRow({ eventId: String(id), org: String(org), day: String(day), ...tokens });
  }
  for (const { org, day, tokens_in, tokens_out } of reader.prepare(DAYS).iterate()) {
    const tokens = { tokensIn: Number(tokens_in), tokensOut: Number(tokens_out) };
    yield dayRow({ org: String(org), day: String(day), ...tokens });
  }
}

export const USAGE: StoredProjection<UsageRow> = {
  tables: TABLES,
  openWriter: (database, { turns }) => ({ write: openUsageWriter(database, turns) }),
  rows: usageRows,
};
