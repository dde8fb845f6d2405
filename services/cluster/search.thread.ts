/**
 * A recall thread: asks Elasticsearch and ranks. Decoding and ranking take up to tens of milliseconds of CPU time, and those
 * of a whole organization's turns follow each other; on the thread that answers requests every other call would wait for them.
 */
import { workerData } from 'node:worker_threads';
import { openSearchedIndex } from '../../infra/cluster/elasticsearch/searched-index.ts';
import { openRerank } from '../../infra/llm/rerank.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { makeLanguage } from '../../projections/language/language.ts';
import { answerInThread } from '../core/answer-in-thread.ts';
import { BEHIND_CALLS, lowerPriority } from '../core/low-priority.ts';
import { makeYieldWhenDue } from '../core/yield-when-due.ts';
import { makeRerankBest } from '../use-cases/recall/rerank.ts';
import { makeSearch } from '../use-cases/recall/search.ts';
import { makeTailReceiver } from '../use-cases/recall/sent-tail.ts';
import type { SearchAnswer, SearchQuestion, SearchThreadData } from './search.ts';

const { place, table, clockOffset, rerank, isBehind } = workerData as SearchThreadData;
if (isBehind) lowerPriority(BEHIND_CALLS);
const language = makeLanguage(new Uint8Array(table));
const { close, ...searched } = openSearchedIndex({
  place,
  clock: () => Date.now() + clockOffset,
  decodeDocument,
  analyse: language.analyse,
  makeYieldWhenDue,
});
const rerankBest = rerank && makeRerankBest(openRerank(rerank));
const search = makeSearch({ ...searched, language, rerankBest });
const tails = makeTailReceiver();

answerInThread<SearchQuestion, SearchAnswer>({
  /** Tails are received in the order in which they were sent: before anything is awaited. */
  answer: async (question, signal) => {
    if (question.kind === 'search') return search(tails.received(question.request), { signal });
    tails.drop(question.places);
    return 'dropped';
  },
  close,
});
