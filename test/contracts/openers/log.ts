/** Reads and writes the log of a data folder that no server runs on, through its adapters. */

import { type Event, makeDecode } from '../../../core/log/events.ts';
import { readPages } from '../../../core/log/read.ts';
import type { KeyStore, LogRecord, PolledLog, Topic } from '../../../core/ports.ts';
import { openDataFolder } from '../../../infra/embedded/data-folder.ts';
import { openKeyStore } from '../../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../infra/embedded/log/writer-connection.ts';
import type { Registry } from '../../../schemas/events/registry.ts';

export interface OpenFolder {
  log: PolledLog;
  keys: KeyStore;
  /** All records of a topic, partition by partition. */
  records(topic: Topic): Promise<LogRecord[]>;
  /** Those that decode to events. */
  events(topic: Topic): Promise<Event[]>;
  close(): Promise<void>;
}

/**
 * Throws `conflict` while a server runs on the folder.
 *
 * @param known the registry of the build that wrote it
 */
export const openFolder = async (folder: string, known?: Registry): Promise<OpenFolder> => {
  const { paths, installationKeys, release } = openDataFolder(folder);
  const writer = await startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
    throw error;
  });
  const connection = connectWriter(writer.port());
  const log = openEventLog(paths.log, connection);
  const keys = openKeyStore(paths.keys, installationKeys, connection);
  const decode = makeDecode(keys, known);

  const records = async (topic: Topic): Promise<LogRecord[]> => {
    const found: LogRecord[] = [];
    for await (const page of readPages(log, { topics: [topic], to: await log.ends() }))
      found.push(...page.records);
    return found;
  };
  return {
    log,
    keys,
    records,
    events: async topic => {
      const decoded = await Promise.all((await records(topic)).map(decode));
      return decoded.flatMap(each => (each.kind === 'events' ? each.events : []));
    },
    close: async () => {
      await keys.close();
      await log.close();
      await writer.close();
      release();
    },
  };
};

/** Opens the folder, does the work, closes it. */
export const inFolder = async <T>(
  folder: string,
  work: (open: OpenFolder) => Promise<T>,
  known?: Registry,
): Promise<T> => {
  const open = await openFolder(folder, known);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
};

/**
 * Returns what the log says was billed from this day on (`2027-03-01`): every distinct turn and every
 * distinct recall once.
 */
export const billedByLog = (
  folder: string,
  since = '',
  known?: Registry,
): Promise<{ tokens_in: number; tokens_out: number; turns: Set<string> }> =>
  inFolder(
    folder,
    async ({ events }) => {
      const turns = new Map<string, number>();
      const after = ({ recorded_at }: Event): boolean => recorded_at >= since;
      for (const { type, id, tokens } of (await events('turns')).filter(after)) {
        if (type === 'turn.recorded' && !turns.has(id)) turns.set(id, tokens!);
      }
      const recalls = new Map(
        (await events('usage'))
          .filter(after)
          .map(({ id, data }) => [id, data as { tokens_in: number; tokens_out: number }]),
      );
      const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
      return {
        tokens_in: sum(turns.values()) + sum([...recalls.values()].map(each => each.tokens_in)),
        tokens_out: sum([...recalls.values()].map(each => each.tokens_out)),
        turns: new Set(turns.keys()),
      };
    },
    known,
  );
