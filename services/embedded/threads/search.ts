import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../../core/errors.ts';
import type { Search, SearchRequest, SearchResult } from '../../core/ports.ts';
import { threadFile } from '../../core/thread-file.ts';
import type { Log } from '../../core/watch/logger.ts';

export interface SearcherData {
  /** The projections' file that serves at the start. */
  projections: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
}

/** A search names the file that it is made in; one without a request opens the file beforehand. */
export type SearchMessage =
  | 'close'
  | { number: number; projections: string; request?: SearchRequest }
  /** Closes the file when no search is under way in it. */
  | { retire: string };
/** `outage`: the file can't be read right now; otherwise the code is at fault. */
export type SearchReply =
  | { number: number; result: SearchResult }
  | { number: number; opened: true }
  | { number: number; fault: string; outage: boolean };

export interface Searcher {
  search: Search;
  /** Resolves when this file can be searched too. */
  open(projections: string): Promise<void>;
  /** From now on searches are made in this file, which was opened; those under way end where they began. */
  goOver(projections: string): void;
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
export const startSearcher = ({ projections, table }: SearcherData, log: Log): Searcher => {
  let serving = projections;
  type Pending = { resolve: (result: never) => void; reject: (error: Error) => void };
  const pending = new Map<number, Pending>();
  let number = 0;
  let worker: Worker | undefined;
  let fault: string | undefined;
  let closing = false;
  let settled: (() => void) | undefined;
  let restart: NodeJS.Timeout | undefined;

  const start = (): void => {
    const started = new Worker(threadFile(import.meta.url, 'search'), {
      workerData: { projections: serving, table } satisfies SearcherData,
      // The higher the limit, the more a heap may grow before it is collected: at 256 a search in seven met that.
      resourceLimits: { maxOldGenerationSizeMb: 4_096, maxYoungGenerationSizeMb: 48 },
    });
    worker = started;
    fault = undefined;
    started.on('message', (reply: SearchReply) => {
      const waiting = pending.get(reply.number);
      pending.delete(reply.number);
      if ('result' in reply) waiting?.resolve(reply.result as never);
      else if ('opened' in reply) waiting?.resolve(undefined as never);
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

  const ask = <T>(projections: string, request?: SearchRequest): Promise<T> =>
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
    search: request => ask<SearchResult>(serving, request),
    open: projections => ask<void>(projections),
    goOver: projections => {
      worker?.postMessage({ retire: serving } satisfies SearchMessage);
      serving = projections;
    },
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
