import { ACTIVITY_NUMBERS, ACTIVITY_TEXTS } from '../../../../projections/activity/activity-projection.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { Clickhouse } from '../clickhouse-client.ts';
import { makeTable, migrateTables, servingOf, type Table, tableOf } from '../schema.ts';

export const ACTIVITY_SERVING = servingOf('activity');
export const activityTableOf = (generation: number): string => tableOf('activity', generation);

const columns = [
  ...ACTIVITY_TEXTS.map(name => `${name} String`),
  ...ACTIVITY_NUMBERS.map(name => `${name} Int32`),
];

/**
 * What each event counts, deduplicated at the query (FINAL), and eventually by merges: the copy at the lowest
 * offset takes precedence. A recall's bins and a turn's keys are a few bytes: columns of few values are packed.
 */
const rowsTable = (name: string): Table => ({
  name,
  columns: `
      org String,
      day Date,
      event_id String,
      ${columns.join(',\n      ')},
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
    name: 'activity_marks',
    columns: 'org String, day Date, marks UInt64',
    engine: 'SummingMergeTree(marks) ORDER BY (org, day)',
  },
  {
    // Sums of a day's distinct rows after `marks` writes, of all and of each owner; valid until the next write.
    name: 'activity_days',
    columns: `
      org String,
      owner String,
      day Date,
      turns UInt64,
      users UInt64,
      sessions UInt64,
      facts UInt64,
      recalls UInt64,
      latency Array(UInt64),
      confidence Array(UInt64),
      marks UInt64,
      rolled_at DateTime DEFAULT now()`,
    engine: 'ReplacingMergeTree(marks) ORDER BY (org, owner, day)',
  },
];

/** Creates the empty table of a generation if it is missing. */
export const makeActivityTable = async (clickhouse: Clickhouse, generation: number): Promise<void> => {
  await makeTable(clickhouse, rowsTable(activityTableOf(generation)));
};

/** Creates the tables of activity if they are missing. */
export const migrateActivity = (config: ClusterConfig): Promise<string[]> =>
  migrateTables(config, 'activity', rowsTable, TABLES);
