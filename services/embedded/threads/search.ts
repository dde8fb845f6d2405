import type { EventLoopUtilization } from 'node:perf_hooks';
import { startAskedThreads } from '../../core/asked-threads.ts';
import type { Search } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import { makeRecallQueue } from '../../use-cases/recall/recall-queue.ts';
import {
  type SearchAnswer,
  type SearchQuestion,
  type SearchThreadData,
  startSearchThread,
} from './search-thread.ts';

export interface Searcher {
  search: Search;
  /** Resolves when this file can be searched too. */
  open(projections: string): Promise<void>;
  /** From now on searches use this file, which must be open; running searches finish in the former one. */
  switchTo(projections: string): void;
  /** Why one of the threads can't search at the moment. */
  fault(): string | undefined;
  /** The event loop utilization of the recall thread that is always there. */
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for running searches. */
  close(): Promise<void>;
}

/**
 * Searches at a time, each in its own thread, one of an organization: whoever asks long questions keeps no processor from
 * another's. The others wait in this thread, where a tail is not copied yet.
 */
const AT_ONCE = 2;
/** Most of a search is then a wait for the model, in which its thread is free. */
const AT_ONCE_WITH_RERANK = 8;
const MOST_WAITING = 512;

/** Searches on threads of their own. */
export const startSearcher = (
  { projections, table, clockOffset, rerank }: Omit<SearchThreadData, 'isBehind'>,
  log: Log,
  onDamage: (projections: string) => void = () => {},
): Searcher => {
  let serving = projections;
  const threads = startAskedThreads<SearchQuestion, SearchAnswer>(isBehind =>
    startSearchThread({
      data: () => ({ projections: serving, table, clockOffset, rerank, isBehind }),
      log,
      onDamage,
    }),
  );
  const [first] = threads.all();

  const search: Search = async (request, deadline) => {
    const question = { kind: 'search', projections: serving, request } as const;
    const answer = await threads.ask(request.scope.org, question, deadline?.signal);
    if (answer === 'done' || !('result' in answer))
      throw new Error('the recall thread answered without a result');
    return answer.result;
  };

  return {
    search: makeRecallQueue(search, {
      atOnce: rerank ? AT_ONCE_WITH_RERANK : AT_ONCE,
      mostWaiting: MOST_WAITING,
    }),
    open: async projections => {
      // One that is starting again now opens it with its first search.
      const those = threads.all().filter(thread => thread === first || thread.fault() === undefined);
      await Promise.all(those.map(thread => thread.ask({ kind: 'open', projections })));
    },
    switchTo: projections => {
      const former = { kind: 'retire', projections: serving } as const;
      // A thread that has ended has no file open.
      for (const thread of threads.all()) thread.ask(former).catch(() => {});
      serving = projections;
    },
    fault: threads.fault,
    eventLoopUtilization: first!.eventLoopUtilization,
    close: threads.close,
  };
};
