import type { DatabaseSync } from 'node:sqlite';
import { openPrivateDatabase } from '../../private-database.ts';
import { PAGE_BYTES } from './projections-database.ts';
import { PROJECTIONS_FORMAT, PROJECTIONS_VERSION, STORED_PROJECTIONS, TABLES } from './stored-projections.ts';

/**
 * Creates or opens the projections' file, which contains everything that queries read and can be rebuilt from
 * the log. Its commits aren't synced: after a power failure the file is consistent at an older position, and
 * catches up. The store that writes it makes its checkpoints (checkpoints.ts).
 */
export const createProjectionsDatabase = (path: string): DatabaseSync => {
  const database = openToWrite(path);
  create(database);
  return database;
};

const openToWrite = (path: string): DatabaseSync => {
  const database = openPrivateDatabase(path, { timeout: 5_000 });
  database.exec(
    `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
     PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON`,
  );
  return database;
};

/** Its version comes last: a file that has one has all tables. */
const create = (database: DatabaseSync): void => {
  for (const tables of TABLES) database.exec(tables);
  database.exec(
    `INSERT OR IGNORE INTO meta VALUES ('version', '${PROJECTIONS_VERSION}'), ('format', '${PROJECTIONS_FORMAT}')`,
  );
};

const isCreated = (database: DatabaseSync): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined &&
  database.prepare("SELECT 1 FROM meta WHERE name = 'version'").get() !== undefined;

/** The size of a write-ahead log from which a build checkpoints it. */
export const BUILD_WAL_BYTES = 256 * 1024 * 1024;

/**
 * Opens a file that is built from the first event and not searched yet, for one of the threads that write it
 * in turns: with a larger cache, and without the indices that only searches use; the next
 * `createProjectionsDatabase` creates them. Its pages are rewritten many times, so its store should
 * checkpoint at `BUILD_WAL_BYTES`. Checkpoints stay synced: a power failure loses the work since the last
 * one, but no page.
 *
 * @param isFirst of the threads, which makes the file
 */
export const openDatabaseToBuild = (path: string, { isFirst }: { isFirst: boolean }): DatabaseSync => {
  const database = openToWrite(path);
  database.exec('PRAGMA cache_size = -65536');
  if (!isFirst) return database;
  // A build that goes on has its tables. To create them would make the missing indices, which takes long.
  if (!isCreated(database)) create(database);
  for (const name of Object.values(STORED_PROJECTIONS).flatMap(({ readIndices = [] }) => readIndices))
    database.exec(`DROP INDEX IF EXISTS ${name}`);
  return database;
};
