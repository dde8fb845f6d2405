import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../../core/errors.ts';
import type { SearchRequest, SearchResult } from '../../core/ports.ts';
import { threadFile } from '../../core/thread-file.ts';
import type { Log } from '../../core/watch/logger.ts';

export interface SearchThreadData {
  /** The serving generation's file at the start. */
  projections: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
}

/** A search names its file; a message without a request only opens the file. */
export type SearchMessage =
  | 'close'
  | { number: number; projections: string; request?: SearchRequest }
  /** Closes the file when no search runs in it. */
  | { retire: string };
/** `outage`: the file can't be read right now; otherwise the code is at fault. `damaged`: the path of a damaged file. */
export type SearchReply = { number: number } & (
  | Answer
  | { fault: string; outage: boolean; damaged?: string }
);
type Answer = { result: SearchResult } | { opened: true };

export interface SearchThread {
  /** Opens the file, and searches it where there is a request. Rejects with `unavailable` while the thread starts again. */
  ask(projections: string, request?: SearchRequest): Promise<Answer>;
  /** How many answers are awaited. */
  pending(): number;
  /** Closes the file when no search runs in it. */
  retire(projections: string): void;
  /** Why it can't search at the moment. */
  fault(): string | undefined;
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for running searches. */
  close(): Promise<void>;
}

export interface SearchThreadOptions {
  /** Called at each start of the thread. */
  data: () => SearchThreadData;
  log: Log;
  onDamage: (projections: string) => void;
}

/** Back-off between two starts of the thread; it begins anew once a search has ended. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** A thread that searches. One that ends is replaced; its pending searches fail with `unavailable`. */
export const startSearchThread = ({ data, log, onDamage }: SearchThreadOptions): SearchThread => {
  type Pending = { resolve: (answer: Answer) => void; reject: (error: Error) => void };
  const pending = new Map<number, Pending>();
  let number = 0;
  let worker: Worker | undefined;
  let fault: string | undefined;
  let closing = false;
  let onIdle: (() => void) | undefined;
  let restart: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const start = (): void => {
    const started = new Worker(threadFile(import.meta.url, 'search'), {
      workerData: data(),
      // A higher limit lets the heap grow more before a collection: at 256 MB, one search in seven met a collection.
      resourceLimits: { maxOldGenerationSizeMb: 4_096, maxYoungGenerationSizeMb: 48 },
    });
    worker = started;
    fault = undefined;
    started.on('message', (reply: SearchReply) => {
      const waiting = pending.get(reply.number);
      pending.delete(reply.number);
      if ('fault' in reply && reply.damaged !== undefined) onDamage(reply.damaged);
      pauseMs = FIRST_PAUSE_MS;
      if (!('fault' in reply)) waiting?.resolve(reply);
      else if (reply.outage)
        waiting?.reject(unavailable("The recall index can't be read right now.", reply.fault));
      else waiting?.reject(new Error(reply.fault));
      if (pending.size === 0) onIdle?.();
    });
    started.on('error', error => {
      fault = error instanceof Error ? error.message : 'unknown fault';
    });
    started.on('exit', () => {
      worker = undefined;
      fault ??= 'the recall thread ended';
      for (const { reject } of pending.values()) reject(unavailable('Recall is starting again.', fault));
      pending.clear();
      if (closing) return onIdle?.();
      log.error({ thread: 'recall', reason: fault }, 'ended, starting another');
      restart = setTimeout(start, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  };
  start();

  const ask = (projections: string, request?: SearchRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (!worker || closing) return reject(unavailable('Recall is starting again.', fault));
      pending.set(++number, { resolve, reject });
      worker.postMessage({
        number,
        projections,
        ...(request && { request }),
      } satisfies SearchMessage);
    });

  return {
    ask,
    pending: () => pending.size,
    retire: projections => worker?.postMessage({ retire: projections } satisfies SearchMessage),
    fault: () => fault,
    eventLoopUtilization: () =>
      worker?.performance.eventLoopUtilization() ?? performance.eventLoopUtilization(),
    close: async () => {
      closing = true;
      clearTimeout(restart);
      if (worker && pending.size > 0) await new Promise<void>(resolve => (onIdle = resolve));
      if (!worker) return;
      const ended = new Promise<void>(resolve => (onIdle = resolve));
      worker.postMessage('close' satisfies SearchMessage);
      await ended;
    },
  };
};
