import type { DatabaseSync } from 'node:sqlite';
import { PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import { inTransaction } from '../in-transaction.ts';
import type { Swept, WriterRequest } from '../log/writer-messages.ts';

/** Rows examined per commit of a sweep: some milliseconds, during which other requests wait. */
const SWEPT_AT_ONCE = 500;

export interface WrittenKeys {
  /** The ids of the keys that each request named and destroyed. */
  destroyed: Map<WriterRequest, string[]>;
  /** A session has got another key. */
  isReplaced: boolean;
  swept: Map<WriterRequest, Swept>;
}

/** Stores, rewraps, destroys and sweeps the requests' keys in one commit, in their order. */
export const openKeyWriter = (database: DatabaseSync) => {
  // A dead key would block the next one of its session until it is swept.
  const removeDead = database.prepare(
    `DELETE FROM keys WHERE owner = ?1 AND session = ?2 AND under <> ?3
       AND EXISTS (SELECT 1 FROM keys WHERE key_id = ?3)`,
  );
  const putKey = database.prepare(
    `INSERT OR IGNORE INTO keys (key_id, owner, session, wrapped, under) SELECT ?1, ?2, ?3, ?4, ?5
       WHERE ?5 IS NULL OR EXISTS (SELECT 1 FROM keys WHERE key_id = ?5)`,
  );
  const rewrapKey = database.prepare('UPDATE keys SET wrapped = ?2 WHERE key_id = ?1');
  const TABLES = ['keys', 'former'] as const;
  const NAMED = 'RETURNING key_id, owner, session';
  const destroyOne = TABLES.map(table =>
    database.prepare(`DELETE FROM ${table} WHERE owner = ? AND session = ? ${NAMED}`),
  );
  const destroyIds = TABLES.map(table =>
    database.prepare(`DELETE FROM ${table} WHERE key_id IN (SELECT value FROM json_each(?)) ${NAMED}`),
  );
  // Only while the key that wraps it is the user's, as for a new key.
  const setAside = database.prepare(
    `INSERT INTO former SELECT key_id, owner, session, wrapped, under FROM keys
       WHERE owner = ?1 AND session = ?2 AND under = ?3 AND EXISTS (SELECT 1 FROM keys WHERE key_id = ?3)`,
  );
  const removeKey = database.prepare('DELETE FROM keys WHERE owner = ? AND session = ?');
  const putUnswept = database.prepare("INSERT OR REPLACE INTO unswept VALUES (?, '')");

  const put = ({
    keyId,
    owner,
    session,
    wrapped,
    under,
  }: NonNullable<WriterRequest['keys']>[number]): void => {
    if (under !== undefined) removeDead.run(owner, session, under);
    putKey.run(keyId, owner, session, wrapped, under ?? null);
  };
  const destroy = (what: NonNullable<WriterRequest['destroy']>): string[] => {
    const rows =
      'keyIds' in what
        ? destroyIds.flatMap(one => one.all(JSON.stringify(what.keyIds)))
        : destroyOne.flatMap(one => one.all(what.owner, what.session));
    // In the same commit, so that no end of the process separates the two.
    for (const row of rows) if (row.session === PARTITION) putUnswept.run(row.owner!);
    return rows.map(row => String(row.key_id));
  };
  const replace = (key: NonNullable<WriterRequest['replace']>): boolean => {
    const { changes } = setAside.run(key.owner, key.session, key.under);
    // The key was destroyed meanwhile; the next caller that needs one makes it.
    if (changes === 0) return false;
    removeKey.run(key.owner, key.session);
    put(key);
    return true;
  };
  const sweep = openSweeper(database);

  return (requests: readonly WriterRequest[]): WrittenKeys => {
    const written: WrittenKeys = { destroyed: new Map(), swept: new Map(), isReplaced: false };
    const write = (request: WriterRequest): void => {
      for (const key of request.keys ?? []) put(key);
      for (const { keyId, wrapped } of request.rewrapped ?? []) rewrapKey.run(keyId, wrapped);
      if (request.replace && replace(request.replace)) written.isReplaced = true;
      if (request.destroy) written.destroyed.set(request, destroy(request.destroy));
      if (request.sweep) written.swept.set(request, sweep());
    };
    if (
      requests.some(
        ({ keys, rewrapped, replace, destroy, sweep }) =>
          keys?.length || rewrapped || replace || destroy || sweep,
      )
    )
      inTransaction(database, () => requests.forEach(write));
    return written;
  };
};

/** Removes the dead keys among the next keys of a user whose own key was destroyed. */
const openSweeper = (database: DatabaseSync): (() => Swept) => {
  const next = database.prepare('SELECT owner, after FROM unswept LIMIT 1');
  const keys = database.prepare(
    `SELECT key_id, session, EXISTS (SELECT 1 FROM keys p WHERE p.key_id = k.under) AS lives FROM keys k
     WHERE owner = ? AND session > ? ORDER BY session LIMIT ${SWEPT_AT_ONCE}`,
  );
  const remove = database.prepare('DELETE FROM keys WHERE key_id IN (SELECT value FROM json_each(?))');
  const removeFormer = database.prepare(
    'DELETE FROM former WHERE owner = ? AND NOT EXISTS (SELECT 1 FROM keys WHERE key_id = former.under)',
  );
  const goOn = database.prepare('UPDATE unswept SET after = ?2 WHERE owner = ?1');
  const done = database.prepare('DELETE FROM unswept WHERE owner = ?');
  return () => {
    const unswept = next.get();
    if (!unswept) return { removed: 0, more: false, isLast: false };
    // Does not include the user's own key, whose session is ''.
    const rows = keys.all(unswept.owner!, unswept.after!);
    const dead = rows.filter(row => Number(row.lives) === 0).map(row => String(row.key_id));
    if (dead.length > 0) remove.run(JSON.stringify(dead));
    // Former keys are few: a session has some only while it loses them.
    const removed = dead.length + Number(removeFormer.run(unswept.owner!).changes);
    const isLast = rows.length < SWEPT_AT_ONCE;
    if (isLast) done.run(unswept.owner!);
    else goOn.run(unswept.owner!, rows.at(-1)!.session!);
    return { removed, more: true, isLast };
  };
};
