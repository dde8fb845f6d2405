/**
 * The thread that writes the two synced files: the log and the sealing keys. Requests that arrive during a
 * commit share the next one.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { PARTITION, type WrappedKey } from '../../../services/core/log/key-wrapping.ts';
import { partitionName } from '../../../services/core/log/positions.ts';
import type { NewRecord, Positions, Topic } from '../../../services/core/ports.ts';
import { createKeyDatabase } from '../keys/key-database.ts';
import { createLogDatabase, partitionOf, prepareLog } from './log-database.ts';

export interface WriterRequest {
  number: number;
  /** Stored durably before the records. A session's key is stored only if the partition's key that wraps it exists. */
  keys?: (WrappedKey & { under?: string })[];
  /** All keys of a scope, or keys by their ids. */
  destroy?: { owner: string; session?: string | undefined } | { keyIds: readonly string[] };
  records?: Omit<NewRecord, 'value'>[];
  /** The records' values concatenated: one buffer is cheaper to transfer than many. */
  values?: Uint8Array;
  lengths?: number[];
  commit?: { group: string; positions: Positions };
}

export type WriterReply =
  | { number: number; places: { topic: Topic; partition: number; offset: number }[]; destroyed?: string[] }
  | { number: number; error: string }
  | { appended: true }
  /** Keys were destroyed: drop every cached key. */
  | { destroyed: true };

const { logPath, keysPath } = workerData as { logPath: string; keysPath: string };
const logDatabase = createLogDatabase(logPath);
const keyDatabase = createKeyDatabase(keysPath);
const log = prepareLog(logDatabase);
const putKey = keyDatabase.prepare(
  `INSERT OR IGNORE INTO keys SELECT ?1, ?2, ?3, ?4 WHERE ?5 IS NULL OR EXISTS (SELECT 1 FROM keys WHERE key_id = ?5)`,
);
const destroySession = keyDatabase.prepare(
  'DELETE FROM keys WHERE owner = ? AND session = ? RETURNING key_id',
);
const destroyOwner = keyDatabase.prepare('DELETE FROM keys WHERE owner = ? RETURNING key_id');
// Destroying a partition's key also destroys the keys it wraps, including one made since the ids were listed.
const destroyIds = keyDatabase.prepare(
  `DELETE FROM keys WHERE key_id IN (SELECT value FROM json_each(?1)) OR owner IN (
     SELECT owner FROM keys WHERE session = '${PARTITION}' AND key_id IN (SELECT value FROM json_each(?1))
   ) RETURNING key_id`,
);
const ends = log.ends();

const ports = new Set<MessagePort>();
let queue: { port: MessagePort; request: WriterRequest }[] = [];
let scheduled = false;

const inTransaction = (database: { exec(sql: string): void }, work: () => void): void => {
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

const destroy = (what: NonNullable<WriterRequest['destroy']>): string[] => {
  const rows =
    'keyIds' in what
      ? destroyIds.all(JSON.stringify(what.keyIds))
      : what.session === undefined
        ? destroyOwner.all(what.owner)
        : destroySession.all(what.owner, what.session);
  return rows.map(row => String(row.key_id));
};

/** Ids of the keys that each request destroyed. */
const writeKeys = (batch: typeof queue): Map<WriterRequest, string[]> => {
  const destroyed = new Map<WriterRequest, string[]>();
  if (!batch.some(({ request }) => request.keys?.length || request.destroy)) return destroyed;
  inTransaction(keyDatabase, () => {
    for (const { request } of batch) {
      for (const { keyId, owner, session, wrapped, under } of request.keys ?? [])
        putKey.run(keyId, owner, session, wrapped, under ?? null);
      if (request.destroy) destroyed.set(request, destroy(request.destroy));
    }
  });
  if (destroyed.size > 0) {
    // A destroyed key must not remain in the WAL or in other threads' caches.
    keyDatabase.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const port of ports) port.postMessage({ destroyed: true } satisfies WriterReply);
  }
  return destroyed;
};

const writeLog = (batch: typeof queue): WriterReply[] => {
  const next = { ...ends };
  const replies: WriterReply[] = [];
  if (batch.some(({ request }) => request.records?.length || request.commit)) {
    inTransaction(logDatabase, () => {
      for (const { request } of batch) {
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
        replies.push({ number: request.number, places });
      }
    });
  } else {
    for (const { request } of batch) replies.push({ number: request.number, places: [] });
  }
  Object.assign(ends, next);
  return replies;
};

const drain = (): void => {
  scheduled = false;
  const batch = queue;
  queue = [];
  try {
    const destroyed = writeKeys(batch);
    const replies = writeLog(batch);
    batch.forEach(({ port, request }, i) => {
      port.postMessage({ ...replies[i], destroyed: destroyed.get(request) });
    });
    for (const port of ports) port.postMessage({ appended: true } satisfies WriterReply);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown fault';
    for (const { port, request } of batch) {
      port.postMessage({ number: request.number, error: reason } satisfies WriterReply);
    }
  }
};

const attach = (port: MessagePort): void => {
  ports.add(port);
  port.on('close', () => ports.delete(port));
  port.on('message', (request: WriterRequest) => {
    queue.push({ port, request });
    if (!scheduled) {
      scheduled = true;
      setImmediate(drain);
    }
  });
};

parentPort!.on('message', (message: { attach?: MessagePort; close?: true }) => {
  if (message.attach) attach(message.attach);
  if (message.close) {
    drain();
    for (const port of ports) port.close();
    // Truncate, so that neither the next start nor a copy of the folder needs recovery.
    logDatabase.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    keyDatabase.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    logDatabase.close();
    keyDatabase.close();
    parentPort!.postMessage('closed');
    parentPort!.close();
  }
});
parentPort!.postMessage('ready');
