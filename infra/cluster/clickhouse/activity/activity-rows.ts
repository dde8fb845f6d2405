import type { Positions } from '../../../../core/ports.ts';
import { ACTIVITY_NUMBERS, ACTIVITY_TEXTS } from '../../../../projections/activity/activity-projection.ts';
import { activityDayRow, countedRow } from '../../../../projections/activity/verified-activity.ts';
import type { Difference } from '../../../../projections/verify/compare.ts';
import { type Row, unitOf } from '../../../../projections/verify/row.ts';
import { inSample, type Sample } from '../../../../projections/verify/sample.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { RowsOf, StoredPicture, StoredRows } from '../../verifiable-rows.ts';
import { type Clickhouse, connectClickhouse } from '../clickhouse-client.ts';
import { BELOW } from '../schema.ts';
import { differingRollups } from './activity-rollups.ts';
import { COUNTS, countsOf, type StoredCounts } from './activity-sums.ts';
import { activityTableOf } from './activity-tables.ts';

const PAGE = 50_000;
/** A query may sum all rows of all organizations. */
const TIMEOUT_MS = 600_000;

type Stored = Record<'org' | 'day' | 'event_id' | 'topic' | (typeof ACTIVITY_TEXTS)[number], string> &
  Record<(typeof ACTIVITY_NUMBERS)[number] | 'partition' | 'offset', number | string>;

// Without what another day's copy left.
const rowsOf = (table: string): string => `
  SELECT org, day, event_id, ${[...ACTIVITY_TEXTS, ...ACTIVITY_NUMBERS].join(', ')}, topic, partition, offset
  FROM ${table} FINAL
  WHERE org <> '' AND offset < ${BELOW} AND turns + facts + recalls > 0`;
const pageOf = (table: string): string => `${rowsOf(table)}
  AND (org, day, event_id) > ({org:String}, {day:Date}, {event:String})
  ORDER BY org, day, event_id LIMIT ${PAGE}`;
const daysOf = (table: string, owner: string): string => `
  SELECT org, ${owner} AS whose, day, ${COUNTS} FROM (${rowsOf(table)}) GROUP BY org, whose, day`;

const stored = (row: Stored): Row =>
  countedRow(
    {
      eventId: row.event_id,
      org: row.org,
      day: row.day,
      owner: row.owner,
      session: row.session,
      turns: Number(row.turns),
      facts: Number(row.facts),
      recalls: Number(row.recalls),
      latency: Number(row.latency),
      confidence: Number(row.confidence),
    },
    { topic: row.topic, partition: Number(row.partition), offset: Number(row.offset) },
  );

/** Needs no snapshot: rows below positions never change. */
const activityPicture = (
  clickhouse: Clickhouse,
  { generation, isServing }: RowsOf,
  positions: Positions,
): StoredPicture => {
  const table = activityTableOf(generation);
  const below = new Map(Object.entries(positions));
  return {
    rows: async function* (sample: Sample): AsyncGenerator<Row> {
      for (let last = { org: '', day: '1970-01-01', event: '' }; ; ) {
        const page = await clickhouse.rows<Stored>(pageOf(table), { ...last, below });
        for (const row of page) if (inSample(sample, unitOf(row.event_id))) yield stored(row);
        const end = page.at(-1);
        if (!end || page.length < PAGE) break;
        last = { org: end.org, day: end.day, event: end.event_id };
      }
      // Of all of an organization, and of each owner.
      for (const [owner, which] of [
        ["''", ''],
        ['owner', " HAVING whose <> ''"],
      ] as const) {
        const days = await clickhouse.rows<StoredCounts & { org: string; whose: string }>(
          `${daysOf(table, owner)}${which}`,
          { below },
        );
        for (const { org, whose, ...day } of days)
          yield activityDayRow({ org, owner: whose, ...countsOf(day) });
      }
    },
    derived: async (): Promise<Difference[]> => {
      if (!isServing) return [];
      const rows = await clickhouse.rows<{ org: string; whose: string; day: string }>(
        differingRollups(table),
      );
      return rows.map(({ org, whose, day }) => {
        const id = JSON.stringify([org, whose, day]);
        const detail = 'the rollup is not the sum of its rows';
        return { how: 'derived', kind: 'rollup', id, org, address: undefined, detail, unit: id, hash: '' };
      });
    },
    close: async () => {},
  };
};

/** Reads the rows of a generation, over its own connection. */
export const connectActivityRows = (config: ClusterConfig, of: RowsOf): StoredRows => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  return { open: async positions => activityPicture(clickhouse, of, positions), close: clickhouse.close };
};
