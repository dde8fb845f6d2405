import { DatabaseSync } from 'node:sqlite';

/** The keys' file. `secure_delete` overwrites destroyed keys; the writer then truncates the WAL too. */
export const createKeyDatabase = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  database.exec(
    `CREATE TABLE IF NOT EXISTS keys (key_id TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL,
       wrapped BLOB NOT NULL, UNIQUE (owner, session)) WITHOUT ROWID`,
  );
  return database;
};
