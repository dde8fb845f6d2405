import type { EventLog, LogRecord, NewRecord, RecordAddress, Topic } from '../../../core/ports.ts';

export interface MemoryLog extends EventLog {
  /** Before anything is stored; what it throws is an append that stored nothing. */
  before: (records: readonly NewRecord[]) => void | Promise<void>;
  /** After all is stored; what it throws is an append that was stored and not acknowledged. */
  after: (records: readonly NewRecord[]) => void | Promise<void>;
  /** All of a topic, partition by partition. */
  records(topic: Topic): LogRecord[];
  /**
   * Compacts a topic: of each name the last record is left. With `tombstones` these go too, but one at the
   * end: it is in the open segment.
   */
  compact(topic: Topic, tombstones?: boolean): void;
}

/** A log of several partitions in memory, which many stores may share, as processes share Kafka. */
export const memoryLog = (partitions = 4): MemoryLog => {
  const stored = new Map<string, LogRecord[]>();
  const ends = new Map<string, number>();
  const topics: Topic[] = ['turns', 'observations', 'usage', 'accounts', 'audit', 'dead-letters', 'keys'];
  for (const topic of topics) {
    for (let n = 0; n < partitions; n++) {
      stored.set(`${topic}/${n}`, []);
      ends.set(`${topic}/${n}`, 0);
    }
  }
  const partitionOf = (key: string): number =>
    [...Buffer.from(key)].reduce((hash, byte) => (hash * 31 + byte) % 65_521, 7) % partitions;
  const of = (topic: Topic): string[] =>
    [...stored.keys()].filter(topicPartition => topicPartition.startsWith(`${topic}/`));

  const log: MemoryLog = {
    before: () => {},
    after: () => {},
    append: async records => {
      await log.before(records);
      const addresses = records.map(
        ({ topic, key, value, headers, name, partition = partitionOf(key) }): RecordAddress => {
          const topicPartition = `${topic}/${partition}`;
          const offset = ends.get(topicPartition)!;
          ends.set(topicPartition, offset + 1);
          stored.get(topicPartition)!.push({
            topic,
            partition,
            offset,
            ...(name === undefined ? {} : { name }),
            value: Uint8Array.from(value),
            headers: { ...headers },
          });
          return { topic, partition, offset };
        },
      );
      await log.after(records);
      return addresses;
    },
    read: async (topic, partition, offset, limit) =>
      stored
        .get(`${topic}/${partition}`)!
        .filter(record => record.offset >= offset)
        .slice(0, limit),
    ends: async () => Object.fromEntries(ends),
    partitionOf,
    close: async () => {},
    records: topic => of(topic).flatMap(topicPartition => stored.get(topicPartition)!),
    compact: (topic, tombstones = false) => {
      for (const topicPartition of of(topic)) {
        const last = new Map(stored.get(topicPartition)!.map(record => [record.name, record]));
        const all = stored.get(topicPartition)!;
        const left = all.filter(
          record =>
            record === all.at(-1) ||
            (last.get(record.name) === record && !(tombstones && record.value.length === 0)),
        );
        stored.set(topicPartition, left);
      }
    },
  };
  return log;
};
