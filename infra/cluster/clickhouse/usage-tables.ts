import type { ClusterConfig } from '../../../schemas/config.ts';
import type { Clickhouse } from './clickhouse-client.ts';
import { makeTable, migrateTables, servingOf, type Table, tableOf } from './schema.ts';
import { NAMES_TABLE } from './split/usage-names.ts';

type Retention = Pick<ClusterConfig, 'usageRetentionDays'>;

/** Days between the end of a day's retention and the deletion of its rows, so no day is read in part. */
const GRACE_DAYS = 2;

export const USAGE_SERVING = servingOf('usage');
export const usageTableOf = (generation: number): string => tableOf('usage', generation);

const rowsTable = (name: string): Table => ({
  // The tokens billed for each event. Deduplicated by event at the query (FINAL), and eventually by merges.
  // The copy at the lowest offset takes precedence.
  name,
  columns: `
      org String,
      day Date,
      event_id String,
      tokens_in UInt64,
      tokens_out UInt64,
      source String,
      api_key LowCardinality(String),
      topic LowCardinality(String),
      partition UInt32,
      offset UInt64,
      inserted_at DateTime DEFAULT now(),
      precedence UInt64 MATERIALIZED bitNot(offset),
      INDEX event_ids event_id TYPE bloom_filter(0.001) GRANULARITY 1`,
  engine: 'ReplacingMergeTree(precedence) PARTITION BY toYYYYMM(day) ORDER BY (org, day, event_id)',
});

/** Tables shared by all generations: marks and rollups belong to the serving one. */
const TABLES: readonly Table[] = [
  {
    // Counts the writes of a day's rows.
    name: 'usage_marks',
    columns: 'org String, day Date, marks UInt64',
    engine: 'SummingMergeTree(marks) ORDER BY (org, day)',
  },
  {
    // Sums of a day's distinct rows after `marks` writes; valid until the next write.
    name: 'usage_days',
    columns: `
      org String,
      day Date,
      tokens_in UInt64,
      tokens_out UInt64,
      marks UInt64,
      rolled_at DateTime DEFAULT now()`,
    engine: 'ReplacingMergeTree(marks) ORDER BY (org, day)',
  },
];

const withRetention = (table: Table, { usageRetentionDays: days }: Retention): Table =>
  days > 0
    ? { ...table, ttl: `day + toIntervalDay(${days + GRACE_DAYS})`, retention: `${days} days` }
    : table;

/** Creates the empty table of a generation if it is missing. */
export const makeUsageTable = async (
  clickhouse: Clickhouse,
  config: Retention,
  generation: number,
): Promise<void> => {
  await makeTable(clickhouse, withRetention(rowsTable(usageTableOf(generation)), config));
};

/** Creates the tables of usage if they are missing, and updates their retention. */
export const migrateUsage = (config: ClusterConfig): Promise<string[]> =>
  migrateTables(
    config,
    'usage',
    name => withRetention(rowsTable(name), config),
    // Names have no day, and go with an erasure.
    [...TABLES.map(table => withRetention(table, config)), NAMES_TABLE],
  );
