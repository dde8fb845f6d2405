import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../../../core/errors.ts';
import { notStored } from '../../../core/log/not-stored.ts';
import type { NewProducer } from './client/kafka-client.ts';
import { makeDelivery } from './delivery.ts';
import { nextSend } from './next-send.ts';
import type { Outgoing } from './records.ts';
import { makeRequest, type Waiting } from './requests.ts';

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
   * requests are marked (not-stored.ts). `until`: an earlier deadline, by the clock of `performance.now()`.
   */
  append(records: readonly Outgoing[], until?: number): Promise<number[]>;
  /** Refuses new records and sends the remaining ones. */
  close(): Promise<void>;
}

/** After this time without success a moving leader is not the likely cause: new requests fail at once. */
const FAILING_MS = 10_000;
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
      if (wait > 0 && nextSend(queue).rest.length === 0) await sleep(wait);
      const alive = queue.filter(({ request }) => !request.settled);
      for (const record of queue) if (record.request.settled) free(record);
      const { batch, rest } = nextSend(alive);
      queue = rest;
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
    append: async (records, until = Number.POSITIVE_INFINITY) => {
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
      const since = performance.now();
      const { request, offsets } = makeRequest(
        records.length,
        bytes,
        Math.max(0, Math.min(deadline, until - since)),
      );
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
