import type { MessagePort } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import { notStored } from '../../../core/log/not-stored.ts';
import { gather } from '../../../core/timing/round.ts';
import type { Swept, WriterNews, WriterReply, WriterRequest } from './writer-messages.ts';
import { bytesOf, roundOf, type WriterCall } from './writer-round.ts';

type Done = Extract<WriterReply, { addresses: unknown }>;

/** A connection to the writer thread, from any thread. */
export interface WriterConnection {
  request(request: WriterCall): Promise<Done['addresses']>;
  /** Resolves with the ids of the destroyed keys. */
  destroy(what: NonNullable<WriterRequest['destroy']>): Promise<string[]>;
  /** Takes one step of removing dead keys. */
  sweep(): Promise<Swept>;
  onAppend(listener: () => void): () => void;
  /** Calls the listener after any thread has destroyed or replaced keys. */
  onDestroyed(listener: () => void): () => void;
  /** Waits for pending requests. */
  close(): Promise<void>;
}

/**
 * The most requests of one connection that wait for the disk, and the most bytes of them; further ones are
 * refused.
 */
const MOST_PENDING = 4_096;
const MOST_PENDING_BYTES = 32 * 1024 * 1024;

interface Pending {
  resolve: (done: Done) => void;
  reject: (error: Error) => void;
  bytes: number;
}

/** The requests of one round of the event loop go in one message, and are answered in one. */
export const connectWriter = (port: MessagePort): WriterConnection => {
  const pending = new Map<number, Pending>();
  let pendingBytes = 0;
  const listeners = { appended: new Set<() => void>(), destroyed: new Set<() => void>() };
  let number = 0;
  let closed = false;
  let idle: (() => void) | undefined;

  /** Returns the request, which waits no longer. */
  const take = (number: number): Pending | undefined => {
    const waiting = pending.get(number);
    pending.delete(number);
    pendingBytes -= waiting?.bytes ?? 0;
    if (pending.size === 0) idle?.();
    return waiting;
  };

  port.on('message', ({ replies = [], ...news }: WriterNews) => {
    for (const reply of replies) {
      const waiting = take(reply.number);
      if ('error' in reply)
        waiting?.reject(notStored(unavailable("The event log can't be written right now.", reply.error)));
      else waiting?.resolve(reply);
    }
    if (news.destroyed) for (const listener of listeners.destroyed) listener();
    if (news.appended) for (const listener of listeners.appended) listener();
  });
  // The writer has died: whether it stored the pending requests is unknown.
  port.on('close', () => {
    closed = true;
    for (const { reject } of pending.values()) reject(unavailable('The event log was closed.'));
    pending.clear();
    idle?.();
  });

  type Numbered = Parameters<typeof roundOf>[0][number];
  const post = (calls: readonly Numbered[]): void => {
    const round = roundOf(calls);
    port.postMessage(round, [round.values.buffer as ArrayBuffer]);
  };
  const sendGathered = gather('send', (calls: Numbered[]) => {
    try {
      post(calls);
    } catch {
      // One can't be sent as a message; the others of its round can.
      for (const call of calls) {
        try {
          post([call]);
        } catch (error) {
          take(call.number)?.reject(notStored(error as Error));
        }
      }
    }
  });

  const send = (call: WriterCall): Promise<Done> =>
    new Promise((resolve, reject) => {
      const bytes = bytesOf(call);
      // One request is always accepted, however large it is.
      const isFull = pending.size > 0 && pendingBytes + bytes > MOST_PENDING_BYTES;
      if (isFull || pending.size >= MOST_PENDING) {
        return reject(notStored(unavailable('The log has too many pending writes.')));
      }
      if (closed) return reject(notStored(unavailable('The event log is closed.')));
      pending.set(++number, { resolve, reject, bytes });
      pendingBytes += bytes;
      sendGathered({ number, call });
    });
  const listen = (to: Set<() => void>, listener: () => void): (() => void) => {
    to.add(listener);
    return () => to.delete(listener);
  };

  return {
    request: async call => (await send(call)).addresses,
    destroy: async what => (await send({ destroy: what })).destroyed ?? [],
    sweep: async () => (await send({ sweep: true })).swept!,
    onAppend: listener => listen(listeners.appended, listener),
    onDestroyed: listener => listen(listeners.destroyed, listener),
    close: async () => {
      if (pending.size > 0 && !closed) await new Promise<void>(resolve => (idle = resolve));
      port.close();
    },
  };
};
