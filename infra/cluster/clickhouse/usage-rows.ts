import type { Positions } from '../../../core/ports.ts';
import { billedRow, dayRow } from '../../../projections/usage/verified-usage.ts';
import type { Difference } from '../../../projections/verify/compare.ts';
import { type Row, unitOf } from '../../../projections/verify/row.ts';
import { inSample, type Sample } from '../../../projections/verify/sample.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { RowsOf, StoredPicture, StoredRows } from '../verifiable-rows.ts';
import { type Clickhouse, connectClickhouse, inRequests } from './clickhouse-client.ts';
import { BELOW } from './schema.ts';
import { usageTableOf } from './usage-tables.ts';

const PAGE = 50_000;
/** A query may sum all rows of all organizations. */
const TIMEOUT_MS = 600_000;

interface Stored {
  org: string;
  day: string;
  event_id: string;
  tokens_in: number | string;
  tokens_out: number | string;
  source: string;
  api_key: string;
  topic: string;
  partition: number;
  offset: number | string;
}

// FINAL deduplicates the copies of an event only within a day.
const rowsOf = (table: string): string => `
  SELECT org, day, event_id, tokens_in, tokens_out, source, api_key, topic, partition, offset FROM ${table} FINAL
  WHERE day >= {first:Date} AND offset < ${BELOW}`;
const pageOf = (table: string): string => `${rowsOf(table)}
  AND (org, day, event_id) > ({org:String}, {day:Date}, {event:String}) ORDER BY org, day, event_id LIMIT ${PAGE}`;
const someOf = (table: string): string => `${rowsOf(table)} AND event_id IN {ids:Array(String)}`;
const daysOf = (table: string): string => `
  SELECT org, toString(day) AS day, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out
  FROM (${rowsOf(table)}) GROUP BY org, day`;
// A valid rollup equals the sum of its rows. One query, since a write between two would make them differ.
const rollupsOf = (table: string): string => `
  SELECT rolled.org AS org, toString(rolled.day) AS day
  FROM (SELECT * FROM usage_days FINAL WHERE day >= {first:Date}) AS rolled
  JOIN (SELECT org, day, sum(marks) AS marks FROM usage_marks GROUP BY org, day) AS marked
    ON rolled.org = marked.org AND rolled.day = marked.day
  LEFT JOIN (
    SELECT org, day, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out FROM ${table} FINAL
    GROUP BY org, day
  ) AS summed ON rolled.org = summed.org AND rolled.day = summed.day
  WHERE rolled.marks = marked.marks
    AND (rolled.tokens_in <> summed.tokens_in OR rolled.tokens_out <> summed.tokens_out)`;

const stored = (row: Stored): Row =>
  billedRow(
    {
      eventId: row.event_id,
      org: row.org,
      day: row.day,
      tokensIn: Number(row.tokens_in),
      tokensOut: Number(row.tokens_out),
      source: row.source,
      apiKey: row.api_key,
    },
    { topic: row.topic, partition: row.partition, offset: Number(row.offset) },
  );

/**
 * Returns a view of the usage rows below positions, and of the sums of their days. Needs no snapshot: rows
 * below positions never change.
 */
const usagePicture = (
  clickhouse: Clickhouse,
  { generation, isServing, firstDay = '1970-01-01' }: RowsOf,
  positions: Positions,
): StoredPicture => {
  const table = usageTableOf(generation);
  return {
    rows: async function* (sample: Sample): AsyncGenerator<Row> {
      const common = { first: firstDay, below: new Map(Object.entries(positions)) };
      if (sample.only) {
        const ids = [...sample.only].flatMap(unit => [unit, `trn_${unit}`]);
        for (const some of inRequests(ids, id => id))
          for (const row of await clickhouse.rows<Stored>(someOf(table), { ...common, ids: some }))
            yield stored(row);
      } else {
        let last = { org: '', day: '1970-01-01', event_id: '' };
        for (;;) {
          const { org, day, event_id: event } = last;
          const page = await clickhouse.rows<Stored>(pageOf(table), { ...common, org, day, event });
          for (const row of page) if (inSample(sample, unitOf(row.event_id))) yield stored(row);
          if (page.length < PAGE) break;
          last = page.at(-1)!;
        }
      }
      for (const { org, day, tokens_in, tokens_out } of await clickhouse.rows<Stored>(daysOf(table), common))
        yield dayRow({ org, day, tokensIn: Number(tokens_in), tokensOut: Number(tokens_out) });
    },
    derived: async (): Promise<Difference[]> => {
      if (!isServing) return [];
      const rows = await clickhouse.rows<{ org: string; day: string }>(rollupsOf(table), { first: firstDay });
      return rows.map(({ org, day }) => {
        const id = JSON.stringify([org, day]);
        const detail = 'the rollup is not the sum of its rows';
        return { how: 'derived', kind: 'rollup', id, org, address: undefined, detail, unit: id, hash: '' };
      });
    },
    close: async () => {},
  };
};

/** Reads the rows of a generation of usage, over its own connection. */
export const connectUsageRows = (config: ClusterConfig, of: RowsOf): StoredRows => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  return { open: async positions => usagePicture(clickhouse, of, positions), close: clickhouse.close };
};
