/**
 * The log positions that a table of usage or of the audit log holds, stored in the table itself, so that no
 * restore separates the two. Their rows belong to no organization, and to a day that no period contains. A
 * table keeps the row of the highest precedence, which is `bitNot(offset)`, so a position is stored as its
 * complement: the highest position is kept.
 */
import { offsetIn, parsePartition, partitionName } from '../../../core/log/positions.ts';
import {
  type LogRange,
  type StoreBehind,
  storeBehind,
  type WrongVersion,
} from '../../../core/ports/projection/projection-store.ts';
import type { Positions } from '../../../core/ports.ts';
import type { GenerationWriters } from '../generations/writes.ts';
import type { Clickhouse } from './clickhouse-client.ts';

/** The last year to which the longest retention can be added within the type Date, which ends in 2149. */
const DAY = '2049-01-01';
const COMPLEMENT_OF_0 = 2n ** 64n - 1n;

/** A projection whose tables hold positions. */
interface HeldTables {
  projection: string;
  tableOf: (generation: number) => string;
  generations: GenerationWriters;
}

export const storePositions = async (
  clickhouse: Pick<Clickhouse, 'insert'>,
  table: string,
  positions: Positions,
): Promise<void> => {
  const rows = Object.entries(positions).map(([name, next]) => ({
    org: '',
    day: DAY,
    event_id: name,
    ...parsePartition(name),
    // A JavaScript number isn't exact here.
    offset: String(COMPLEMENT_OF_0 - BigInt(next)),
  }));
  if (rows.length > 0) await clickhouse.insert(table, rows);
};

/** Returns the stored positions; a partition that the table doesn't have is missing. */
export const readPositions = async (
  clickhouse: Pick<Clickhouse, 'rows'>,
  table: string,
): Promise<Positions> => {
  const rows = await clickhouse.rows<{ topic: string; partition: number; next: number | string }>(
    `SELECT topic, partition, max(precedence) AS next FROM ${table}
     WHERE org = '' AND day = {day:Date} GROUP BY topic, partition`,
    { day: DAY },
  );
  return Object.fromEntries(rows.map(({ next, ...partition }) => [partitionName(partition), Number(next)]));
};

/** The positions after these ranges of the log. */
export const positionsAfter = (ranges: readonly LogRange[]): Positions => {
  const positions: Positions = {};
  for (const range of ranges)
    positions[partitionName(range)] = Math.max(range.next, offsetIn(positions, range));
  return positions;
};

/**
 * Returns whether a required generation lacks rows before a range; an optional one that does is dropped from
 * writes. The engine can't decide this together with the write: it does not notice a table that is replaced
 * between the two.
 */
export const lackingBefore = async (
  clickhouse: Clickhouse,
  { projection, tableOf, generations }: HeldTables,
  range: LogRange,
): Promise<StoreBehind | WrongVersion | undefined> => {
  const targets = await generations.targets();
  if ('kind' in targets) return targets;
  const { required, marked } = targets;
  for (const generation of marked) {
    const reached = offsetIn(await readPositions(clickhouse, tableOf(generation)), range);
    if (reached >= range.from) continue;
    const behind = storeBehind(projection, range, reached);
    if (required.includes(generation)) return behind;
    await generations.failed(generation, new Error(behind.reason));
  }
  return undefined;
};
