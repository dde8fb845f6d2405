/** The two synced files and the statements that write them. */
import type { DatabaseSync } from 'node:sqlite';
import { partitionName } from '../../../core/log/positions.ts';
import { inTransaction } from '../in-transaction.ts';
import { createKeyDatabase } from '../keys/key-database.ts';
import { openKeyWriter, type WrittenKeys } from '../keys/key-writer.ts';
import { createLogDatabase, partitionOf, prepareLog } from './log-database.ts';
import type { WriterReply, WriterRequest } from './writer-messages.ts';

export interface WriterFiles {
  /**
   * Stores, destroys and sweeps the requests' keys in one commit, then writes the requests' records in
   * another. Calls `onDestroyed` between the two if keys were destroyed or replaced. Throws if a commit
   * fails: then it is unknown what was stored, and the files must be reopened before the next call.
   */
  write(requests: readonly WriterRequest[], onDestroyed: () => void): WriterReply[];
  /**
   * Truncates the write-ahead logs, so that neither the next start nor a copy of the folder needs recovery.
   */
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
        const written = writeKeys(requests);
        // Other threads must drop their copies even if the truncation below fails.
        if (written.destroyed.size > 0 || written.isReplaced) onDestroyed();
        // A destroyed key must not remain in the WAL, nor a key's former wrapping, nor the owner of swept
        // keys.
        const leaves = written.destroyed.size > 0 || requests.some(({ rewrapped }) => rewrapped);
        if (leaves || [...written.swept.values()].some(({ isLast }) => isLast)) truncate(keyDatabase);
        return writeLog(requests, written);
      },
      settle,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

/** Returns the words of an error for those who made the request. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'unknown fault';

const truncate = (database: DatabaseSync): void => database.exec('PRAGMA wal_checkpoint(TRUNCATE)');

/** Writes a request's records, and returns the reply to it. */
type Insert = () => WriterReply;

const openLogWriter = (database: DatabaseSync) => {
  const log = prepareLog(database);
  const ends = log.ends();
  return (requests: readonly WriterRequest[], { destroyed, swept }: WrittenKeys): WriterReply[] => {
    const next = { ...ends };
    /** Does all that depends on the request alone. */
    const prepare = (request: WriterRequest): Insert => {
      let at = 0;
      const rows = (request.records ?? []).map(({ topic, key, headers, partition = partitionOf(key) }, i) => {
        const value = request.values!.subarray(at, at + request.lengths![i]!);
        at += value.length;
        const name = partitionName({ topic, partition });
        const insert = log.insert(topic, partition);
        return { topic, partition, name, insert, value, headers: headers ? JSON.stringify(headers) : null };
      });
      return () => {
        const addresses = rows.map(({ topic, partition, name, insert, value, headers }) => {
          const offset = next[name]!;
          next[name] = offset + 1;
          insert.run(offset, value, headers);
          return { topic, partition, offset };
        });
        if (request.commit) log.commit(request.commit.group, request.commit.positions);
        const gone = destroyed.get(request);
        const removed = swept.get(request);
        return {
          number: request.number,
          addresses,
          ...(gone && { destroyed: gone }),
          ...(removed && { swept: removed }),
        };
      };
    };
    const inserts = requests.map((request): Insert => {
      try {
        return prepare(request);
      } catch (error) {
        // A fault of one request is not one of those that share its commit.
        const reply = { number: request.number, error: reasonOf(error) };
        return () => reply;
      }
    });
    let replies: WriterReply[] = [];
    const work = (): void => {
      replies = inserts.map(insert => insert());
    };
    if (requests.some(request => request.records?.length || request.commit)) inTransaction(database, work);
    else work();
    Object.assign(ends, next);
    return replies;
  };
};
