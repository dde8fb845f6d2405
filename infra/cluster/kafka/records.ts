import { partitionName } from '../../../core/log/positions.ts';
import type { LogRecord, NewRecord, Positions, Topic } from '../../../core/ports.ts';
import { fnv1a } from '../../../domain/language/words/fnv.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';

export const TOPICS: readonly Topic[] = [
  'turns',
  'observations',
  'usage',
  'accounts',
  'audit',
  'keys',
  'dead-letters',
];

/** Topics in which a record replaces earlier ones with the same name. */
const COMPACTED: ReadonlySet<Topic> = new Set(['keys']);

export const isCompacted = (topic: Topic): boolean => COMPACTED.has(topic);

/**
 * The most bytes of a batch of records in a topic. A request's body has at most 4 MiB (API.md), and a single
 * turn with its observations may fill it; sealed and in base64 that is 5.4 MiB, plus an envelope.
 */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** The most bytes of one record; leaves room for Kafka's own bytes in a batch. */
export const MAX_RECORD_BYTES = MAX_BATCH_BYTES - 64 * 1024;

type Named = Pick<ClusterConfig, 'namespace'>;

export const topicName = ({ namespace }: Named, topic: Topic): string => `${namespace}.${topic}`;
export const groupName = ({ namespace }: Named, group: string): string => `${namespace}.${group}`;

/** Names the empty topic that is created before all others and states the log's format. */
export const formatTopic = ({ namespace }: Named, format: number): string => `${namespace}.format-${format}`;

/** Inverts `topicName`; undefined for a topic that is not ours. */
export const topicOf = (config: Named, name: string): Topic | undefined =>
  TOPICS.find(topic => topicName(config, topic) === name);

/** Returns the value of `at` for every partition of these topics. */
export const positionsOf = (
  { partitions }: Pick<ClusterConfig, 'partitions'>,
  topics: readonly Topic[],
  at: (topic: Topic, partition: number) => number,
): Positions => {
  const positions: Positions = {};
  for (const topic of topics) {
    for (let partition = 0; partition < partitions; partition++) {
      positions[partitionName({ topic, partition })] = at(topic, partition);
    }
  }
  return positions;
};

/** Returns a key's partition: the same after restarts, in every version and for every client. */
export const partitionOf = (key: string, partitions: number): number => fnv1a(key) % partitions;

/** Bytes besides key, value and headers (record and batch format 2: lengths, deltas). */
const OVERHEAD = 80;

/** A record to be sent; its partition is fixed before the first attempt. */
export interface Outgoing {
  /** The topic's name in Kafka. */
  topic: string;
  partition: number;
  message: {
    partition: number;
    key: string | null;
    value: Buffer | null;
    headers?: Record<string, string>;
  };
  bytes: number;
}

/**
 * Makes the record to send. Its key is left out: it names a user and a session, and records of the log can't
 * be erased. Only records of the topic `keys` have names, which reveal nothing about their scope.
 */
export const outgoing = (
  config: Pick<ClusterConfig, 'namespace' | 'partitions'>,
  { topic, key, value, headers, name, partition = partitionOf(key, config.partitions) }: NewRecord,
): Outgoing => {
  if (!TOPICS.includes(topic)) throw new Error('the log has no such topic');
  if (isCompacted(topic) !== (name !== undefined)) {
    throw new Error(
      isCompacted(topic) ? `a record of ${topic} needs a name` : `a record of ${topic} has no name`,
    );
  }
  let bytes = OVERHEAD + value.length + (name === undefined ? 0 : Buffer.byteLength(name));
  for (const [header, text] of Object.entries(headers ?? {})) {
    bytes += Buffer.byteLength(header) + Buffer.byteLength(text) + 10;
  }
  if (bytes > MAX_RECORD_BYTES) throw new Error(`a record of ${topic} is larger than the log takes`);
  const removes = isCompacted(topic) && value.length === 0;
  return {
    topic: topicName(config, topic),
    partition,
    bytes,
    message: {
      partition,
      key: name ?? null,
      value: removes ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      ...(headers ? { headers } : {}),
    },
  };
};

/** A message as parts of the client return it. */
export interface Incoming {
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  headers?: Record<string, unknown>;
}

const NOTHING = new Uint8Array();

export const logRecord = (topic: Topic, partition: number, incoming: Incoming): LogRecord => {
  const { offset, key, value, headers } = incoming;
  return {
    topic,
    partition,
    offset: offsetOf(offset),
    ...(key === null ? {} : { name: key.toString() }),
    value: value ?? NOTHING,
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, String(text)])),
  };
};

/** Converts an offset: Kafka's have 64 bits, ours are exact up to 2^53, which no log reaches. */
export const offsetOf = (offset: string): number => {
  const exact = Number(offset);
  if (!Number.isSafeInteger(exact)) throw new Error('an offset beyond 2^53');
  return exact;
};
