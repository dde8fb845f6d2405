import { DatabaseSync } from 'node:sqlite';
import type { LogRecord, PolledLog } from '../../../services/core/ports.ts';
import { prepareLog } from './log-database.ts';
import type { WriterConnection } from './writer.ts';

/** The log for one thread: appends go to the writer thread, reads use a connection of this thread. */
export const openEventLog = (path: string, writer: WriterConnection): PolledLog => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const log = prepareLog(database);
  return {
    append: (records, commit) => writer.request({ records, commit }),
    read: async (topic, partition, offset, limit) => {
      const rows = log.read(topic, partition).all(offset, limit) as unknown as [
        number,
        Uint8Array,
        string | null,
      ][];
      return rows.map(
        ([at, value, headers]): LogRecord => ({
          topic,
          partition,
          offset: at,
          value,
          headers: headers === null ? {} : JSON.parse(headers),
        }),
      );
    },
    ends: async () => log.ends(),
    committed: async group => log.committed(group),
    onAppend: writer.onAppend,
    close: async () => {
      await writer.close();
      database.close();
    },
  };
};
