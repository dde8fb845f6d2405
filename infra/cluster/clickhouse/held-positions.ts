/**
 * The log positions that a usage table holds, stored in the table itself, so that no restore separates the
 * two. Their rows belong to no organization, and to a day that no period contains. A table keeps the row of
 * the highest precedence, which is `bitNot(offset)`, so a position is stored as its complement: the highest
 * position is kept.
 */
import { parsePartition, partitionName } from '../../../core/log/positions.ts';
import type { Positions } from '../../../core/ports.ts';
import type { Clickhouse } from './clickhouse-client.ts';
import { usageTableOf } from './usage-tables.ts';

/** The last year to which the longest retention can be added within the type Date, which ends in 2149. */
const DAY = '2049-01-01';
const COMPLEMENT_OF_0 = 2n ** 64n - 1n;

export const storePositions = async (
  clickhouse: Pick<Clickhouse, 'insert'>,
  generation: number,
  positions: Positions,
): Promise<void> => {
  const rows = Object.entries(positions).map(([name, next]) => ({
    org: '',
    day: DAY,
    event_id: name,
    tokens_in: 0,
    tokens_out: 0,
    ...parsePartition(name),
    // A JavaScript number isn't exact here.
    offset: String(COMPLEMENT_OF_0 - BigInt(next)),
  }));
  if (rows.length > 0) await clickhouse.insert(usageTableOf(generation), rows);
};

/** Returns the stored positions; a partition that the table doesn't have is missing. */
export const readPositions = async (
  clickhouse: Pick<Clickhouse, 'rows'>,
  generation: number,
): Promise<Positions> => {
  const rows = await clickhouse.rows<{ topic: string; partition: number; next: number | string }>(
    `SELECT topic, partition, max(precedence) AS next FROM ${usageTableOf(generation)}
     WHERE org = '' AND day = {day:Date} GROUP BY topic, partition`,
    { day: DAY },
  );
  return Object.fromEntries(rows.map(({ next, ...partition }) => [partitionName(partition), Number(next)]));
};
