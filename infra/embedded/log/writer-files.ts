/** The two synced files and the statements that write them. */
import type { DatabaseSync } from 'node:sqlite';
import { PARTITION } from '../../../services/core/log/key-wrapping.ts';
import { partitionName } from '../../../services/core/log/positions.ts';
import { createKeyDatabase } from '../keys/key-database.ts';
import { createLogDatabase, partitionOf, prepareLog } from './log-database.ts';
import type { WriterReply, WriterRequest } from './writer-messages.ts';

export interface WriterFiles {
  /**
   * Stores and destroys the requests' keys in one commit, and then the requests' records in another. `onDestroyed` is called
   * between the two, if keys were destroyed. Throws when a commit fails: what it stored is then unknown, and the files
   * must be opened anew before the next call.
   */
  write(requests: readonly WriterRequest[], onDestroyed: () => void): WriterReply[];
  /** Truncates the write-ahead logs, so that neither the next start nor a copy of the folder needs recovery. */
  settle(): void;
  close(): void;
}

export const openWriterFiles = ({
  logPath,
  keysPath,
}: {
  logPath: string;
  keysPath: string;
}): WriterFiles => {
  const opened: DatabaseSync[] = [];
  const close = (): void => {
    for (const database of opened) if (database.isOpen) database.close();
  };
  try {
    const logDatabase = createLogDatabase(logPath);
    opened.push(logDatabase);
    const keyDatabase = createKeyDatabase(keysPath);
    opened.push(keyDatabase);
    const writeKeys = openKeyWriter(keyDatabase);
    const writeLog = openLogWriter(logDatabase);
    const settle = (): void => {
      for (const database of opened) truncate(database);
    };
    return {
      write: (requests, onDestroyed) => {
        const destroyed = writeKeys(requests);
        if (destroyed.size > 0) {
          // Other threads must drop their copies even if the truncation below fails.
          onDestroyed();
          // A destroyed key must not remain in the WAL.
          truncate(keyDatabase);
        }
        // Nor what a key was wrapped by before.
        if (requests.some(({ rewrapped }) => rewrapped)) truncate(keyDatabase);
        return writeLog(requests, destroyed);
      },
      settle,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

const truncate = (database: DatabaseSync): void => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');

const inTransaction = (database: DatabaseSync, work: () => void): void => {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    // When the disk is full, the transaction may already be rolled back.
    try {
      database.exec('ROLLBACK');
    } catch {}
    throw error;
  }
};

/** Returns the ids of the keys that each request destroyed. */
const openKeyWriter = (database: DatabaseSync) => {
  const putKey = database.prepare(
    `INSERT OR IGNORE INTO keys SELECT ?1, ?2, ?3, ?4 WHERE ?5 IS NULL OR EXISTS (SELECT 1 FROM keys WHERE key_id = ?5)`,
  );
  const rewrapKey = database.prepare('UPDATE keys SET wrapped = ?2 WHERE key_id = ?1');
  const destroySession = database.prepare(
    'DELETE FROM keys WHERE owner = ? AND session = ? RETURNING key_id',
  );
  const destroyOwner = database.prepare('DELETE FROM keys WHERE owner = ? RETURNING key_id');
  // Destroying a partition's key also destroys the keys it wraps, including one made since the ids were listed.
  const destroyIds = database.prepare(
    `DELETE FROM keys WHERE key_id IN (SELECT value FROM json_each(?1)) OR owner IN (
       SELECT owner FROM keys WHERE session = '${PARTITION}' AND key_id IN (SELECT value FROM json_each(?1))
     ) RETURNING key_id`,
  );

  const destroy = (what: NonNullable<WriterRequest['destroy']>): string[] => {
    const rows =
      'keyIds' in what
        ? destroyIds.all(JSON.stringify(what.keyIds))
        : what.session === undefined
          ? destroyOwner.all(what.owner)
          : destroySession.all(what.owner, what.session);
    return rows.map(row => String(row.key_id));
  };

  return (requests: readonly WriterRequest[]): Map<WriterRequest, string[]> => {
    const destroyed = new Map<WriterRequest, string[]>();
    if (!requests.some(({ keys, rewrapped, destroy }) => keys?.length || rewrapped || destroy))
      return destroyed;
    inTransaction(database, () => {
      for (const request of requests) {
        for (const { keyId, owner, session, wrapped, under } of request.keys ?? [])
          putKey.run(keyId, owner, session, wrapped, under ?? null);
        for (const { keyId, wrapped } of request.rewrapped ?? []) rewrapKey.run(keyId, wrapped);
        if (request.destroy) destroyed.set(request, destroy(request.destroy));
      }
    });
    return destroyed;
  };
};

const openLogWriter = (database: DatabaseSync) => {
  const log = prepareLog(database);
  const ends = log.ends();
  return (
    requests: readonly WriterRequest[],
    destroyed: ReadonlyMap<WriterRequest, string[]>,
  ): WriterReply[] => {
    const next = { ...ends };
    const write = (request: WriterRequest): WriterReply => {
      let at = 0;
      const places = (request.records ?? []).map(
        ({ topic, key, headers, partition = partitionOf(key) }, i) => {
          const value = request.values!.subarray(at, at + request.lengths![i]!);
          at += value.length;
          const name = partitionName({ topic, partition });
          const offset = next[name]!;
          next[name] = offset + 1;
          log.insert(topic, partition).run(offset, value, headers ? JSON.stringify(headers) : null);
          return { topic, partition, offset };
        },
      );
      if (request.commit) log.commit(request.commit.group, request.commit.positions);
      const gone = destroyed.get(request);
      return { number: request.number, places, ...(gone && { destroyed: gone }) };
    };
    let replies: WriterReply[] = [];
    const work = (): void => {
      replies = requests.map(write);
    };
    if (requests.some(request => request.records?.length || request.commit)) inTransaction(database, work);
    else work();
    Object.assign(ends, next);
    return replies;
  };
};
