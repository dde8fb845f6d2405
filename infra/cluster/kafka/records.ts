import type { IHeaders, Message } from 'kafkajs';
import { fnv1a } from '../../../projections/language/fnv.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { LogRecord, NewRecord, Positions, Topic } from '../../../services/core/ports.ts';

export const TOPICS: readonly Topic[] = [
  'turns',
  'observations',
  'usage',
  'accounts',
  'keys',
  'dead-letters',
];

/** Topics in which a later record replaces an earlier one of its name. */
const COMPACTED: ReadonlySet<Topic> = new Set(['keys']);

export const isCompacted = (topic: Topic): boolean => COMPACTED.has(topic);

/**
 * Bytes of a batch of records that a topic takes. A request's body has at most 4 MiB (API.md), and all of it may be
 * one turn with its observations; sealed and written in base64 that is 5.4 MiB, and an envelope around it.
 */
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** Of one record, with room for what Kafka adds to a batch. */
export const MAX_RECORD_BYTES = MAX_BATCH_BYTES - 64 * 1024;

type Named = Pick<ClusterConfig, 'namespace'>;

export const topicName = ({ namespace }: Named, topic: Topic): string => `${namespace}.${topic}`;
export const groupName = ({ namespace }: Named, group: string): string => `${namespace}.${group}`;

/** The other way; undefined: a topic of somebody else. */
export const topicOf = (config: Named, name: string): Topic | undefined =>
  TOPICS.find(topic => topicName(config, topic) === name);

export const placeOf = (topic: Topic, partition: number): string => `${topic}/${partition}`;

/** Every place of these topics, at the offset that `at` tells of. */
export const positionsOf = (
  { partitions }: Pick<ClusterConfig, 'partitions'>,
  topics: readonly Topic[],
  at: (topic: Topic, partition: number) => number,
): Positions => {
  const positions: Positions = {};
  for (const topic of topics) {
    for (let partition = 0; partition < partitions; partition++) {
      positions[placeOf(topic, partition)] = at(topic, partition);
    }
  }
  return positions;
};

/** Ours, not the client's: stable over restarts, versions and clients. */
export const partitionOf = (key: string, partitions: number): number => fnv1a(key) % partitions;

/** What Kafka needs beside key, value and headers (record and batch format 2: lengths, deltas). */
const OVERHEAD = 80;

/** A record on its way: where it goes is fixed before it is sent for the first time. */
export interface Outgoing {
  /** As Kafka names it. */
  topic: string;
  partition: number;
  message: Message & { partition: number };
  bytes: number;
}

/**
 * The key stays with us: it names a user and a session, and what is in the log can't be erased. Only the topic of
 * keys has names, which tell nothing of their scope.
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

/** As it comes from the log, from whichever part of the client. */
export interface Incoming {
  offset: string;
  key: Buffer | null;
  value: Buffer | null;
  headers?: IHeaders;
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

/** Kafka's offsets are 64 bits wide; ours are exact up to 2^53, and no log gets there. */
export const offsetOf = (offset: string): number => {
  const exact = Number(offset);
  if (!Number.isSafeInteger(exact)) throw new Error('an offset beyond 2^53');
  return exact;
};
