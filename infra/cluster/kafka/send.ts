import type { RecordMetadata, TopicMessages } from 'kafkajs';
import { type Outgoing, offsetOf } from './records.ts';

/**
 * Records a send carries: few enough for the client's grouping, whose time grows with the square of what one
 * partition gets.
 */
const SEND_RECORDS = 2_000;
const SEND_BYTES = 4 * 1024 * 1024;
/** Of one partition in a send, unless a single record is larger: a batch must stay below the topic's limit. */
const BATCH_BYTES = 1024 * 1024;

/** How many from the front make the next send. In order: nothing overtakes what went before it. */
export const nextSend = (queue: readonly Outgoing[]): number => {
  let bytes = 0;
  let count = 0;
  const batches = new Map<string, number>();
  for (const record of queue) {
    const place = placeIn(record.topic, record.partition);
    const batch = batches.get(place) ?? 0;
    const full =
      count === SEND_RECORDS ||
      (count > 0 && bytes + record.bytes > SEND_BYTES) ||
      (batch > 0 && batch + record.bytes > BATCH_BYTES);
    if (full) break;
    batches.set(place, batch + record.bytes);
    bytes += record.bytes;
    count++;
  }
  return count;
};

const placeIn = (topic: string, partition: number): string => `${topic}/${partition}`;

/** The records by their topics, as the client wants them. */
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
 * Each record's offset, as far as the response names its partition, without an error and with a base offset; the
 * others have none. A partition's records of one send are one batch, so they lie side by side. A partition that is
 * named twice was stored twice (its leader moved): the first copy counts, here as everywhere.
 */
export const acknowledged = (
  records: readonly Outgoing[],
  response: readonly RecordMetadata[],
): (number | undefined)[] => {
  const next = new Map<string, number>();
  for (const { topicName, partition, errorCode, baseOffset } of response) {
    const base = offsetOf(baseOffset ?? '-1');
    if (errorCode !== 0 || base < 0) continue;
    const place = placeIn(topicName, partition);
    next.set(place, Math.min(base, next.get(place) ?? base));
  }
  return records.map(({ topic, partition }) => {
    const place = placeIn(topic, partition);
    const offset = next.get(place);
    if (offset !== undefined) next.set(place, offset + 1);
    return offset;
  });
};
