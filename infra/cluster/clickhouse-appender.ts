import type { UsageRow } from '../../projections/usage/projection.ts';
import { type Clickhouse, inRequests } from './clickhouse-client.ts';

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

const STORED = `
  SELECT org, event_id, min(offset) AS offset FROM usage_rows
  WHERE org IN {orgs:Array(String)} AND event_id IN {ids:Array(String)}
  GROUP BY org, event_id`;

/**
 * Offsets at which turns of these rows are stored. Ids of turns begin with a minute, so those of one step are close
 * together in every day, and few granules are read. Recalls aren't looked for: their ids are random, so each would
 * cost a granule, and their copies can't disagree about the day, since a recall is recorded once.
 */
const storedTurns = async (
  clickhouse: Clickhouse,
  rows: readonly UsageRow[],
): Promise<Map<string, number>> => {
  const turns = rows.filter(({ topic }) => topic === 'turns');
  const answers = await Promise.all(
    inRequests(turns, ({ org, eventId }) => org + eventId).map(part =>
      clickhouse.rows<{ org: string; event_id: string; offset: number }>(STORED, {
        orgs: [...new Set(part.map(({ org }) => org))],
        ids: part.map(({ eventId }) => eventId),
      }),
    ),
  );
  return new Map(answers.flat().map(row => [eventOf(row.org, row.event_id), Number(row.offset)]));
};

/**
 * Writes rows, then marks their days, so that a rollup that missed a row no longer holds once the row is acknowledged.
 * A row whose first copy is stored is left out: the table tells copies of one day apart by itself, but not those of
 * two days (a turn recorded on both sides of midnight by two attempts that didn't know of each other). That a first
 * copy is stored before the second is looked up follows from the order in which a partition is projected. Days are
 * marked all the same: whoever stored the row may not have come to its mark.
 */
export const appendRows = async (clickhouse: Clickhouse, rows: readonly UsageRow[]): Promise<void> => {
  const stored = await storedTurns(clickhouse, rows);
  const fresh = firstCopies(rows).filter(
    ({ org, eventId, offset }) => offset < (stored.get(eventOf(org, eventId)) ?? Infinity),
  );
  if (fresh.length > 0) {
    await clickhouse.insert(
      'usage_rows',
      fresh.map(({ eventId, tokensIn, tokensOut, ...row }) => ({
        ...row,
        event_id: eventId,
        tokens_in: tokensIn,
        tokens_out: tokensOut,
      })),
    );
  }
  const days = new Map(rows.map(({ org, day }) => [eventOf(org, day), { org, day, marks: 1 }]));
  await clickhouse.insert('usage_marks', [...days.values()]);
};
