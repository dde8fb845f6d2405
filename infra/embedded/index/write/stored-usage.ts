import type { DatabaseSync } from 'node:sqlite';
import type { Tokens } from '../../../../core/ports.ts';
import {
  isUsageRow,
  type UsageRow,
  type UsageWrite,
} from '../../../../projections/usage/usage-projection.ts';
import { billedRow, dayRow } from '../../../../projections/usage/verified-usage.ts';
import type { Difference } from '../../../../projections/verify/compare.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { bytesOfId } from '../file/projections-database.ts';
import { difference } from '../read/verify/derived-difference.ts';
import type { StepTurns, StoredProjection, Writer } from './stored.ts';
import { NAME_TABLES, openUsageNames } from './usage-names.ts';

const TABLES = `
  -- Billed events that are no turns, and erased turns: any other turn is billed when its fragment is new.
  CREATE TABLE IF NOT EXISTS usage_rows (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS usage_days (org TEXT NOT NULL, day TEXT NOT NULL, tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL, PRIMARY KEY (org, day)) WITHOUT ROWID;
  -- What each event billed, in the order in which a statement lists a day's: it outlives the words of a turn.
  CREATE TABLE IF NOT EXISTS usage_events (org TEXT NOT NULL, day TEXT NOT NULL, id TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, source TEXT NOT NULL, api_key TEXT NOT NULL,
    PRIMARY KEY (org, day, id)) WITHOUT ROWID;
  -- The days' sums by whose it was and which key called.
  CREATE TABLE IF NOT EXISTS usage_splits (org TEXT NOT NULL, day TEXT NOT NULL, source TEXT NOT NULL,
    api_key TEXT NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    PRIMARY KEY (org, day, source, api_key)) WITHOUT ROWID;
  ${NAME_TABLES}
`;

const EVENTS =
  'SELECT org, day, id, tokens_in, tokens_out, source, api_key FROM usage_events WHERE in_sample_by_name(id)';
const DAYS = 'SELECT org, day, tokens_in, tokens_out FROM usage_days';
const UNEQUAL = `SELECT d.org AS org, d.day AS day FROM usage_days d
  LEFT JOIN (SELECT org, day, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out FROM usage_splits GROUP BY org, day) s
    ON s.org = d.org AND s.day = d.day
  WHERE d.tokens_in <> coalesce(s.tokens_in, 0) OR d.tokens_out <> coalesce(s.tokens_out, 0)`;

/** Tokens to add to a day, or with the members that `usage_splits` tells apart. */
interface Added extends Tokens {
  org: string;
  day: string;
  source: string;
  apiKey: string;
}

/** Adds the tokens that a step's events bill to their organizations' days, each event once. */
const openUsageWriter = (database: DatabaseSync, { fresh, moved }: StepTurns): Writer<UsageWrite> => {
  const hasFragment = database.prepare('SELECT 1 FROM fragments WHERE id = ?');
  const insertBilled = database.prepare('INSERT OR IGNORE INTO usage_rows VALUES (?)');
  const addToDay = database.prepare(
    `INSERT INTO usage_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out`,
  );
  const addToSplit = database.prepare(
    `INSERT INTO usage_splits VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET tokens_in = tokens_in + excluded.tokens_in, tokens_out = tokens_out + excluded.tokens_out`,
  );

  const names = openUsageNames(database);
  const insertEvent = database.prepare('INSERT OR REPLACE INTO usage_events VALUES (?, ?, ?, ?, ?, ?, ?)');
  const removeEvent = database.prepare(
    'DELETE FROM usage_events WHERE org = ? AND day = ? AND id = ? RETURNING source, api_key AS apiKey',
  );

  /**
   * Returns whether an event that is no fresh turn is billed for the first time. `usage_rows` need not repeat
   * ids in `fragments`. A turn without a fragment was erased, after it was billed.
   */
  const isFirst = (eventId: string): boolean => {
    if (eventId.startsWith('trn_') && hasFragment.get(bytesOfId(eventId)!)) return false;
    return insertBilled.run(eventId).changes === 1;
  };

  /** Bills the rows that are billed for the first time; returns what that adds. */
  const bill = (rows: readonly UsageRow[]): Added[] => {
    const added: Added[] = [];
    for (const { eventId, org, day, tokensIn, tokensOut, source, apiKey } of rows) {
      const isFresh = fresh.delete(eventId);
      // The step may have both copies: the fresh one is billed before it is moved.
      const movedFrom = isFresh ? undefined : moved.get(eventId);
      if (movedFrom !== undefined) {
        const of = removeEvent.get(org, movedFrom, eventId);
        const former = { source: String(of?.source ?? source), apiKey: String(of?.apiKey ?? apiKey) };
        added.push({ org, day: movedFrom, ...former, tokensIn: -tokensIn, tokensOut: -tokensOut });
      }
      if (!isFresh && movedFrom === undefined && !isFirst(eventId)) continue;
      added.push({ org, day, source, apiKey, tokensIn, tokensOut });
      insertEvent.run(org, day, eventId, tokensIn, tokensOut, source, apiKey);
    }
    return added;
  };

  const write = (writes: readonly UsageWrite[]): void => {
    for (const write of writes) {
      if (isUsageRow(write)) names.take(write);
      else names.forget(write);
    }
    const added = bill(writes.filter(isUsageRow));
    for (const { org, day, ...sum } of summed(added, ({ org, day }) => [org, day]))
      addToDay.run(org, day, sum.tokensIn, sum.tokensOut);
    const splits = summed(added, ({ org, day, source, apiKey }) => [org, day, source, apiKey]);
    for (const { org, day, source, apiKey, tokensIn, tokensOut } of splits)
      addToSplit.run(org, day, source, apiKey, tokensIn, tokensOut);
  };
  return { write, forget: names.reset };
};

/** Sums what has the same names. */
const summed = (added: readonly Added[], namesOf: (one: Added) => string[]): Iterable<Added> => {
  const sums = new Map<string, Added>();
  for (const one of added) {
    const name = JSON.stringify(namesOf(one));
    const sum = sums.get(name);
    if (!sum) sums.set(name, { ...one });
    else {
      sum.tokensIn += one.tokensIn;
      sum.tokensOut += one.tokensOut;
    }
  }
  return sums.values();
};

function* usageRows(reader: DatabaseSync): Generator<Row> {
  for (const { org, day, id, tokens_in, tokens_out, source, api_key } of reader.prepare(EVENTS).iterate()) {
    const tokens = { tokensIn: Number(tokens_in), tokensOut: Number(tokens_out) };
    const of = { source: String(source), apiKey: String(api_key) };
    yield billedRow({ eventId: String(id), org: String(org), day: String(day), ...tokens, ...of });
  }
  for (const { org, day, tokens_in, tokens_out } of reader.prepare(DAYS).iterate()) {
    const tokens = { tokensIn: Number(tokens_in), tokensOut: Number(tokens_out) };
    yield dayRow({ org: String(org), day: String(day), ...tokens });
  }
}

/** The days whose splits don't add up. */
function* unequalDays(reader: DatabaseSync): Generator<Difference> {
  for (const { org, day } of reader.prepare(UNEQUAL).iterate()) {
    const id = JSON.stringify([org, day]);
    yield difference('split', id, String(org), 'the split of the day is not its sum');
  }
}

export const USAGE: StoredProjection<UsageWrite> = {
  tables: TABLES,
  openWriter: (database, { turns }) => openUsageWriter(database, turns),
  rows: usageRows,
  derived: unequalDays,
};
