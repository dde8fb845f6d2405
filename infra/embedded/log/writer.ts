import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { ServiceError, unavailable } from '../../../services/core/errors.ts';
import type { NewRecord } from '../../../services/core/ports.ts';
import { threadFile } from '../../../services/core/thread-file.ts';
import type { WriterReply, WriterRequest } from './writer.thread.ts';

export type WriterCall = Omit<WriterRequest, 'number' | 'records' | 'values' | 'lengths'> & {
  records?: readonly NewRecord[];
};

/** The message of a call, with the records' values in one buffer that is transferred to the other thread. */
const messageOf = (
  { records, ...call }: WriterCall,
  number: number,
): { message: WriterRequest; moved: ArrayBuffer[] } => {
  if (!records || records.length === 0) return { message: { ...call, number }, moved: [] };
  const lengths = records.map(({ value }) => value.length);
  const values = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  const heads = records.map(({ value, ...head }) => {
    values.set(value, at);
    at += value.length;
    return head;
  });
  return { message: { ...call, number, records: heads, values, lengths }, moved: [values.buffer] };
};

type Done = Extract<WriterReply, { places: unknown }>;

/** A connection to the writer thread, from the main thread or another one. */
export interface WriterConnection {
  request(request: WriterCall): Promise<Done['places']>;
  /** Resolves with the ids of the destroyed keys. */
  destroy(what: NonNullable<WriterRequest['destroy']>): Promise<string[]>;
  onAppend(listener: () => void): () => void;
  /** Calls back after keys were destroyed, by any thread. */
  onDestroyed(listener: () => void): () => void;
  /** Waits for pending requests. */
  close(): Promise<void>;
}

/** Requests of one connection that may wait for the disk; more are refused. */
const MOST_PENDING = 4_096;

export const connectWriter = (port: MessagePort): WriterConnection => {
  type Pending = { resolve: (done: Done) => void; reject: (error: Error) => void };
  const pending = new Map<number, Pending>();
  const listeners = { appended: new Set<() => void>(), destroyed: new Set<() => void>() };
  let number = 0;
  let closed = false;
  let idle: (() => void) | undefined;

  port.on('message', (reply: WriterReply) => {
    if (!('number' in reply)) {
      for (const listener of listeners['appended' in reply ? 'appended' : 'destroyed']) listener();
      return;
    }
    const waiting = pending.get(reply.number);
    pending.delete(reply.number);
    if ('error' in reply)
      waiting?.reject(unavailable("The event log can't be written right now.", reply.error));
    else waiting?.resolve(reply);
    if (pending.size === 0) idle?.();
  });
  // The writer died: reject pending requests.
  port.on('close', () => {
    closed = true;
    for (const { reject } of pending.values()) reject(unavailable('The event log was closed.'));
    pending.clear();
    idle?.();
  });

  const send = (call: WriterCall): Promise<Done> =>
    new Promise((resolve, reject) => {
      if (pending.size >= MOST_PENDING) {
        return reject(unavailable('The log has too many pending writes.'));
      }
      if (closed)
        return reject(new ServiceError('unavailable', 'The event log is closed.', { retryAfter: 1 }));
      const { message, moved } = messageOf(call, ++number);
      pending.set(message.number, { resolve, reject });
      port.postMessage(message, moved);
    });
  const listen = (to: Set<() => void>, listener: () => void): (() => void) => {
    to.add(listener);
    return () => to.delete(listener);
  };

  return {
    request: async call => (await send(call)).places,
    destroy: async what => (await send({ destroy: what })).destroyed ?? [],
    onAppend: listener => listen(listeners.appended, listener),
    onDestroyed: listener => listen(listeners.destroyed, listener),
    close: async () => {
      if (pending.size > 0 && !closed) await new Promise<void>(resolve => (idle = resolve));
      port.close();
    },
  };
};

export interface Writer {
  /** A new connection; hand the port to `connectWriter` in any thread. */
  port(): MessagePort;
  /** Ends the thread after all its requests are durable. */
  close(): Promise<void>;
}

/** Starts the writer thread; rejects when the files can't be opened. `onDeath` is called when it ends unexpectedly. */
export const startWriter = async (
  paths: { logPath: string; keysPath: string },
  onDeath: (error: Error) => void,
): Promise<Writer> => {
  const worker = new Worker(threadFile(import.meta.url, 'writer'), {
    workerData: paths,
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  let closing = false;
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  worker.on('error', error => !closing && onDeath(error as Error));
  worker.on('exit', () => !closing && onDeath(new Error('the writer thread ended')));
  return {
    port: () => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ attach: port1 }, [port1]);
      return port2;
    },
    close: async () => {
      closing = true;
      const closed = new Promise<void>(resolve => worker.once('exit', () => resolve()));
      worker.postMessage({ close: true });
      await closed;
    },
  };
};
