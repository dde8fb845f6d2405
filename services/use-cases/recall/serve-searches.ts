import type { FoundWords, Rerank, SearchResult } from '../../../core/ports.ts';
import { BEHIND_CALLS, lowerPriority } from '../../../core/threads/low-priority.ts';
import { serveInThread } from '../../../core/threads/serve-in-thread.ts';
import { traced } from '../../../core/tracing/spans.ts';
import { recordStages, withStages } from '../../../core/tracing/stages.ts';
import { type Language, makeLanguage } from '../../../domain/language/language.ts';
import type { RerankConfig } from '../../../schemas/config.ts';
import { makeFindWords } from './find-words.ts';
import { makeRerankBest } from './models/rerank-best.ts';
import { startReader } from './reader/start-reader.ts';
import { makeSearch, type SearchPorts } from './search.ts';
import type { SearchAnswer, SearchQuestion, SearchThreadData, Unreadable } from './searcher.ts';
import { makeTailReceiver, type TailRequest } from './sent-tail.ts';

/** The parts of a search thread that differ between the modes. */
export interface SearchedEngine {
  /** Opens the index of this name. `clock`: Unix milliseconds. */
  openIndex(
    name: string,
    tools: { clock: () => number; analyse: Language['analyse'] },
  ): Pick<SearchPorts, 'retrieval' | 'details' | 'listing'> & { close(): unknown };
  openRerank(config: RerankConfig): Rerank;
  /** An error of the index as an answer; undefined for any other. */
  unreadable?(error: unknown): Unreadable | undefined;
}

interface Opened {
  ask: (request: TailRequest, deadline: { signal: AbortSignal }) => Promise<SearchResult | FoundWords>;
  running: number;
  /** Close it when no search runs in it any more. */
  retired: boolean;
  close(): unknown;
}

const tracedRetrieval = (retrieval: SearchPorts['retrieval']): SearchPorts['retrieval'] => ({
  ...retrieval,
  retrieve: traced('candidates', retrieval.retrieve) as typeof retrieval.retrieve,
  surround: traced('turns around', retrieval.surround),
});

/** The thread's side of `startSearcher`. */
export const serveSearches = (
  { serving, table, clockOffset, rerank, hasReader, isBehind, isTraced }: SearchThreadData,
  { openIndex, openRerank, unreadable }: SearchedEngine,
): void => {
  if (isBehind) lowerPriority(BEHIND_CALLS);
  if (isTraced) recordStages();
  const language = makeLanguage(new Uint8Array(table));
  const tools = { clock: () => Date.now() + clockOffset, analyse: language.analyse };
  const rerankBest = rerank && traced('rerank', makeRerankBest(openRerank(rerank)));
  const reader = hasReader ? startReader({ table, isBehind }) : undefined;
  const tails = makeTailReceiver();
  const opened = new Map<string, Opened>();

  const open = (name: string): Opened => {
    const { close, ...index } = openIndex(name, tools);
    const retrieval = tracedRetrieval(index.retrieval);
    const search = makeSearch({ ...index, retrieval, language, rerankBest, read: reader?.read });
    const find = makeFindWords({ ...index, retrieval, language });
    const ask: Opened['ask'] = (request, deadline) =>
      'of' in request ? find(request, deadline) : search(request, deadline);
    const one: Opened = { ask, running: 0, retired: false, close };
    opened.set(name, one);
    return one;
  };
  open(serving);

  const closeUnused = (name: string): void => {
    const one = opened.get(name);
    if (!one?.retired || one.running > 0) return;
    opened.delete(name);
    one.close();
  };

  const answer = async (question: SearchQuestion, signal: AbortSignal): Promise<SearchAnswer> => {
    if (question.kind === 'drop') {
      tails.drop(question.addresses);
      return 'done';
    }
    // Tails are received in the order in which they were sent: before anything is awaited, or fails.
    const request = question.kind === 'search' ? tails.received(question.request) : undefined;
    const { kind, index } = question;
    if (kind === 'retire') {
      const one = opened.get(index);
      if (one) one.retired = true;
      closeUnused(index);
      return 'done';
    }
    const one = opened.get(index) ?? open(index);
    if (!request) return 'done';
    one.running++;
    try {
      return question.kind === 'search' && question.isTraced
        ? await withStages(() => one.ask(request, { signal }))
        : { result: await one.ask(request, { signal }) };
    } finally {
      one.running--;
      closeUnused(index);
    }
  };

  serveInThread<SearchQuestion, SearchAnswer>({
    answer: (question, signal) =>
      answer(question, signal).catch(error => {
        const known = unreadable?.(error);
        if (known) return known;
        throw error;
      }),
    close: async () => {
      await reader?.close();
      for (const one of opened.values()) await one.close();
    },
  });
};
