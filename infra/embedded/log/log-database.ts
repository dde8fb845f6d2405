import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { partitionName } from '../../../core/log/positions.ts';
import type { Positions, Topic } from '../../../core/ports.ts';
import { nameFormat } from '../folder-format.ts';
import { openPrivateDatabase } from '../private-database.ts';

/** The topics; the log's file has an append-only table for each topic and partition. */
const TOPICS: readonly Topic[] = ['turns', 'observations', 'usage', 'accounts', 'audit', 'dead-letters'];

/**
 * Fixed at creation, since adding partitions would remap keys. More than one, so that ordering bugs show
 * early.
 */
const PARTITIONS = 4;

const table = (topic: Topic, partition: number): string => `"${partitionName({ topic, partition })}"`;

/** Returns a key's partition, by FNV-1a over its UTF-16 units: the same in every process and version. */
export const partitionOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % PARTITIONS;
};

/** Opens the file for writing; every commit is synced (`synchronous=FULL`) before it returns. */
export const createLogDatabase = (path: string): DatabaseSync => {
  const database = openPrivateDatabase(path);
  database.exec('PRAGMA page_size = 8192; PRAGMA synchronous = FULL');
  nameFormat(database);
  database.exec('PRAGMA journal_mode = WAL');
  // A checkpoint returns the space of a burst of writes.
  database.exec('PRAGMA journal_size_limit = 16777216');
  database.exec('CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  const meta = database.prepare('SELECT value FROM meta WHERE name = ?');
  database.exec(`INSERT OR IGNORE INTO meta VALUES ('partitions', '${PARTITIONS}')`);
  const stored = String(meta.get('partitions')?.value);
  if (stored !== String(PARTITIONS)) {
    throw new Error(`the log has ${stored} partitions and this release expects ${PARTITIONS}`);
  }
  for (const topic of TOPICS) {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      database.exec(
        `CREATE TABLE IF NOT EXISTS ${table(topic, partition)}
           (offset INTEGER PRIMARY KEY, value BLOB NOT NULL, headers TEXT)`,
      );
    }
  }
  database.exec(
    `CREATE TABLE IF NOT EXISTS positions
       (consumer TEXT, partition TEXT, offset INTEGER NOT NULL, PRIMARY KEY (consumer, partition)) WITHOUT ROWID`,
  );
  return database;
};

export interface LogStatements {
  insert(topic: Topic, partition: number): StatementSync;
  /** Returns rows as arrays: offset, value, headers. */
  read(topic: Topic, partition: number): StatementSync;
  end(topic: Topic, partition: number): number;
  ends(): Positions;
  committed(consumer: string): Positions;
  commit(consumer: string, positions: Positions): void;
}

/** Prepares statements once and keeps them. */
export const prepareLog = (database: DatabaseSync): LogStatements => {
  const memo = (sql: (table: string) => string, arrays = false) => {
    const made = new Map<string, StatementSync>();
    return (topic: Topic, partition: number): StatementSync => {
      const name = table(topic, partition);
      let statement = made.get(name);
      if (!statement) {
        statement = database.prepare(sql(name));
        statement.setReturnArrays(arrays);
        made.set(name, statement);
      }
      return statement;
    };
  };
  const lastOffset = memo(name => `SELECT max(offset) AS last FROM ${name}`);
  const committed = database.prepare('SELECT partition, offset FROM positions WHERE consumer = ?');
  const commit = database.prepare(
    'INSERT INTO positions VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET offset = excluded.offset',
  );
  const end = (topic: Topic, partition: number): number => {
    const last = lastOffset(topic, partition).get()?.last;
    return last === null || last === undefined ? 0 : Number(last) + 1;
  };
  return {
    insert: memo(name => `INSERT INTO ${name} (offset, value, headers) VALUES (?, ?, ?)`),
    read: memo(
      name => `SELECT offset, value, headers FROM ${name} WHERE offset >= ? ORDER BY offset LIMIT ?`,
      true,
    ),
    end,
    ends: () => {
      const positions: Positions = {};
      for (const topic of TOPICS) {
        for (let partition = 0; partition < PARTITIONS; partition++) {
          positions[partitionName({ topic, partition })] = end(topic, partition);
        }
      }
      return positions;
    },
    committed: consumer =>
      Object.fromEntries(committed.all(consumer).map(row => [String(row.partition), Number(row.offset)])),
    commit: (consumer, positions) => {
      for (const [name, offset] of Object.entries(positions)) commit.run(consumer, name, offset);
    },
  };
};
