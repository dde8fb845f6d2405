import type { EventLoopUtilization } from 'node:perf_hooks';
import type { Search } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import { makeRecallQueue } from '../../use-cases/recall/recall-queue.ts';
import { type SearchThread, type SearchThreadData, startSearchThread } from './search-thread.ts';

export interface Searcher {
  search: Search;
  /** Resolves when this file can be searched too. */
  open(projections: string): Promise<void>;
  /** From now on searches use this file, which must be open; running searches finish in the former one. */
  switchTo(projections: string): void;
  /** Why searches can't run at the moment. */
  fault(): string | undefined;
  /** The event loop utilization of the recall thread that is always there. */
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for running searches. */
  close(): Promise<void>;
}

/**
 * Searches at a time, each in its own thread, one of an organization: whoever asks long questions keeps no processor from
 * another's. The others wait in this thread, where they can be cancelled, and where a tail is not copied yet.
 */
const THREADS = 2;
const MOST_WAITING = 512;

const byPending = (a: SearchThread, b: SearchThread): number => a.pending() - b.pending();

/** Searches on threads of their own. The second one starts when two organizations ask at a time. */
export const startSearcher = (
  { projections, table }: SearchThreadData,
  log: Log,
  onDamage: (projections: string) => void = () => {},
): Searcher => {
  let serving = projections;
  const start = () => startSearchThread({ data: () => ({ projections: serving, table }), log, onDamage });
  const first = start();
  const threads = [first];
  /** Those that have opened the file: a search never waits for the start of a thread while another runs. */
  const opened = new Set([first]);

  const startAnother = (): void => {
    const thread = start();
    threads.push(thread);
    const ready = () => opened.add(thread);
    // A thread that ends is started again; until then it has a fault.
    void thread.ask(serving).then(ready, ready);
  };

  const freeThread = (): SearchThread => {
    const [free] = [...opened].filter(thread => thread.fault() === undefined).toSorted(byPending);
    if (free && free.pending() > 0 && threads.length < THREADS) startAnother();
    return free ?? first;
  };

  const search: Search = async request => {
    const answer = await freeThread().ask(serving, request);
    if (!('result' in answer)) throw new Error('the recall thread answered without a result');
    return answer.result;
  };

  return {
    search: makeRecallQueue(search, { atOnce: THREADS, mostWaiting: MOST_WAITING }),
    open: async projections => {
      // The second one opens it with its first search, if it is starting again now.
      const those = threads.filter(thread => thread === first || thread.fault() === undefined);
      await Promise.all(those.map(thread => thread.ask(projections)));
    },
    switchTo: projections => {
      for (const thread of threads) thread.retire(serving);
      serving = projections;
    },
    fault: () => first.fault(),
    eventLoopUtilization: first.eventLoopUtilization,
    close: async () => {
      await Promise.all(threads.map(thread => thread.close()));
    },
  };
};
