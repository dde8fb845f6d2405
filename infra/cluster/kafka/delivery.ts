import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatePartitioner, NewProducer } from './client/kafka-client.ts';
import { acknowledged, topicMessages } from './next-send.ts';
import { answerWithin } from './persist.ts';
import { settle, type Waiting } from './requests.ts';

interface Connection {
  producer: ReturnType<NewProducer>;
  /** The number of messages assigned to partitions, over all attempts. */
  appended: number;
}

/** Milliseconds after which a send counts as rejected. */
const SEND_TIME = 20_000;
/** The producer is discarded after so many successive responses that name none of the missing partitions. */
const FRUITLESS = 5;

/**
 * kafkajs 2.2.4 loses acknowledged records when leaders move, unless
 *  1. every record's partition is fixed before it is sent, and one send at a time is awaited;
 *  2. a send counts only as far as its response names the partition with a base offset;
 *  3. missing records are sent again first, complete and unchanged, before anything else on that producer;
 *  4. the producer is discarded after a rejected send;
 *  5. and after a send that it retried itself, once no record of it is missing. During a retry, partitions
 *     that were stored may be stored again at another broker and their sequence numbers reset: a later batch
 *     of that size would then be taken for a duplicate, and dropped.
 */
export const makeDelivery = (newProducer: NewProducer, onTrouble: (error: unknown) => void) => {
  let connection: Connection | undefined;
  /** When the first send failed after the last success, on the process's clock. */
  let failingSince: number | undefined;

  const discard = async (): Promise<void> => {
    const old = connection;
    connection = undefined;
    // Wait for its sends in flight: a late copy would follow the records that are sent next.
    if (old)
      await Promise.race([
        old.producer.disconnect().catch(() => {}),
        sleep(5_000, undefined, { ref: false }),
      ]);
  };

  /** Returns when every record is acknowledged, or its request has expired and no producer holds it. */
  const deliver = async (batch: Waiting[]): Promise<void> => {
    let missing = batch;
    let fruitless = 0;
    let inDoubt = false;
    for (let pause = 50; missing.length > 0; pause = Math.min(pause * 2, 1_000)) {
      try {
        if (!connection) {
          connection = await connect(newProducer);
          // This connection has been sent nothing yet, so the batch may change: expired requests are removed
          // and never sent.
          missing = missing.filter(({ request }) => !request.settled);
          if (missing.length === 0) break;
        }
        const before = connection.appended;
        const rest = await send(connection, missing);
        inDoubt ||= connection.appended - before > missing.length;
        fruitless = rest.length === missing.length ? fruitless + 1 : 0;
        if (fruitless === 0) failingSince = undefined;
        missing = rest;
        if (fruitless === FRUITLESS) throw new Error('the response names none of the partitions');
        if (fruitless > 0) await sleep(pause);
        else pause = 50;
      } catch (error) {
        onTrouble(error);
        failingSince ??= performance.now();
        fruitless = 0;
        inDoubt = false;
        await discard();
        // The next producer has no sequence numbers at any broker yet: the batch may change only here.
        missing = missing.filter(({ request }) => !request.settled);
        if (missing.length > 0) await sleep(pause);
      }
    }
    if (inDoubt) await discard();
  };

  return {
    deliver,
    discard,
    failingMs: (): number => (failingSince === undefined ? 0 : performance.now() - failingSince),
  };
};

const connect = async (newProducer: NewProducer): Promise<Connection> => {
  const partitioner: CreatePartitioner =
    () =>
    ({ message }) => {
      made.appended++;
      return message.partition;
    };
  const made: Connection = { producer: newProducer(partitioner), appended: 0 };
  try {
    await answerWithin(SEND_TIME, made.producer.connect());
  } catch (error) {
    void made.producer.disconnect().catch(() => {});
    throw error;
  }
  return made;
};

/** Settles the records that the response acknowledges; returns the rest. */
const send = async ({ producer }: Connection, records: readonly Waiting[]): Promise<Waiting[]> => {
  for (const { request } of records) request.sent = true;
  const sending = producer.sendBatch({ acks: -1, timeout: 10_000, topicMessages: topicMessages(records) });
  const response = await answerWithin(SEND_TIME, sending);
  const offsets = acknowledged(records, response);
  return records.filter((record, i) => {
    const offset = offsets[i];
    if (offset !== undefined) settle(record, offset);
    return offset === undefined;
  });
};
