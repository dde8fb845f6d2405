import { DatabaseSync } from 'node:sqlite';
import { PARTITION, type WrappedKey } from '../../../core/log/keys/key-wrapping.ts';
import { nameFormat } from '../folder-format.ts';
import { openPrivateDatabase } from '../private-database.ts';
import { withOutages } from '../sqlite-errors.ts';

/**
 * Creates or opens the keys' file. `secure_delete` overwrites destroyed keys; the writer then truncates the
 * WAL too.
 *
 *   keys     `under`: the user's key that wraps a session's key. If it is destroyed, the session's key is
 *            dead: no lookup returns it, and it waits to be swept
 *   former   replaced keys of sessions, which still open the data that they sealed
 *   unswept  the users who may have dead keys, and the last session that was examined
 */
export const createKeyDatabase = (path: string): DatabaseSync => {
  const database = openPrivateDatabase(path, { timeout: 5_000 });
  database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  nameFormat(database);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(
    `CREATE TABLE IF NOT EXISTS keys (key_id TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL,
       wrapped BLOB NOT NULL, under TEXT, UNIQUE (owner, session)) WITHOUT ROWID;
     CREATE TABLE IF NOT EXISTS former (key_id TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL,
       wrapped BLOB NOT NULL, under TEXT NOT NULL) WITHOUT ROWID;
     CREATE INDEX IF NOT EXISTS former_of ON former (owner, session);
     CREATE TABLE IF NOT EXISTS unswept (owner TEXT PRIMARY KEY, after TEXT NOT NULL) WITHOUT ROWID`,
  );
  return database;
};

export interface StoredKey extends WrappedKey {
  /** The user's key that wraps it; null for a user's own key. */
  under: string | null;
}

export interface KeyReader {
  /** Returns the key that seals from now on. */
  find(owner: string, session: string): StoredKey | undefined;
  /** Returns the ids of the living keys that it replaced. */
  formerOf(owner: string, session: string): string[];
  byId(keyId: string): StoredKey | undefined;
  /** Returns whether the key, or the one that wraps it, is gone. */
  isDestroyed(keyId: string): boolean;
  /** Returns the users' own keys, in the order of their ids, after this one. */
  userKeysAfter(keyId: string, limit: number): WrappedKey[];
  hasAny(keyIds: readonly string[]): boolean;
  /** Returns the next sessions of a user that have a key, dead or alive, in the order of their names. */
  sessionsAfter(owner: string, session: string, limit: number): string[];
  /** Returns the next owners that have a key of their own, in their order, between two names. */
  ownersBetween(after: string, before: string, limit: number): string[];
  /** Returns whether a user may have dead keys. */
  isUnswept(): boolean;
  close(): void;
}

const COLUMNS = 'key_id, owner, session, wrapped, under';
const storedKey = (row: Record<string, unknown>): StoredKey => ({
  keyId: String(row.key_id),
  owner: String(row.owner),
  session: String(row.session),
  wrapped: row.wrapped as Uint8Array,
  under: row.under === null ? null : String(row.under),
});

/** Opens the keys' file for reading, in any thread. */
export const openKeyReader = (path: string): KeyReader => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const byOwner = database.prepare(`SELECT ${COLUMNS} FROM keys WHERE owner = ? AND session = ?`);
  const formerByOwner = database.prepare(
    `SELECT key_id FROM former WHERE owner = ? AND session = ?
       AND EXISTS (SELECT 1 FROM keys p WHERE p.key_id = former.under)`,
  );
  const byKeyId = database.prepare(
    `SELECT ${COLUMNS} FROM keys WHERE key_id = ?1 UNION ALL SELECT ${COLUMNS} FROM former WHERE key_id = ?1`,
  );
  const userKeys = database.prepare(
    `SELECT ${COLUMNS} FROM keys WHERE session = '${PARTITION}' AND key_id > ? ORDER BY key_id LIMIT ?`,
  );
  const sessions = database.prepare(
    `SELECT session FROM keys WHERE owner = ? AND session > ? AND session <> '${PARTITION}' ORDER BY session LIMIT ?`,
  );
  const owners = database.prepare(
    `SELECT owner FROM keys WHERE owner > ? AND owner < ? AND session = '${PARTITION}' ORDER BY owner LIMIT ?`,
  );
  const living = database.prepare(
    `SELECT 1 FROM (SELECT session, under FROM keys WHERE key_id = ?1
       UNION ALL SELECT session, under FROM former WHERE key_id = ?1) k
     WHERE session = '${PARTITION}' OR EXISTS (SELECT 1 FROM keys p WHERE p.key_id = k.under)`,
  );
  const anyOf = database.prepare(
    `SELECT 1 FROM json_each(?) j WHERE EXISTS (SELECT 1 FROM keys WHERE key_id = j.value)
       OR EXISTS (SELECT 1 FROM former WHERE key_id = j.value) LIMIT 1`,
  );
  const unswept = database.prepare('SELECT 1 FROM unswept LIMIT 1');
  return {
    find: (owner, session) => {
      const row = withOutages(() => byOwner.get(owner, session));
      return row && storedKey(row);
    },
    formerOf: (owner, session) =>
      withOutages(() => formerByOwner.all(owner, session)).map(row => String(row.key_id)),
    byId: keyId => {
      const row = withOutages(() => byKeyId.get(keyId));
      return row && storedKey(row);
    },
    isDestroyed: keyId => withOutages(() => living.get(keyId)) === undefined,
    userKeysAfter: (keyId, limit) => withOutages(() => userKeys.all(keyId, limit)).map(storedKey),
    sessionsAfter: (owner, session, limit) =>
      withOutages(() => sessions.all(owner, session, limit)).map(row => String(row.session)),
    ownersBetween: (after, before, limit) =>
      withOutages(() => owners.all(after, before, limit)).map(row => String(row.owner)),
    hasAny: keyIds => keyIds.length > 0 && withOutages(() => anyOf.get(JSON.stringify(keyIds))) !== undefined,
    isUnswept: () => withOutages(() => unswept.get()) !== undefined,
    close: () => database.close(),
  };
};
