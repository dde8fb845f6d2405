/**
 * A recall thread: searches the projections' files. A search takes some milliseconds of CPU time, which the request
 * thread can't spare during writes. On its own thread, neither waits for the other.
 */
import { workerData } from 'node:worker_threads';
import { openAnswersReader } from '../../../infra/embedded/index/answers-reader.ts';
import { openListing } from '../../../infra/embedded/index/listing.ts';
import { openRecallDetails } from '../../../infra/embedded/index/recall-details.ts';
import { openRetrieval } from '../../../infra/embedded/index/retrieval.ts';
import { isDamage } from '../../../infra/embedded/sqlite-errors.ts';
import { openRerank } from '../../../infra/llm/rerank.ts';
import { decodeDocument } from '../../../projections/language/codec.ts';
import { makeLanguage } from '../../../projections/language/language.ts';
import { answerInThread } from '../../core/answer-in-thread.ts';
import { BEHIND_CALLS, lowerPriority } from '../../core/low-priority.ts';
import { makeYieldWhenDue } from '../../core/yield-when-due.ts';
import { makeRerankBest } from '../../use-cases/recall/rerank.ts';
import { makeSearch } from '../../use-cases/recall/search.ts';
import { makeTailReceiver } from '../../use-cases/recall/sent-tail.ts';
import type { SearchAnswer, SearchThreadData, SentQuestion } from './search-thread.ts';

const { projections, table, clockOffset, rerank, isBehind } = workerData as SearchThreadData;
if (isBehind) lowerPriority(BEHIND_CALLS);
const language = makeLanguage(new Uint8Array(table));
const tails = makeTailReceiver();
const rerankBest = rerank && makeRerankBest(openRerank(rerank));

interface Opened {
  search: ReturnType<typeof makeSearch>;
  running: number;
  /** Close it when no search runs in it any more. */
  retired: boolean;
  close(): void;
}

const opened = new Map<string, Opened>();
const open = (path: string): Opened => {
  const reader = openAnswersReader(path, () => Date.now() + clockOffset);
  const search = makeSearch({
    retrieval: openRetrieval({ reader, decodeDocument, analyse: language.analyse, makeYieldWhenDue }),
    details: openRecallDetails(reader),
    listing: openListing(reader, makeYieldWhenDue),
    language,
    rerankBest,
  });
  const one: Opened = { search, running: 0, retired: false, close: () => reader.close() };
  opened.set(path, one);
  return one;
};
open(projections);

const closeUnused = (path: string): void => {
  const one = opened.get(path);
  if (!one?.retired || one.running > 0) return;
  opened.delete(path);
  one.close();
};

const retire = (path: string): void => {
  const one = opened.get(path);
  if (one) one.retired = true;
  closeUnused(path);
};

/** Tails are received in the order in which they were sent: before anything is awaited. */
const answer = async (question: SentQuestion, signal: AbortSignal): Promise<SearchAnswer> => {
  if (question.kind === 'drop') {
    tails.drop(question.places);
    return 'done';
  }
  const request = question.kind === 'search' ? tails.received(question.request) : undefined;
  const { projections } = question;
  if (question.kind === 'retire') {
    retire(projections);
    return 'done';
  }
  const one = opened.get(projections) ?? open(projections);
  if (!request) return 'done';
  one.running++;
  try {
    return { result: await one.search(request, { signal }) };
  } finally {
    one.running--;
    closeUnused(projections);
  }
};

/** An error of the file as an answer; any other is one of the code. */
const unreadable = (error: unknown): SearchAnswer => {
  const { code, message } = error as { code?: unknown; message?: string };
  if (code !== 'ERR_SQLITE_ERROR') throw error;
  return { unreadable: message ?? 'unknown fault', isDamaged: isDamage(error) };
};

answerInThread<SentQuestion, SearchAnswer>({
  answer: (question, signal) => answer(question, signal).catch(unreadable),
  close: () => {
    for (const one of opened.values()) one.close();
  },
});
