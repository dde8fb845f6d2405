import { threadFile } from '../../core/threads/file.ts';
import type { IndexConnection } from '../../infra/cluster/elasticsearch/search/searched-index.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import {
  type Searcher,
  type SearcherOptions,
  type SearchThreadData,
  startSearcher,
} from '../use-cases/recall/searcher.ts';

export interface IndexSearchThreadData extends SearchThreadData {
  connection: IndexConnection;
}

/**
 * The limits of this process. While some searches wait for Elasticsearch, a thread computes for others; with
 * eight it always has something to do. More would only stand in Elasticsearch's queue, before the searches of
 * other organizations.
 */
const SEARCHES = { atOnce: 16, mostWaiting: 512, mostTailBytes: 128 * 1024 * 1024 };

/**
 * Searches the index behind the alias, several at a time in each thread, since they wait for Elasticsearch.
 */
export const startIndexSearcher = (
  { namespace, partitions, elasticsearchUrl, elasticsearch }: ClusterConfig,
  options: Pick<SearcherOptions, 'table' | 'clockOffset' | 'rerank' | 'hasReader' | 'log'>,
): Searcher =>
  startSearcher({
    ...options,
    file: threadFile(import.meta.url, 'search'),
    serving: 'alias',
    data: {
      connection: { namespace, partitions, elasticsearchUrl, elasticsearch } satisfies IndexConnection,
    },
    // Eight searches with their answers from Elasticsearch take a fraction of it; a higher limit lets garbage
    // grow more.
    limits: { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 24 },
    queue: SEARCHES,
  });
