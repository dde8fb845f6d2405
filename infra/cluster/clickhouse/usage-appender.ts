import { ALL_WRITTEN, type LogRange, type Written } from '../../../core/ports/projection/projection-store.ts';
import type { UsageRow } from '../../../projections/usage/usage-projection.ts';
import { type GenerationWriters, writeToGenerations } from '../generations/writes.ts';
import { type Clickhouse, inRequests } from './clickhouse-client.ts';
import { positionsAfter, storePositions } from './held-positions.ts';
import { USAGE_SERVING, usageTableOf } from './usage-tables.ts';

/** A row of an event of which there may be several copies. */
type CopiedRow = Pick<UsageRow, 'org' | 'eventId' | 'day' | 'topic' | 'offset'>;

/** Returns a name for an event, independent of its day: an id is unique in its organization. */
const eventOf = (org: string, eventId: string): string => JSON.stringify([org, eventId]);

/**
 * Returns each event's copy at the lowest offset. All copies are in one partition, that of the event's key.
 */
const firstCopies = <Row extends CopiedRow>(rows: readonly Row[]): Row[] => {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const event = eventOf(row.org, row.eventId);
    const other = first.get(event);
    if (!other || row.offset < other.offset) first.set(event, row);
  }
  return [...first.values()];
};

const stored = (table: string): string => `
  SELECT org, event_id, day, min(offset) AS offset FROM ${table}
  WHERE org IN {orgs:Array(String)} AND event_id IN {ids:Array(String)}
  GROUP BY org, event_id, day`;

/** The address of a stored copy of an event. */
interface StoredCopy {
  org: string;
  event_id: string;
  /** YYYY-MM-DD */
  day: string;
  offset: number;
}

/**
 * Fetches the stored copies of these rows' turns, and of what was found in them. Turn ids begin with a
 * minute, so those of one step are close together in every day, and few granules are read. Recalls aren't
 * looked up: their ids are random, so each would cost a granule, and their copies can't differ in the day,
 * since a recall is recorded once.
 */
const storedTurns = async (
  clickhouse: Clickhouse,
  table: string,
  rows: readonly CopiedRow[],
): Promise<Map<string, StoredCopy[]>> => {
  const turns = rows.filter(({ topic }) => topic !== 'usage');
  const answers = await Promise.all(
    inRequests(turns, ({ org, eventId }) => org + eventId).map(part =>
      clickhouse.rows<StoredCopy>(stored(table), {
        orgs: [...new Set(part.map(({ org }) => org))],
        ids: part.map(({ eventId }) => eventId),
      }),
    ),
  );
  const copies = answers.flat().map(copy => ({ ...copy, offset: Number(copy.offset) }));
  return Map.groupBy(copies, ({ org, event_id }) => eventOf(org, event_id));
};

/**
 * Computes the rows to write, given the stored ones: `voided` before `fresh`. A row whose first copy is
 * stored is left out: the table deduplicates copies of one day by itself, but not those of two days (a turn
 * recorded on both sides of midnight by two independent attempts). A partition is projected in order, so a
 * later copy is stored before the first one only if the first one is a requeued dead letter: the later day's
 * row is then replaced by one that counts nothing. That row is written first, separately from the row of the
 * first copy's day, so repeating the batch after a crash completes the change.
 */
export const changesOf = async <Row extends CopiedRow>(
  clickhouse: Clickhouse,
  table: string,
  rows: readonly Row[],
  voidOf: (row: Row) => Row,
): Promise<{ voided: Row[]; fresh: Row[] }> => {
  const known = await storedTurns(clickhouse, table, rows);
  const copiesOf = ({ org, eventId }: Row): StoredCopy[] => known.get(eventOf(org, eventId)) ?? [];
  const fresh = firstCopies(rows).filter(row => copiesOf(row).every(({ offset }) => row.offset <= offset));
  const voided = fresh.flatMap(row =>
    copiesOf(row)
      .filter(({ day, offset }) => day !== row.day && row.offset <= offset)
      .map(({ day }): Row => ({ ...voidOf(row), day })),
  );
  return { voided, fresh };
};

const withoutTokens = (row: UsageRow): UsageRow => ({ ...row, tokensIn: 0, tokensOut: 0 });

const insertRows = async (
  clickhouse: Clickhouse,
  generation: number,
  { voided, fresh }: { voided: readonly UsageRow[]; fresh: readonly UsageRow[] },
): Promise<void> => {
  for (const some of [voided, fresh]) {
    if (some.length === 0) continue;
    await clickhouse.insert(
      usageTableOf(generation),
      some.map(({ eventId, tokensIn, tokensOut, apiKey, named: _, ...row }) => ({
        ...row,
        api_key: apiKey,
        event_id: eventId,
        tokens_in: tokensIn,
        tokens_out: tokensOut,
      })),
    );
  }
};

/** Writes rows of a replay, in log order, to a generation that is not read yet. */
export const fillRows = async (
  clickhouse: Clickhouse,
  generation: number,
  rows: readonly UsageRow[],
): Promise<void> =>
  insertRows(
    clickhouse,
    generation,
    await changesOf(clickhouse, usageTableOf(generation), rows, withoutTokens),
  );

/**
 * Writes rows to all generations, then the log positions they hold, and marks the rows' days, so that a
 * rollup that missed a row is void once the row is acknowledged. Stored copies are read from the serving
 * generation, since a generation being filled may have later rows before earlier ones. Days are always
 * marked: the process that stored a row may have died before marking it.
 */
export const appendRows = async (
  clickhouse: Clickhouse,
  generations: GenerationWriters,
  rows: readonly UsageRow[],
  ranges: readonly LogRange[],
): Promise<Written> => {
  const targets = await generations.targets();
  if ('kind' in targets) return targets;
  const changes = await changesOf(clickhouse, USAGE_SERVING, rows, withoutTokens);
  const positions = positionsAfter(ranges);
  await writeToGenerations(generations, targets, async one => {
    await insertRows(clickhouse, one, changes);
    await storePositions(clickhouse, usageTableOf(one), positions);
  });
  const days = new Map(
    [...rows, ...changes.voided].map(({ org, day }) => [eventOf(org, day), { org, day, marks: 1 }]),
  );
  if (days.size > 0) await clickhouse.insert('usage_marks', [...days.values()]);
  return ALL_WRITTEN;
};
