import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Search, SearchRequest, SearchResult } from '../recall/search.ts';

export interface SearcherData {
  /** The projections' file. */
  projections: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
}

export type SearchMessage = 'close' | { number: number; request: SearchRequest };
/** `outage`: the file can't be read right now; otherwise the code is at fault. */
export type SearchReply =
  | { number: number; result: SearchResult }
  | { number: number; fault: string; outage: boolean };

export interface Searcher {
  search: Search;
  /** Why searches don't run right now. */
  fault(): string | undefined;
  /** Of the thread that searches. */
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for the searches under way. */
  close(): Promise<void>;
}

/** A thread that died is started again, but not more often than this. */
const PAUSE_MS = 1_000;

/** Searches on a thread of its own. A thread that dies is replaced; what was asked of it is `unavailable`. */
export const startSearcher = (data: SearcherData, log: Log): Searcher => {
  type Pending = { resolve: (result: SearchResult) => void; reject: (error: Error) => void };
  const pending = new Map<number, Pending>();
  let number = 0;
  let worker: Worker | undefined;
  let fault: string | undefined;
  let closing = false;
  let settled: (() => void) | undefined;
  let restart: NodeJS.Timeout | undefined;

  const start = (): void => {
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    const started = new Worker(new URL(`./recall${extension}`, import.meta.url), {
      workerData: data,
      // The higher the limit, the more a heap may grow before it is collected: at 256 a search in seven met that.
      resourceLimits: { maxOldGenerationSizeMb: 4_096, maxYoungGenerationSizeMb: 48 },
    });
    worker = started;
    fault = undefined;
    started.on('message', (reply: SearchReply) => {
      const waiting = pending.get(reply.number);
      pending.delete(reply.number);
      if ('result' in reply) waiting?.resolve(reply.result);
      else if (reply.outage)
        waiting?.reject(unavailable("The recall index can't be read right now.", reply.fault));
      else waiting?.reject(new Error(reply.fault));
      if (pending.size === 0) settled?.();
    });
    started.on('error', error => {
      fault = error instanceof Error ? error.message : 'unknown fault';
    });
    started.on('exit', () => {
      worker = undefined;
      fault ??= 'the recall thread ended';
      for (const { reject } of pending.values()) reject(unavailable('Recall is starting again.', fault));
      pending.clear();
      if (closing) return settled?.();
      log.error({ thread: 'recall', reason: fault }, 'ended, starting another');
      restart = setTimeout(start, PAUSE_MS).unref();
    });
  };
  start();

  return {
    search: request =>
      new Promise((resolve, reject) => {
        if (!worker || closing) return reject(unavailable('Recall is starting again.', fault));
        pending.set(++number, { resolve, reject });
        worker.postMessage({ number, request } satisfies SearchMessage);
      }),
    fault: () => fault,
    eventLoopUtilization: () =>
      worker?.performance.eventLoopUtilization() ?? performance.eventLoopUtilization(),
    close: async () => {
      closing = true;
      clearTimeout(restart);
      if (worker && pending.size > 0) await new Promise<void>(resolve => (settled = resolve));
      if (!worker) return;
      const ended = new Promise<void>(resolve => (settled = resolve));
      worker.postMessage('close' satisfies SearchMessage);
      await ended;
    },
  };
};
