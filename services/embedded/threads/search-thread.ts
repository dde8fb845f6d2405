import type { RerankConfig } from '../../../schemas/config.ts';
import type { AskedThread, AskedThreadOptions } from '../../core/asked-thread.ts';
import { unavailable } from '../../core/errors.ts';
import type { SearchRequest, SearchResult } from '../../core/ports.ts';
import { threadFile } from '../../core/thread-file.ts';
import { type DropQuestion, startRecallThread } from '../../use-cases/recall/recall-thread.ts';
import type { SentRequest } from '../../use-cases/recall/sent-tail.ts';

export interface SearchThreadData {
  /** The serving generation's file at the start. */
  projections: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
  /** The reranking model, where one is configured. */
  rerank?: RerankConfig | undefined;
  /** Calls of others come first. */
  isBehind: boolean;
}

interface Search<Request> {
  kind: 'search';
  projections: string;
  request: Request;
}
/** `retire` closes the file when no search runs in it. */
interface OfFile {
  kind: 'open' | 'retire';
  projections: string;
}
export type SearchQuestion = Search<SearchRequest> | OfFile;
export type SentQuestion = Search<SentRequest> | OfFile | DropQuestion;
export type SearchAnswer =
  | { result: SearchResult }
  /** What SQLite said of the file; whether its content is not what was written. */
  | { unreadable: string; isDamaged: boolean }
  | 'done';

export type SearchThread = AskedThread<SearchQuestion, SearchAnswer>;

export interface SearchThreadOptions extends Pick<AskedThreadOptions, 'log'> {
  /** Called at each start of the thread. */
  data: () => SearchThreadData;
  onDamage: (projections: string) => void;
}

/** A thread that searches files of projections. Rejects with `unavailable` for a file that can't be read right now. */
export const startSearchThread = ({ data, log, onDamage }: SearchThreadOptions): SearchThread => {
  const thread = startRecallThread<SearchQuestion, SentQuestion, SearchAnswer>({
    file: threadFile(import.meta.url, 'search'),
    data,
    question: (asked, sent) => (asked.kind === 'search' ? { ...asked, request: sent(asked.request) } : asked),
    // Searches of the longest turns leave 90 MB. V8 lets garbage grow by the limit: at 4,096 MB to 380, and at 256 MB one
    // search in seven met a collection.
    resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 },
    log,
  });
  return {
    ...thread,
    ask: async (question, signal) => {
      const answer = await thread.ask(question, signal);
      if (answer === 'done' || !('unreadable' in answer)) return answer;
      if (answer.isDamaged) onDamage(question.projections);
      throw unavailable("The recall index can't be read right now.", answer.unreadable);
    },
  };
};
