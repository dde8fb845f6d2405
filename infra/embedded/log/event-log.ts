import { DatabaseSync } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import { notStored } from '../../../core/log/not-stored.ts';
import { addressName } from '../../../core/log/positions.ts';
import { PAGE_BYTES } from '../../../core/ports/log/event-log.ts';
import type { LogRecord, NewRecord, PolledLog, RecordAddress, Topic } from '../../../core/ports.ts';
import { asUnavailable } from '../sqlite-errors.ts';
import { partitionOf, prepareLog } from './log-database.ts';
import type { Swept, WriterReply, WriterRequest } from './writer-messages.ts';

/** Opens the log for one thread: appends go to the writer thread, reads use a connection of this thread. */
export const openEventLog = (path: string, writer: WriterConnection): PolledLog => {
  const log = openOwnLog(path, writer);
  const orUnavailable = (error: unknown): never => {
    throw asUnavailable(error);
  };
  return {
    ...log,
    read: (...page) => log.read(...page).catch(orUnavailable),
    ends: () => log.ends().catch(orUnavailable),
    committed: group => log.committed(group).catch(orUnavailable),
  };
};

/** Returns the error of a lost record. Nothing can replace it, so reading fails loudly and stops there. */
const missing = (address: RecordAddress): Error =>
  unavailable(`The log is damaged: it lacks the record ${addressName(address)}.`, undefined, 60);

const openOwnLog = (path: string, writer: WriterConnection): PolledLog => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const log = prepareLog(database);
  /**
   * Reads a page. Offsets have no gaps: a damaged file that lacks some must not look like one that ends
   * earlier.
   */
  const readPage = (topic: Topic, partition: number, offset: number, limit: number): LogRecord[] => {
    const rows = log.read(topic, partition).iterate(offset, limit) as unknown as Iterable<
      [number, Uint8Array, string | null]
    >;
    const page: LogRecord[] = [];
    let bytes = 0;
    for (const [at, value, headers] of rows) {
      const next = offset + page.length;
      if (at !== next) throw missing({ topic, partition, offset: next });
      bytes += value.length;
      if (bytes > PAGE_BYTES && page.length > 0) break;
      page.push({
        topic,
        partition,
        offset: at,
        value,
        headers: headers === null ? {} : JSON.parse(headers),
      });
    }
    return page;
  };
  return {
    append: (records, commit) => writer.request({ records, commit }),
    read: async (topic, partition, offset, limit) => {
      const page = readPage(topic, partition, offset, limit);
      // Records below the end must exist. Read again: an append may have come between the two.
      if (page.length === 0 && limit > 0 && log.end(topic, partition) > offset) {
        if (readPage(topic, partition, offset, limit).length === 0)
          throw missing({ topic, partition, offset });
      }
      return page;
    },
    ends: async () => log.ends(),
    partitionOf,
    committed: async group => log.committed(group),
    onAppend: writer.onAppend,
    close: async () => {
      await writer.close();
      database.close();
    },
  };
};

type WriterCall = Omit<WriterRequest, 'number' | 'records' | 'values' | 'lengths'> & {
  records?: readonly NewRecord[];
};

const bytesOf = ({ records = [] }: WriterCall): number =>
  records.reduce((sum, { value }) => sum + value.length, 0);

/**
 * Returns the message of a call, with the records' values in one buffer that is transferred to the other
 * thread.
 */
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

export const connectWriter = (port: MessagePort): WriterConnection => {
  type Pending = { resolve: (done: Done) => void; reject: (error: Error) => void; bytes: number };
  const pending = new Map<number, Pending>();
  let pendingBytes = 0;
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
    pendingBytes -= waiting?.bytes ?? 0;
    if ('error' in reply)
      waiting?.reject(notStored(unavailable("The event log can't be written right now.", reply.error)));
    else waiting?.resolve(reply);
    if (pending.size === 0) idle?.();
  });
  // The writer has died: whether it stored the pending requests is unknown.
  port.on('close', () => {
    closed = true;
    for (const { reject } of pending.values()) reject(unavailable('The event log was closed.'));
    pending.clear();
    idle?.();
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
      const { message, moved } = messageOf(call, ++number);
      pending.set(message.number, { resolve, reject, bytes });
      pendingBytes += bytes;
      port.postMessage(message, moved);
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
