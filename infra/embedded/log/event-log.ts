import { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../../../core/errors.ts';
import { addressName } from '../../../core/log/positions.ts';
import { PAGE_BYTES } from '../../../core/ports/log/event-log.ts';
import type { LogRecord, PolledLog, RecordAddress, Topic } from '../../../core/ports.ts';
import { asUnavailable } from '../sqlite-errors.ts';
import { partitionOf, prepareLog } from './log-database.ts';
import type { WriterConnection } from './writer-connection.ts';

/** Opens the log for one thread: appends go to the writer thread, reads use a connection of this thread. */
export const openEventLog = (path: string, writer: WriterConnection): PolledLog => {
  const log = openOwnLog(path, writer);
  const orUnavailable = (error: unknown): never => {
    throw asUnavailable(error);
  };
  return {
    ...log,
    read: (...page) => log.read(...page).catch(orUnavailable),
    ends: () => log.ends().catch(orUnavailable),
    committed: group => log.committed(group).catch(orUnavailable),
  };
};

/** Returns the error of a lost record. Nothing can replace it, so reading fails loudly and stops there. */
const missing = (address: RecordAddress): Error =>
  unavailable(`The log is damaged: it lacks the record ${addressName(address)}.`, undefined, 60);

const openOwnLog = (path: string, writer: WriterConnection): PolledLog => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const log = prepareLog(database);
  /**
   * Reads a page. Offsets have no gaps: a damaged file that lacks some must not look like one that ends
   * earlier.
   */
  const readPage = (topic: Topic, partition: number, offset: number, limit: number): LogRecord[] => {
    const rows = log.read(topic, partition).iterate(offset, limit) as unknown as Iterable<
      [number, Uint8Array, string | null]
    >;
    const page: LogRecord[] = [];
    let bytes = 0;
    for (const [at, value, headers] of rows) {
      const next = offset + page.length;
      if (at !== next) throw missing({ topic, partition, offset: next });
      bytes += value.length;
      if (bytes > PAGE_BYTES && page.length > 0) break;
      page.push({
        topic,
        partition,
        offset: at,
        value,
        headers: headers === null ? {} : JSON.parse(headers),
      });
    }
    return page;
  };
  return {
    append: (records, commit) => writer.request({ records, commit }),
    read: async (topic, partition, offset, limit) => {
      const page = readPage(topic, partition, offset, limit);
      // Records below the end must exist. Read again: an append may have come between the two.
      if (page.length === 0 && limit > 0 && log.end(topic, partition) > offset) {
        if (readPage(topic, partition, offset, limit).length === 0)
          throw missing({ topic, partition, offset });
      }
      return page;
    },
    ends: async () => log.ends(),
    partitionOf,
    committed: async group => log.committed(group),
    onAppend: writer.onAppend,
    close: async () => {
      await writer.close();
      database.close();
    },
  };
};
