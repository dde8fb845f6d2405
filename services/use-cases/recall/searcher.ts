import type { EventLoopUtilization } from 'node:perf_hooks';
import type { ResourceLimits } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import type { Watch } from '../../../core/ports/engines.ts';
import type { Find, FoundWords, Search, SearchResult } from '../../../core/ports.ts';
import { type AskedThread, startAskedThread } from '../../../core/threads/ask.ts';
import { startThreadPool } from '../../../core/threads/pool.ts';
import type { Deadline } from '../../../core/timing/deadline.ts';
import { addStages, isExported } from '../../../core/tracing/calls.ts';
import { isTracing, traced } from '../../../core/tracing/spans.ts';
import type { Stage } from '../../../core/tracing/stages.ts';
import type { Log } from '../../../core/watch/logger.ts';
import type { RerankConfig } from '../../../schemas/config.ts';
import { makeRecallQueue, type RecallQueueOptions } from './recall-queue.ts';
import { makeSentTails, type SentRequest, type TailRequest } from './sent-tail.ts';

/** The data that a thread that searches starts with; a mode adds what it needs to open an index. */
export interface SearchThreadData {
  /** The name of the index that serves at the start, for the mode's `openIndex`. */
  serving: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
  /** The reranking model, where one is configured. */
  rerank: RerankConfig | undefined;
  /** Whether the reader takes part. */
  hasReader: boolean;
  /** Calls of others come first. */
  isBehind: boolean;
  /** Whether it may be asked for the stages of a search. */
  isTraced: boolean;
}

interface SearchIn<Request> {
  kind: 'search';
  index: string;
  request: Request;
  /** Whether the answer tells its stages. */
  isTraced?: boolean;
}
/** `retire` closes the index when no search runs in it. */
interface OfIndex {
  kind: 'open' | 'retire';
  index: string;
}
type Asked = SearchIn<TailRequest> | OfIndex;
/** Of a search, or of what was found by words. */
type Result = SearchResult | FoundWords;

/** `drop`: the addresses of turns that the thread need not hold any more. */
export type SearchQuestion = SearchIn<SentRequest> | OfIndex | { kind: 'drop'; addresses: readonly string[] };
/** Why an index can't be read, and whether its content differs from what was written. */
export interface Unreadable {
  unreadable: string;
  isDamaged: boolean;
}
export type SearchAnswer = { result: Result; stages?: readonly Stage[] } | Unreadable | 'done';

export interface SearcherOptions extends Omit<SearchThreadData, 'isBehind' | 'isTraced'> {
  /** The threads' file: it calls `serveSearches`. */
  file: URL;
  /** The mode's additions to the threads' data. */
  data?: object;
  limits: ResourceLimits;
  queue: RecallQueueOptions;
  log: Pick<Log, 'error'>;
  /** Called with the name of an index whose content differs from what was written. */
  onDamage?: (index: string) => void;
}

export interface Searcher {
  search: Search;
  /** Waits in the same queue. */
  find: Find;
  /** Resolves when searches can run, or when it is known that they can't for now. */
  started: Promise<void>;
  /** Resolves when this index can be searched too. */
  open(index: string): Promise<void>;
  /** From now on searches use this index, which must be open; running searches finish in the former one. */
  switchTo(index: string): void;
  probe: Watch['probes'][string];
  /** The event loop utilization of the thread that is always there. */
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for running searches. */
  close(): Promise<void>;
}

/**
 * A thread that searches. It is sent each turn of a tail once (sent-tail.ts). Rejects with `unavailable` for
 * an index that can't be read now.
 */
const startSearchThread = (
  { file, log, limits, onDamage }: Pick<SearcherOptions, 'file' | 'log' | 'limits' | 'onDamage'>,
  data: () => SearchThreadData,
): AskedThread<Asked, Result | undefined> => {
  const tails = makeSentTails(addresses => {
    // A thread that has ended holds nothing.
    thread.ask({ kind: 'drop', addresses }).catch(() => {});
  });
  const thread = startAskedThread<SearchQuestion, SearchAnswer>({
    name: 'recall',
    message: 'Recall is starting again.',
    file,
    worker: () => {
      tails.restart();
      return { workerData: data(), resourceLimits: limits };
    },
    log,
  });
  return {
    ...thread,
    ask: async (asked, signal) => {
      // Check before `sent`: its result must be sent.
      signal?.throwIfAborted();
      const question = asked.kind === 'search' ? { ...asked, request: tails.sent(asked.request) } : asked;
      const answer = await thread.ask(question, signal);
      if (answer === 'done') return undefined;
      if ('result' in answer) {
        if (answer.stages) addStages(answer.stages);
        return answer.result;
      }
      if (answer.isDamaged) onDamage?.(asked.index);
      throw unavailable("The recall index can't be read right now.", answer.unreadable);
    },
    close: () => {
      tails.close();
      return thread.close();
    },
  };
};

/** Searches on threads of their own, whichever mode's. */
export const startSearcher = ({
  serving: first,
  table,
  clockOffset,
  rerank,
  hasReader,
  data,
  queue,
  ...options
}: SearcherOptions): Searcher => {
  let serving = first;
  const threads = startThreadPool<Asked, Result | undefined>(isBehind =>
    startSearchThread(options, () => ({
      ...data,
      serving,
      table,
      clockOffset,
      rerank,
      hasReader,
      isBehind,
      isTraced: isTracing(),
    })),
  );
  const always = threads.all()[0]!;

  const ask = async (request: TailRequest, deadline?: Deadline): Promise<Result> => {
    const asked = { kind: 'search', index: serving, request, isTraced: isExported() } as const;
    const result = await threads.ask(request.scope.org, asked, deadline?.signal);
    if (!result) throw new Error('the recall thread answered without a result');
    return result;
  };
  const queued = makeRecallQueue(traced('search thread', ask), queue);

  return {
    // A thread answers each request with a result of its kind.
    search: queued as Search,
    find: queued as Find,
    started: always.started,
    open: async index => {
      // One that is starting again now opens it with its first search.
      const those = threads.all().filter(thread => thread === always || thread.fault() === undefined);
      await Promise.all(those.map(thread => thread.ask({ kind: 'open', index })));
    },
    switchTo: index => {
      const former = { kind: 'retire', index: serving } as const;
      // A thread that has ended has no index open.
      for (const thread of threads.all()) thread.ask(former).catch(() => {});
      serving = index;
    },
    probe: async () => {
      const fault = threads.fault();
      if (fault !== undefined) throw new Error(fault);
      return 'runs';
    },
    eventLoopUtilization: always.eventLoopUtilization,
    close: threads.close,
  };
};
