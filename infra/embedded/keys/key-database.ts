import { DatabaseSync } from 'node:sqlite';
import { PARTITION, type WrappedKey } from '../../../services/core/log/key-wrapping.ts';
import { withOutages } from '../sqlite-errors.ts';

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

export interface KeyReader {
  find(owner: string, session: string): { keyId: string; wrapped: Uint8Array } | undefined;
  byId(keyId: string): { owner: string; session: string; wrapped: Uint8Array } | undefined;
  /** Ids of an owner's keys, or of one session's. */
  idsOf(owner: string, session: string | undefined): string[];
  /** The users' own keys, in the order of their ids, after this one. */
  userKeysAfter(keyId: string, limit: number): WrappedKey[];
  hasAny(keyIds: readonly string[]): boolean;
  close(): void;
}

/** Reads the keys' file, in any thread. */
export const openKeyReader = (path: string): KeyReader => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const byOwner = database.prepare('SELECT key_id, wrapped FROM keys WHERE owner = ? AND session = ?');
  const byKeyId = database.prepare('SELECT owner, session, wrapped FROM keys WHERE key_id = ?');
  const idsOfOwner = database.prepare(
    'SELECT key_id FROM keys WHERE owner = ?1 AND (?2 IS NULL OR session = ?2)',
  );
  const userKeys = database.prepare(
    `SELECT key_id, owner, wrapped FROM keys WHERE session = '${PARTITION}' AND key_id > ? ORDER BY key_id LIMIT ?`,
  );
  const anyOf = database.prepare(
    'SELECT 1 FROM keys WHERE key_id IN (SELECT value FROM json_each(?)) LIMIT 1',
  );
  return {
    find: (owner, session) => {
      const row = withOutages(() => byOwner.get(owner, session));
      return row && { keyId: String(row.key_id), wrapped: row.wrapped as Uint8Array };
    },
    byId: keyId => {
      const row = withOutages(() => byKeyId.get(keyId));
      return (
        row && { owner: String(row.owner), session: String(row.session), wrapped: row.wrapped as Uint8Array }
      );
    },
    idsOf: (owner, session) =>
      withOutages(() => idsOfOwner.all(owner, session ?? null)).map(row => String(row.key_id)),
    userKeysAfter: (keyId, limit) =>
      withOutages(() => userKeys.all(keyId, limit)).map(row => ({
        keyId: String(row.key_id),
        owner: String(row.owner),
        session: PARTITION,
        wrapped: row.wrapped as Uint8Array,
      })),
    hasAny: keyIds => keyIds.length > 0 && withOutages(() => anyOf.get(JSON.stringify(keyIds))) !== undefined,
    close: () => database.close(),
  };
};
