import { setTimeout as sleep } from 'node:timers/promises';
import type { ICustomPartitioner } from 'kafkajs';
import { unavailable } from '../../../core/errors.ts';
import { notStored } from '../../../core/log/not-stored.ts';
import { connectKafka, type KafkaPlace } from './client/client.ts';
import { answerWithin } from './persist.ts';
import type { Outgoing } from './records.ts';
import { acknowledged, nextSend, type PartitionResponse, type TopicMessages, topicMessages } from './send.ts';

/** Chooses a message's partition; called again at each attempt. */
export type CreatePartitioner = () => (of: { message: Outgoing['message'] }) => number;

/** Creates a client's producer: idempotent, with one request in flight. */
export type NewProducer = (createPartitioner: CreatePartitioner) => {
  connect(): Promise<void>;
  sendBatch(batch: {
    acks: number;
    timeout: number;
    topicMessages: TopicMessages[];
  }): Promise<PartitionResponse[]>;
  disconnect(): Promise<void>;
};

/** Creates a producer that retries for two to three seconds by itself; after that it is replaced. */
export const newProducer =
  (place: KafkaPlace, clientId: string): NewProducer =>
  createPartitioner =>
    connectKafka(place, clientId).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: createPartitioner as ICustomPartitioner,
    });

export interface BatchingOptions {
  /** Milliseconds that the first record waits for others to share its send. */
  linger?: number;
  /** Limits of the records that wait or are being sent. */
  bufferBytes?: number;
  bufferRecords?: number;
  /** Milliseconds after which a request is rejected. */
  deadline?: number;
  onTrouble?: (error: unknown) => void;
}

export interface BatchingProducer {
  /**
   * Resolves with each record's offset once all are acknowledged. Rejects with `unavailable` at once if the
   * buffer is full or no send has succeeded for some seconds, and at the deadline: a request of which nothing
   * was sent by then is dropped; of any other it is unknown how much was or will be stored. Errors of unsent
   * requests are marked (not-stored.ts).
   */
  append(records: readonly Outgoing[]): Promise<number[]>;
  /** Refuses new records and sends the remaining ones. */
  close(): Promise<void>;
}

interface Request {
  offsets: number[];
  /** Number of records without an acknowledgement. */
  open: number;
  settled: boolean;
  /** A producer got some of its records. */
  sent: boolean;
  resolve: (offsets: number[]) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

interface Waiting extends Outgoing {
  request: Request;
  /** The record's index in its request. */
  index: number;
  /** Milliseconds on the process's clock. */
  since: number;
}

interface Connection {
  producer: ReturnType<NewProducer>;
  /** The number of messages assigned to partitions, over all attempts. */
  placed: number;
}

/** Milliseconds after which a send counts as rejected. */
const SEND_TIME = 20_000;
/** After this time without success a moving leader is not the likely cause: new requests fail at once. */
const FAILING_MS = 10_000;
/** The producer is discarded after so many successive responses that name none of the missing partitions. */
const FRUITLESS = 5;

/**
 * Returns the process's only producer of the log. Requests share sends, and one send is in flight at a time.
 * The log may contain a record twice; the offset returned is that of one copy in the log.
 */
export const makeBatchingProducer = (
  newProducer: NewProducer,
  options: BatchingOptions = {},
): BatchingProducer => {
  const { linger = 3, bufferBytes = 64 * 1024 * 1024, bufferRecords = 100_000, deadline = 30_000 } = options;
  const delivery = makeDelivery(newProducer, options.onTrouble ?? (() => {}));
  let queue: Waiting[] = [];
  let pumping: Promise<void> | undefined;
  let heldBytes = 0;
  let heldRecords = 0;
  let closed = false;

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const wait = queue[0]!.since + linger - performance.now();
      if (wait > 0 && nextSend(queue) === queue.length) await sleep(wait);
      const alive = queue.filter(({ request }) => !request.settled);
      for (const record of queue) if (record.request.settled) free(record);
      const count = nextSend(alive);
      const batch = alive.slice(0, count);
      queue = alive.slice(count);
      await delivery.deliver(batch);
      for (const record of batch) free(record);
    }
    pumping = undefined;
  };

  const free = ({ bytes }: Outgoing): void => {
    heldBytes -= bytes;
    heldRecords--;
  };

  return {
    append: async records => {
      if (closed) throw notStored(unavailable('the log is closing'));
      if (records.length === 0) return [];
      const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
      // The held requests keep trying to reach the log; if there are none, this one tries.
      if (heldRecords > 0 && delivery.failingMs() > FAILING_MS) {
        throw notStored(unavailable('the log is unreachable', undefined, 2));
      }
      if (heldBytes + bytes > bufferBytes || heldRecords + records.length > bufferRecords) {
        throw notStored(unavailable('the log takes less than is written: its buffer is full'));
      }
      heldBytes += bytes;
      heldRecords += records.length;
      const { request, offsets } = makeRequest(records.length, deadline);
      const since = performance.now();
      records.forEach((record, index) => void queue.push({ ...record, request, index, since }));
      pumping ??= pump();
      return offsets;
    },
    close: async () => {
      closed = true;
      await pumping;
      await delivery.discard();
    },
  };
};

/** `deadline`: milliseconds after which `offsets` rejects. */
const makeRequest = (records: number, deadline: number): { request: Request; offsets: Promise<number[]> } => {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const request: Request = {
    offsets: new Array<number>(records),
    open: records,
    settled: false,
    sent: false,
    resolve,
    reject,
    timer: undefined,
  };
  request.timer = setTimeout(giveUp, deadline, request);
  return { request, offsets: promise };
};

const settle = ({ request, index }: Waiting, offset: number): void => {
  request.offsets[index] = offset;
  request.open--;
  if (request.open > 0 || request.settled) return;
  request.settled = true;
  clearTimeout(request.timer);
  request.resolve(request.offsets);
};

const giveUp = (request: Request): void => {
  if (request.settled) return;
  request.settled = true;
  const error = unavailable('the log did not acknowledge in time');
  request.reject(request.sent ? error : notStored(error));
};

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
const makeDelivery = (newProducer: NewProducer, onTrouble: (error: unknown) => void) => {
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
        const before = connection.placed;
        const rest = await send(connection, missing);
        inDoubt ||= connection.placed - before > missing.length;
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
      made.placed++;
      return message.partition;
    };
  const made: Connection = { producer: newProducer(partitioner), placed: 0 };
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
