/** The common parts of the tables of all projections. */

import { FORMAT, formatFault } from '../../../core/format.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { type Clickhouse, connectClickhouse } from './clickhouse-client.ts';

const TIMEOUT_MS = 60_000;

export interface Table {
  name: string;
  columns: string;
  engine: string;
  /** The TTL expression as ClickHouse prints it, for comparison; '' or undefined: rows never expire. */
  ttl?: string;
  /** The retention in words, for operators. */
  retention?: string;
}

/** Returns the name of a generation's table. */
export const tableOf = (projection: string, generation: number): string =>
  generation === 1 ? `${projection}_rows` : `${projection}_rows_${generation}`;

/** Returns the name of the view for reads: the rows of the serving generation. */
export const servingOf = (projection: string): string => `${projection}_serving`;

/** Inserts are synced to disk, since the projector's positions advance once an insert is acknowledged. */
const DURABLE = 'fsync_after_insert = 1, fsync_part_directory = 1';

const createTable = ({ name, columns, engine, ttl }: Table): string =>
  `CREATE TABLE IF NOT EXISTS ${name} (${columns}) ENGINE = ${engine}
   ${ttl ? `TTL ${ttl}` : ''} SETTINGS ${DURABLE} COMMENT 'format ${FORMAT}'`;

const quoted = (identifier: string): string => `\`${identifier.replace(/[\\`]/g, '\\$&')}\``;

const makeDatabase = async (server: Clickhouse, name: string): Promise<string[]> => {
  const found = await server.rows('SELECT 1 FROM system.databases WHERE name = {name:String}', { name });
  if (found.length > 0) return [];
  await server.command(`CREATE DATABASE IF NOT EXISTS ${quoted(name)}`);
  return [`database ${name}`];
};

/** Creates a table if it is missing, and updates its retention; resolves with a line about each change. */
export const makeTable = async (clickhouse: Clickhouse, table: Table): Promise<string[]> => {
  const { name, ttl = '', retention = 'unlimited' } = table;
  const [found] = await clickhouse.rows<{ engine_full: string }>(
    'SELECT engine_full FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
    { name },
  );
  if (!found) {
    await clickhouse.command(createTable(table));
    return [`table ${name}`];
  }
  const current = /\bTTL (.+?)(?: SETTINGS |$)/.exec(found.engine_full)?.[1] ?? '';
  if (current === ttl) return [];
  await clickhouse.command(`ALTER TABLE ${name} ${ttl ? `MODIFY TTL ${ttl}` : 'REMOVE TTL'}`);
  return [`retention of ${name}: ${retention}`];
};

/**
 * Throws if rows are of another format, which their table's comment names. Without a table there is nothing
 * to refuse.
 */
export const assertTableFormat = async (config: ClusterConfig): Promise<void> => {
  const server = connectClickhouse(config, { timeoutMs: TIMEOUT_MS, database: '' });
  try {
    const tables = await server.rows<{ comment: string }>(
      'SELECT comment FROM system.tables WHERE database = {name:String} AND match(name, {pattern:String})',
      { name: config.namespace, pattern: '_rows(_[0-9]+)?$' },
    );
    for (const { comment } of tables) {
      const [, found] = /^format (\d+)$/.exec(comment) ?? [];
      const fault = formatFault(
        `The data in the database ${config.namespace}`,
        found === undefined ? undefined : Number(found),
        'Start with another TURNSTONE_NAMESPACE.',
      );
      if (fault) throw new Error(fault);
    }
  } finally {
    await server.close();
  }
};

/** Returns the tables of all generations; in a new installation, that of the first one. */
const generationTables = async (clickhouse: Clickhouse, projection: string): Promise<string[]> => {
  const found = await clickhouse.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, {pattern:String})',
    { pattern: `^${projection}_rows(_[0-9]+)?$` },
  );
  const names = found.map(({ name }) => name);
  return names.length > 0 ? names : [tableOf(projection, 1)];
};

const makeView = async (clickhouse: Clickhouse, projection: string): Promise<string[]> => {
  const view = servingOf(projection);
  const query = 'SELECT 1 FROM system.tables WHERE database = currentDatabase() AND name = {view:String}';
  const found = await clickhouse.rows(query, { view });
  if (found.length > 0) return [];
  await clickhouse.command(`CREATE VIEW IF NOT EXISTS ${view} AS SELECT * FROM ${tableOf(projection, 1)}`);
  return [`view ${view}`];
};

/**
 * Creates the installation's database and a projection's tables if they are missing, and updates their
 * retention; resolves with a line about each change. Safe to run concurrently. `others`: the tables shared by
 * all generations.
 */
export const migrateTables = async (
  config: ClusterConfig,
  projection: string,
  rowsTable: (name: string) => Table,
  others: readonly Table[] = [],
): Promise<string[]> => {
  const server = connectClickhouse(config, { timeoutMs: TIMEOUT_MS, database: '' });
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  try {
    const made = await makeDatabase(server, config.namespace);
    const names = await generationTables(clickhouse, projection);
    for (const table of [...names.map(rowsTable), ...others])
      made.push(...(await makeTable(clickhouse, table)));
    made.push(...(await makeView(clickhouse, projection)));
    return made;
  } finally {
    await Promise.all([server.close(), clickhouse.close()]);
  }
};

/** Switches reads to this generation, atomically. */
export const serveTable = (clickhouse: Clickhouse, projection: string, generation: number): Promise<void> =>
  clickhouse.command(
    `CREATE OR REPLACE VIEW ${servingOf(projection)} AS SELECT * FROM ${tableOf(projection, generation)}`,
  );

/** Returns the generation whose rows are read. */
export const servedGeneration = async (config: ClusterConfig, projection: string): Promise<number> => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  try {
    const [view] = await clickhouse.rows<{ as_select: string }>(
      'SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
      { name: servingOf(projection) },
    );
    return Number(new RegExp(`${projection}_rows_(\\d+)`).exec(view?.as_select ?? '')?.[1] ?? 1);
  } finally {
    await clickhouse.close();
  }
};

export const bytesOfTable = async (clickhouse: Clickhouse, table: string): Promise<number> => {
  const [found] = await clickhouse.rows<{ bytes: number | string }>(
    `SELECT sum(bytes_on_disk) AS bytes FROM system.parts
     WHERE database = currentDatabase() AND table = {table:String} AND active`,
    { table },
  );
  return Number(found?.bytes ?? 0);
};

/** The offset below which a row of its partition counts; 0 for a partition that isn't named. */
export const BELOW = `{below:Map(String, UInt64)}[concat(topic, '/', toString(partition))]`;
