import type { UsageRow } from '../../projections/usage/projection.ts';
import { type Clickhouse, inRequests } from './clickhouse-client.ts';
import { USAGE_SERVING, usageTableOf } from './clickhouse-tables.ts';
import { type GenerationWriters, writeToGenerations } from './generation-writes.ts';

/** The rows of one event, whichever day they say: an id is unique in its organization. */
const eventOf = (org: string, eventId: string): string => JSON.stringify([org, eventId]);

/** Of each event the copy at the lowest offset. All copies are in one partition, that of the event's key. */
const firstCopies = (rows: readonly UsageRow[]): UsageRow[] => {
  const first = new Map<string, UsageRow>();
  for (const row of rows) {
    const event = eventOf(row.org, row.eventId);
    const other = first.get(event);
    if (!other || row.offset < other.offset) first.set(event, row);
  }
  return [...first.values()];
};

const stored = (table: string): string => `
  SELECT org, event_id, min(offset) AS offset FROM ${table}
  WHERE org IN {orgs:Array(String)} AND event_id IN {ids:Array(String)}
  GROUP BY org, event_id`;

/**
 * Offsets at which turns of these rows are stored. Ids of turns begin with a minute, so those of one step are close
 * together in every day, and few granules are read. Recalls aren't looked for: their ids are random, so each would
 * cost a granule, and their copies can't disagree about the day, since a recall is recorded once.
 */
const storedTurns = async (
  clickhouse: Clickhouse,
  table: string,
  rows: readonly UsageRow[],
): Promise<Map<string, number>> => {
  const turns = rows.filter(({ topic }) => topic === 'turns');
  const answers = await Promise.all(
    inRequests(turns, ({ org, eventId }) => org + eventId).map(part =>
      clickhouse.rows<{ org: string; event_id: string; offset: number }>(stored(table), {
        orgs: [...new Set(part.map(({ org }) => org))],
        ids: part.map(({ eventId }) => eventId),
      }),
    ),
  );
  return new Map(answers.flat().map(row => [eventOf(row.org, row.event_id), Number(row.offset)]));
};

/** Those that are the first copies of their events, as far as the table knows. */
const freshRows = async (
  clickhouse: Clickhouse,
  table: string,
  rows: readonly UsageRow[],
): Promise<UsageRow[]> => {
  const known = await storedTurns(clickhouse, table, rows);
  return firstCopies(rows).filter(
    ({ org, eventId, offset }) => offset < (known.get(eventOf(org, eventId)) ?? Infinity),
  );
};

const insertRows = async (
  clickhouse: Clickhouse,
  generation: number,
  rows: readonly UsageRow[],
): Promise<void> => {
  if (rows.length === 0) return;
  await clickhouse.insert(
    usageTableOf(generation),
    rows.map(({ eventId, tokensIn, tokensOut, ...row }) => ({
      ...row,
      event_id: eventId,
      tokens_in: tokensIn,
      tokens_out: tokensOut,
    })),
  );
};

/** Rows of a replay, in the order of the log: nobody reads them yet. */
export const fillRows = async (
  clickhouse: Clickhouse,
  generation: number,
  rows: readonly UsageRow[],
): Promise<void> =>
  insertRows(clickhouse, generation, await freshRows(clickhouse, usageTableOf(generation), rows));

/**
 * Writes rows to all generations, then marks their days, so that a rollup that missed a row no longer holds once the row
 * is acknowledged. A row whose first copy is stored is left out: the table tells copies of one day apart by itself, but
 * not those of two days (a turn recorded on both sides of midnight by two attempts that didn't know of each other).
 * That a first copy is stored before the second is looked up follows from the order in which a partition is projected:
 * what is served is looked up, since a generation that is being filled may have rows of the end before those of the
 * beginning. Days are marked all the same: whoever stored the row may not have come to its mark.
 */
export const appendRows = async (
  clickhouse: Clickhouse,
  generations: GenerationWriters,
  rows: readonly UsageRow[],
): Promise<void> => {
  const targets = await generations.targets();
  const fresh = await freshRows(clickhouse, USAGE_SERVING, rows);
  await writeToGenerations(generations, targets, one => insertRows(clickhouse, one, fresh));
  const days = new Map(rows.map(({ org, day }) => [eventOf(org, day), { org, day, marks: 1 }]));
  await clickhouse.insert('usage_marks', [...days.values()]);
};
