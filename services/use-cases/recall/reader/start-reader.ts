import { type Breaker, makeBreaker } from '../../../../core/fairness/breaker.ts';
import { type AskedThread, startAskedThread } from '../../../../core/threads/ask.ts';
import { threadFile } from '../../../../core/threads/file.ts';
import type { TurnToRead } from '../../../../domain/reader/input.ts';

export interface ReaderThreadData {
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  /** Calls of others come first. */
  isBehind: boolean;
}

export interface ReaderQuestion {
  question: string;
  turns: readonly TurnToRead[];
}

/**
 * Returns the log-odds that each turn answers; undefined where the reader is busy, has ended, or gives no
 * answer in time. Rejects when `signal` is aborted.
 */
export type Read = (
  question: string,
  turns: readonly TurnToRead[],
  signal?: AbortSignal,
) => Promise<number[] | undefined>;

export interface Reader {
  read: Read;
  close(): Promise<void>;
}

/** Questions that wait for the reader: behind more, a question would wait longer than it is worth. */
const MOST_WAITING = 3;
/** How long a recall waits for it, and for its start with the first question. */
const WITHIN_MS = 1_000;
const START_WITHIN_MS = 2_000;

/**
 * The reader, on a thread that starts with the first question and stays. A recall does without it while
 * others wait for it, when it takes too long, or when its thread has ended; one that fails time and again is
 * left alone for a while (breaker.ts).
 */
export const startReader = (data: ReaderThreadData): Reader =>
  makeReader(
    startAskedThread<ReaderQuestion, number[]>({
      name: 'reader',
      message: 'The reader is starting again.',
      file: threadFile(import.meta.url, 'reader'),
      worker: () => ({
        workerData: data,
        resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
      }),
      idleMs: Number.POSITIVE_INFINITY,
    }),
  );

type ReaderThread = Pick<AskedThread<ReaderQuestion, number[]>, 'ask' | 'pending' | 'isReady' | 'close'>;

export const makeReader = (
  thread: ReaderThread,
  { withinMs = WITHIN_MS, startWithinMs = START_WITHIN_MS } = {},
  breaker: Breaker = makeBreaker(),
): Reader => ({
  read: async (question, turns, signal) => {
    signal?.throwIfAborted();
    if (thread.pending() >= MOST_WAITING || !breaker.mayAsk()) return undefined;
    const ended = Promise.withResolvers<undefined>();
    const timer = setTimeout(ended.resolve, thread.isReady() ? withinMs : startWithinMs, undefined);
    const abort = (): void => ended.reject(signal!.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // The thread isn't told: it would answer a cancelled question all the same.
      const asked = thread.ask({ question, turns }).catch(() => undefined);
      const readings = await Promise.race([asked, ended.promise]);
      breaker.ended(readings ? undefined : { kind: 'away', reason: 'the reader did not answer' });
      return readings;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  },
  close: thread.close,
});
