import { type AskedThread, type AskedThreadOptions, startAskedThread } from '../../core/asked-thread.ts';
import type { SearchRequest } from '../../core/ports.ts';
import { makeSentTails, type SentRequest } from './sent-tail.ts';

/** The places of turns that the thread need not hold any more. */
export interface DropQuestion {
  kind: 'drop';
  places: readonly string[];
}

export interface RecallThreadOptions<Asked, Question> extends Omit<AskedThreadOptions, 'name'> {
  /** What the thread is sent for what it is asked. A request goes through `sent`, once. */
  question: (asked: Asked, sent: (request: SearchRequest) => SentRequest) => Question;
}

/** Starts a thread that searches, whichever mode's. It is sent each turn of a tail once (sent-tail.ts). */
export const startRecallThread = <Asked, Question, Answer>({
  question,
  data,
  ...options
}: RecallThreadOptions<Asked, Question>): AskedThread<Asked, Answer> => {
  const tails = makeSentTails(places => {
    // A thread that has ended holds nothing.
    thread.ask({ kind: 'drop', places }).catch(() => {});
  });
  const thread = startAskedThread<Question | DropQuestion, Answer>({
    ...options,
    name: 'recall',
    data: () => {
      tails.restart();
      return data();
    },
  });
  return {
    ...thread,
    ask: async (asked, signal) => {
      // What `sent` returns has to be sent.
      signal?.throwIfAborted();
      return thread.ask(question(asked, tails.sent), signal);
    },
    close: () => {
      tails.close();
      return thread.close();
    },
  };
};
