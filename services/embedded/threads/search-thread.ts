import { type AskedThread, type AskedThreadOptions, startAskedThread } from '../../core/asked-thread.ts';
import { unavailable } from '../../core/errors.ts';
import type { SearchRequest, SearchResult } from '../../core/ports.ts';
import { threadFile } from '../../core/thread-file.ts';
import { makeSentTails, type SentRequest } from '../../use-cases/recall/sent-tail.ts';

export interface SearchThreadData {
  /** The serving generation's file at the start. */
  projections: string;
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
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
export type SentQuestion =
  | Search<SentRequest>
  | OfFile
  /** The places of turns that it need not hold any more. */
  | { kind: 'drop'; places: readonly string[] };
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
  const tails = makeSentTails(places => {
    // A thread that has ended holds nothing.
    thread.ask({ kind: 'drop', places }).catch(() => {});
  });
  const thread = startAskedThread<SentQuestion, SearchAnswer>({
    name: 'recall',
    file: threadFile(import.meta.url, 'search'),
    data: () => {
      tails.restart();
      return data();
    },
    // A higher limit lets the heap grow more before a collection: at 256 MB, one search in seven met a collection.
    resourceLimits: { maxOldGenerationSizeMb: 4_096, maxYoungGenerationSizeMb: 48 },
    log,
  });
  return {
    ...thread,
    ask: async (question, signal) => {
      // What `sent` returns has to be sent.
      signal?.throwIfAborted();
      const asked =
        question.kind === 'search' ? { ...question, request: tails.sent(question.request) } : question;
      const answer = await thread.ask(asked, signal);
      if (answer === 'done' || !('unreadable' in answer)) return answer;
      if (answer.isDamaged) onDamage(question.projections);
      throw unavailable("The recall index can't be read right now.", answer.unreadable);
    },
    close: () => {
      tails.close();
      return thread.close();
    },
  };
};
