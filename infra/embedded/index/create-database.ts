import { DatabaseSync } from 'node:sqlite';
import { PROJECTIONS_FORMAT, PROJECTIONS_VERSION, STORED_PROJECTIONS } from './stored-projections.ts';

const COMMON = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS positions (place TEXT PRIMARY KEY, offset INTEGER NOT NULL) WITHOUT ROWID;
`;

const projections = Object.values(STORED_PROJECTIONS);

/**
 * Creates or opens the projections' file, which contains everything that queries read and can be rebuilt from the log.
 * Its commits aren't synced: after a power failure the file is consistent at an older position, and catches up.
 */
export const createProjectionsDatabase = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec(
    `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
     PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON`,
  );
  for (const tables of [COMMON, ...projections.map(({ tables }) => tables)]) database.exec(tables);
  database.exec(
    `INSERT OR IGNORE INTO meta VALUES ('version', '${PROJECTIONS_VERSION}'), ('format', '${PROJECTIONS_FORMAT}')`,
  );
  return database;
};

/**
 * Tunes a file that is built from the first event and not searched yet: a larger cache, none of the indices that only
 * searches use, and few checkpoints, since its pages are rewritten many times. Checkpoints stay synced: a power failure
 * loses the work since the last one, but no page. Call the returned function before the file is closed; the next
 * `createProjectionsDatabase` creates the indices.
 */
export const tuneForBuilding = (database: DatabaseSync): (() => void) => {
  database.exec('PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 32000');
  for (const name of projections.flatMap(({ readIndices = [] }) => readIndices))
    database.exec(`DROP INDEX IF EXISTS ${name}`);
  return () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
};
