import { partitionName } from '../../../core/log/positions.ts';
import { type Outgoing, offsetOf } from './records.ts';

/**
 * The most records of a send. The time of the client's grouping grows with the square of the number of
 * records of one partition.
 */
const SEND_RECORDS = 2_000;
const SEND_BYTES = 4 * 1024 * 1024;
/**
 * The most bytes of one partition in a send, unless a single record is larger: a batch must stay below the
 * topic's limit.
 */
const BATCH_BYTES = 1024 * 1024;

/** A request of at most so many bytes doesn't wait for larger ones: one caller's would hold up all others. */
const SMALL_BYTES = 64 * 1024;
/** The most bytes of larger requests in a send, for which others wait, unless a single record is larger. */
const LARGE_BYTES = 1024 * 1024;

interface Queued extends Outgoing {
  /** `bytes`: of all its records. */
  request: { bytes: number };
}

/**
 * Returns the records of the next send, and those that wait for a later one, both in their order. Each send
 * has room for small requests and for large ones: neither keep the others waiting for more than a send.
 */
export const nextSend = <T extends Queued>(queue: readonly T[]): { batch: T[]; rest: T[] } => {
  const chosen = new Set<T>();
  const batches = new Map<string, number>();
  const choose = (records: readonly T[], mostBytes: number): void => {
    let bytes = 0;
    for (const record of records) {
      const name = partitionName(record);
      const batch = batches.get(name) ?? 0;
      const isFull =
        chosen.size === SEND_RECORDS ||
        (bytes > 0 && bytes + record.bytes > mostBytes) ||
        (batch > 0 && batch + record.bytes > BATCH_BYTES);
      // The others wait with it, or records of a request would change places.
      if (isFull) return;
      chosen.add(record);
      batches.set(name, batch + record.bytes);
      bytes += record.bytes;
    }
  };
  const isLarge = ({ request }: T): boolean => request.bytes > SMALL_BYTES;
  const large = queue.filter(isLarge);
  choose(large, LARGE_BYTES);
  choose(large.length > 0 ? queue.filter(record => !isLarge(record)) : queue, SEND_BYTES);
  return { batch: queue.filter(one => chosen.has(one)), rest: queue.filter(one => !chosen.has(one)) };
};

export interface TopicMessages {
  topic: string;
  messages: Outgoing['message'][];
}

/** The part of a broker's response about one partition. */
export interface PartitionResponse {
  topicName: string;
  partition: number;
  errorCode: number;
  /** The first record's offset. */
  baseOffset?: string;
}

/** Groups the records by topic, as the client requires. */
export const topicMessages = (records: readonly Outgoing[]): TopicMessages[] => {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, message } of records) {
    const known = topics.get(topic);
    if (known) known.messages.push(message);
    else topics.set(topic, { topic, messages: [message] });
  }
  return [...topics.values()];
};

/**
 * Returns each record's offset, if the response names its partition without an error and with a base offset;
 * else undefined. A partition's records of one send are one batch, so their offsets are consecutive. A
 * partition that is named twice was stored twice (its leader moved): the first copy counts, as everywhere
 * else.
 */
export const acknowledged = (
  records: readonly Outgoing[],
  response: readonly PartitionResponse[],
): (number | undefined)[] => {
  const next = new Map<string, number>();
  for (const { topicName, partition, errorCode, baseOffset } of response) {
    const base = offsetOf(baseOffset ?? '-1');
    if (errorCode !== 0 || base < 0) continue;
    const name = partitionName({ topic: topicName, partition });
    next.set(name, Math.min(base, next.get(name) ?? base));
  }
  return records.map(({ topic, partition }) => {
    const name = partitionName({ topic, partition });
    const offset = next.get(name);
    if (offset !== undefined) next.set(name, offset + 1);
    return offset;
  });
};
