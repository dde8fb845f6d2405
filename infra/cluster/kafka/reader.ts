import { partitionName } from '../../../core/log/positions.ts';
import { PAGE_BYTES } from '../../../core/ports/log/event-log.ts';
import type { LogRecord, Positions, Topic } from '../../../core/ports.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { openFetcher } from './client/fetcher.ts';
import { type KafkaConnection, LostRecords } from './client/kafka-client.ts';
import { renewable } from './persist.ts';
import { logRecord, positionsOf, TOPICS, topicName } from './records.ts';

/** The number of fetches whose records are cached for later reads, and their bytes. */
const KEPT = 16;
const KEPT_BYTES = 32 * 1024 * 1024;

export interface LogReader {
  read(topic: Topic, partition: number, offset: number, limit: number): Promise<LogRecord[]>;
  ends(): Promise<Positions>;
  close(): Promise<void>;
}

type ReaderConfig = KafkaConnection & Pick<ClusterConfig, 'namespace' | 'partitions'>;

/** All records of a partition between the offsets `from` and `next`. */
interface Chunk {
  from: number;
  next: number;
  records: LogRecord[];
  bytes: number;
}

/** Reads any partition at any offset. */
export const makeLogReader = (config: ReaderConfig, clientId: string): LogReader => {
  const names = TOPICS.map(topic => topicName(config, topic));
  const connections = renewable(
    () => openFetcher(config, clientId, names),
    fetcher => fetcher.close(),
  );
  const kept = new Map<string, Chunk>();

  /** Resolves to undefined at the end of the partition. */
  const fetch = (topic: Topic, partition: number, from: number): Promise<Chunk | undefined> =>
    connections.use(async fetcher => {
      const name = topicName(config, topic);
      const fetched = await fetcher.fetch(name, partition, from);
      if (!fetched) {
        const begins = await fetcher.begin(name, partition);
        if (from >= begins) return undefined;
        if (topic !== 'dead-letters')
          throw new LostRecords(partitionName({ topic, partition }), from, begins);
        // Operators may delete dead letters.
        return { from, next: begins, records: [], bytes: 0 };
      }
      const { end, messages } = fetched;
      if (messages.length > 0) {
        const records = messages.map(message => logRecord(topic, partition, message));
        const bytes = records.reduce((sum, { value }) => sum + value.length, 0);
        return { from, next: records.at(-1)!.offset + 1, records, bytes };
      }
      if (from >= end) return undefined;
      // Compaction left no record in this offset's segment: find the next offset with records before the end.
      const next = await firstWhere(from + 1, end, async offset => {
        const later = await fetcher.fetch(name, partition, offset);
        if (!later) throw new Error('the partition lost records meanwhile');
        return later.messages.length > 0;
      });
      return { from, next, records: [], bytes: 0 };
    });

  const chunkAt = async (topic: Topic, partition: number, offset: number): Promise<Chunk | undefined> => {
    const name = partitionName({ topic, partition });
    const known = kept.get(name);
    if (known && offset >= known.from && offset < known.next) return known;
    const chunk = await fetch(topic, partition, offset);
    kept.delete(name);
    if (chunk) kept.set(name, chunk);
    let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [oldest, one] of kept) {
      if (oldest === name || (kept.size <= KEPT && bytes <= KEPT_BYTES)) break;
      kept.delete(oldest);
      bytes -= one.bytes;
    }
    return chunk;
  };

  return {
    read: async (topic, partition, offset, limit) => {
      const found: LogRecord[] = [];
      let bytes = 0;
      for (let at = offset; found.length < limit; ) {
        const chunk = await chunkAt(topic, partition, at);
        if (!chunk) break;
        const start = firstIndex(chunk.records, at);
        for (let i = start; i < chunk.records.length && found.length < limit; i++) {
          const record = chunk.records[i]!;
          bytes += record.value.length;
          if (bytes > PAGE_BYTES && found.length > 0) return found;
          found.push(record);
        }
        at = chunk.next;
      }
      return found;
    },
    ends: () =>
      connections.use(async fetcher => {
        const ends = await fetcher.ends(config.partitions);
        return positionsOf(config, TOPICS, (topic, partition) => {
          const end = ends.get(partitionName({ topic: topicName(config, topic), partition }));
          if (end === undefined) throw new Error('the brokers did not report every partition');
          return end;
        });
      }),
    close: connections.close,
  };
};

const firstIndex = (records: readonly LogRecord[], offset: number): number => {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (records[middle]!.offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Returns the first number from `low` to `high` for which `holds`; `high` if there is none. */
export const firstWhere = async (
  low: number,
  high: number,
  holds: (number: number) => Promise<boolean>,
): Promise<number> => {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};
