/**
 * A recall thread: asks Elasticsearch and ranks. Decoding and ranking take up to tens of milliseconds of CPU
 * time, and those of a whole organization's turns follow each other; on the thread that answers requests,
 * every other call would wait for them.
 */
import { workerData } from 'node:worker_threads';
import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import { decodeDocument } from '../../domain/language/vectors/codec.ts';
import { openSearchedIndex } from '../../infra/cluster/elasticsearch/search/searched-index.ts';
import { openRerank } from '../../infra/llm/rerank.ts';
import { serveSearches } from '../use-cases/recall/serve-searches.ts';
import type { IndexSearchThreadData } from './index-searcher.ts';

const data = workerData as IndexSearchThreadData;

serveSearches(data, {
  openIndex: (_alias, tools) =>
    openSearchedIndex({ connection: data.connection, decodeDocument, makeYieldWhenDue, ...tools }),
  openRerank,
});
