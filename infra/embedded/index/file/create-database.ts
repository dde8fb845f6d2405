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
  const database = openPrivateDatabase(path, { timeout: 5_000 });
  database.exec(
    `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768;
     PRAGMA wal_autocheckpoint = 0; PRAGMA secure_delete = ON`,
  );
  for (const tables of TABLES) database.exec(tables);
  database.exec(
    `INSERT OR IGNORE INTO meta VALUES ('version', '${PROJECTIONS_VERSION}'), ('format', '${PROJECTIONS_FORMAT}')`,
  );
  return database;
};

/** The size of a write-ahead log from which a build checkpoints it. */
export const BUILD_WAL_BYTES = 256 * 1024 * 1024;

/**
 * Tunes a file that is built from the first event and not searched yet: a larger cache and none of the
 * indices that only searches use; the next `createProjectionsDatabase` creates them. Its pages are rewritten
 * many times, so its store should checkpoint at `BUILD_WAL_BYTES`. Checkpoints stay synced: a power failure
 * loses the work since the last one, but no page.
 */
export const tuneForBuilding = (database: DatabaseSync): void => {
  database.exec('PRAGMA cache_size = -131072');
  for (const name of Object.values(STORED_PROJECTIONS).flatMap(({ readIndices = [] }) => readIndices))
    database.exec(`DROP INDEX IF EXISTS ${name}`);
};
