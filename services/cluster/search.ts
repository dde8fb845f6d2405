import type { SearchedPlace } from '../../infra/cluster/elasticsearch/searched-index.ts';
import type { ClusterConfig, RerankConfig } from '../../schemas/config.ts';
import type { AskedThread } from '../core/asked-thread.ts';
import { startAskedThreads } from '../core/asked-threads.ts';
import type { Watch } from '../core/ports/engines.ts';
import type { Search, SearchRequest, SearchResult } from '../core/ports.ts';
import { threadFile } from '../core/thread-file.ts';
import type { Log } from '../core/watch/logger.ts';
import { makeRecallQueue } from '../use-cases/recall/recall-queue.ts';
import { type DropQuestion, startRecallThread } from '../use-cases/recall/recall-thread.ts';
import type { SentRequest } from '../use-cases/recall/sent-tail.ts';

export interface SearchThreadData {
  place: SearchedPlace;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
  /** The reranking model, where one is configured. */
  rerank: RerankConfig | undefined;
  /** Calls of others come first. */
  isBehind: boolean;
}

export type SearchQuestion = { kind: 'search'; request: SentRequest } | DropQuestion;
export type SearchAnswer = SearchResult | 'dropped';

export interface ClusterSearcher {
  search: Search;
  /** Resolves when searches can run, or when it is known that they can't for now. */
  started: Promise<void>;
  probe: Watch['probes'][string];
  /** Waits for running searches. */
  close(): Promise<void>;
}

/**
 * Of this process. While some wait for Elasticsearch, a thread computes for others, and with eight it always has something to
 * do. More would only stand in Elasticsearch's queue, before the searches of other organizations.
 */
const SEARCHES = { atOnce: 16, mostWaiting: 512, mostTailBytes: 128 * 1024 * 1024 };

const startSearchThread = (data: SearchThreadData, log: Log): AskedThread<SearchRequest, SearchResult> => {
  const thread = startRecallThread<SearchRequest, SearchQuestion, SearchAnswer>({
    file: threadFile(import.meta.url, 'search'),
    data: () => data,
    question: (request, sent) => ({ kind: 'search', request: sent(request) }),
    // Eight searches, with what Elasticsearch answers them, take a fraction of it; a higher limit lets garbage grow more.
    resourceLimits: { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 24 },
    log,
  });
  return {
    ...thread,
    ask: async (request, signal) => {
      const answer = await thread.ask(request, signal);
      if (answer === 'dropped') throw new Error('the recall thread answered without a result');
      return answer;
    },
  };
};

/** Searches on threads of their own, several at a time in each, since they wait for Elasticsearch. */
export const startSearcher = (
  { namespace, partitions, elasticsearchUrl, elasticsearch }: ClusterConfig,
  table: SharedArrayBuffer,
  clockOffset: number,
  log: Log,
  rerank?: RerankConfig,
): ClusterSearcher => {
  const place = { namespace, partitions, elasticsearchUrl, elasticsearch };
  const threads = startAskedThreads(isBehind =>
    startSearchThread({ place, table, clockOffset, rerank, isBehind }, log),
  );
  const search: Search = (request, deadline) => threads.ask(request.scope.org, request, deadline?.signal);
  return {
    search: makeRecallQueue(search, SEARCHES),
    started: threads.all()[0]!.started,
    probe: async () => {
      const fault = threads.fault();
      if (fault !== undefined) throw new Error(fault);
      return 'runs';
    },
    close: threads.close,
  };
};
