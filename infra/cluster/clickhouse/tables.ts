import type { ClusterConfig } from '../../../schemas/config.ts';
import { type Clickhouse, connectClickhouse } from './client.ts';

/** Rows are deleted so long after their day is no longer read, so that no day is ever read in part. */
const GRACE_DAYS = 2;
const TIMEOUT_MS = 60_000;

/** The view that is read: the rows of the served generation. */
export const USAGE_SERVING = 'usage_serving';

/** The table of a generation's rows. */
export const usageTableOf = (generation: number): string =>
  generation === 1 ? 'usage_rows' : `usage_rows_${generation}`;

interface Table {
  name: string;
  columns: string;
  engine: string;
}

/** Synced to disk, since the projector's positions advance once an insert is acknowledged. */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

const rowsTable = (name: string): Table => ({
  // What each event bills. Deduplicated by event at the query (FINAL), and by merges eventually. The copy at
  // the lowest offset has the highest precedence.
  name,
  columns: `
      org String,
      day Date,
      event_id String,
      tokens_in UInt64,
      tokens_out UInt64,
      topic LowCardinality(String),
      partition UInt32,
      offset UInt64,
      inserted_at DateTime DEFAULT now(),
      precedence UInt64 MATERIALIZED bitNot(offset),
      INDEX event_ids event_id TYPE bloom_filter(0.001) GRANULARITY 1`,
  engine: 'ReplacingMergeTree(precedence) PARTITION BY toYYYYMM(day) ORDER BY (org, day, event_id)',
});

/** Shared by all generations: marks and rollups belong to the served one. */
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

/** The TTL as ClickHouse prints it, so that the two can be compared; '' keeps rows forever. */
const expiry = (days: number): string => (days > 0 ? `day + toIntervalDay(${days + GRACE_DAYS})` : '');

const createTable = ({ name, columns, engine }: Table, ttl: string): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (${columns}) ENGINE = ${engine}
   ${ttl && `TTL ${ttl}`} SETTINGS ${DURABLE}`;

const quoted = (identifier: string): string => `\`${identifier.replace(/[\\`]/g, '\\$&')}\``;

const makeDatabase = async (server: Clickhouse, name: string): Promise<string[]> => {
  const found = await server.rows('SELECT 1 FROM system.databases WHERE name = {name:String}', { name });
  if (found.length > 0) return [];
  await server.command(`CREATE DATABASE IF NOT EXISTS ${quoted(name)}`);
  return [`database ${name}`];
};

const makeTable = async (clickhouse: Clickhouse, table: Table, days: number): Promise<string[]> => {
  const { name } = table;
  const ttl = expiry(days);
  const [found] = await clickhouse.rows<{ engine_full: string }>(
    'SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
    { name },
  );
  if (!found) {
    await clickhouse.command(createTable(table, ttl));
    return [`table ${name}`];
  }
  const current = /\bTTL (.+?)(?: SETTINGS |$)/.exec(found.engine_full)?.[1] ?? '';
  if (current === ttl) return [];
  await clickhouse.command(`ALTER TABLE ${name} ${ttl ? `MODIFY TTL ${ttl}` : 'REMOVE TTL'}`);
  return [`retention of ${name}: ${days > 0 ? `${days} days` : 'unlimited'}`];
};

/** Creates the empty table of a generation if it is missing. */
export const makeUsageTable = async (
  clickhouse: Clickhouse,
  config: Pick<ClusterConfig, 'usageRetentionDays'>,
  generation: number,
): Promise<void> => {
  await makeTable(clickhouse, rowsTable(usageTableOf(generation)), config.usageRetentionDays);
};

/** Switches reads to this generation, atomically. */
export const serveUsageTable = async (clickhouse: Clickhouse, generation: number): Promise<void> => {
  await clickhouse.command(
    `CREATE OR REPLACE VIEW ${USAGE_SERVING} AS SELECT * FROM ${usageTableOf(generation)}`,
  );
};

/** The generation whose rows are read. */
export const servedUsageGeneration = async (config: ClusterConfig): Promise<number> => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  try {
    const [view] = await clickhouse.rows<{ as_select: string }>(
      'SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
      { name: USAGE_SERVING },
    );
    return Number(/usage_rows_(\d+)/.exec(view?.as_select ?? '')?.[1] ?? 1);
  } finally {
    await clickhouse.close();
  }
};

const makeView = async (clickhouse: Clickhouse): Promise<string[]> => {
  const query = 'SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {name:String}';
  const found = await clickhouse.rows(query, { name: USAGE_SERVING });
  if (found.length > 0) return [];
  await clickhouse.command(`CREATE VIEW IF NOT EXISTS ${USAGE_SERVING} AS SELECT * FROM ${usageTableOf(1)}`);
  return [`view ${USAGE_SERVING}`];
};

/** The tables of all generations; of the first one in a new installation. */
const rowsTables = async (clickhouse: Clickhouse): Promise<Table[]> => {
  const found = await clickhouse.rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^usage_rows(_[0-9]+)?$')",
  );
  const names = found.map(({ name }) => name);
  return (names.length > 0 ? names : [usageTableOf(1)]).map(rowsTable);
};

/**
 * Creates the installation's database and tables where they are missing, and updates their retention;
 * resolves with a line about each change. Safe to run concurrently.
 */
export const migrateUsage = async (config: ClusterConfig): Promise<string[]> => {
  const server = connectClickhouse(config, { timeoutMs: TIMEOUT_MS, database: '' });
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  try {
    const made = await makeDatabase(server, config.namespace);
    for (const table of [...(await rowsTables(clickhouse)), ...TABLES]) {
      made.push(...(await makeTable(clickhouse, table, config.usageRetentionDays)));
    }
    made.push(...(await makeView(clickhouse)));
    return made;
  } finally {
    await Promise.all([server.close(), clickhouse.close()]);
  }
};
