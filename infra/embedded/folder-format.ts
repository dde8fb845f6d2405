/**
 * The format of a data folder, which the log's file and the keys' file name in their headers (SQLite's
 * `user_version`): a copy of the files includes it, and it is read without opening them.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { FORMAT, formatFault } from '../../core/format.ts';

/** See https://www.sqlite.org/fileformat2.html#the_database_header. */
const MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const HEADER_BYTES = 100;

/** Returns a file's format; undefined if the file is missing or empty, as one being created. */
const formatOf = (path: string): number | undefined => {
  if (!existsSync(path)) return undefined;
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    readSync(file, header, 0, HEADER_BYTES, 0);
    return header.toString('latin1', 0, MAGIC.length) === MAGIC
      ? header.readUInt32BE(USER_VERSION_AT)
      : undefined;
  } finally {
    closeSync(file);
  }
};

/**
 * Throws if a file of the folder was written in another format, or if files built from the log have no log
 * beside them. Creates and changes nothing.
 */
export const assertFormat = (folder: string): void => {
  for (const name of ['log.db', 'keys.db']) {
    const found = formatOf(join(folder, name));
    if (found === undefined) continue;
    // 0: no format was ever set.
    const fault = formatFault(`The data in ${folder}`, found || undefined, 'Start with an empty folder.');
    if (fault) throw new Error(fault);
  }
  const isBuilt = existsSync(folder) && readdirSync(folder).some(name => /^projections.*\.db$/.test(name));
  if (isBuilt && !existsSync(join(folder, 'log.db')))
    throw new Error(
      `${folder} has projections and lacks log.db, from which they were built: put it back, or start with an empty folder.`,
    );
};

/**
 * Sets the format of a new file. Its journal must not be a write-ahead log yet, so that the header itself is
 * written.
 */
export const nameFormat = (database: DatabaseSync): void => {
  if (database.prepare('PRAGMA user_version').get()?.user_version === 0)
    database.exec(`PRAGMA user_version = ${FORMAT}`);
};
