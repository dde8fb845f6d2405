import { tailTurnBytes } from '../../../projections/recall/tail/tail-turn.ts';
import type { Deadline } from '../../core/deadline.ts';
import { unavailable } from '../../core/errors.ts';
import type { Search, SearchRequest, SearchResult } from '../../core/ports.ts';

export interface RecallQueueOptions {
  /** Searches that run at once. */
  atOnce: number;
  /** The most searches that wait for one of those. */
  mostWaiting: number;
  /** The most bytes of tails that searches hold, unless one alone holds more; undefined where they share the tail. */
  mostTailBytes?: number;
}

interface Waiting {
  request: SearchRequest;
  deadline: Deadline | undefined;
  resolve(result: Promise<SearchResult>): void;
  reject(error: unknown): void;
  /** Stops listening to the deadline. */
  forget(): void;
}

/** The share of the latest search in the mean time of a search. */
const LATEST = 0.2;
const LONGEST_RETRY_S = 30;

/**
 * Runs at most `atOnce` searches at once; the others wait in the order of their arrival. A search that can't end before its
 * deadline, by the measured time of a search, is refused at once, and one that waits is refused as soon as that is known.
 * A cancelled search leaves the queue; of one that runs, the result is dropped.
 */
export const makeRecallQueue = (
  search: Search,
  { atOnce, mostWaiting, mostTailBytes = Number.POSITIVE_INFINITY }: RecallQueueOptions,
): Search => {
  let tailBytes = 0;
  let waiting: Waiting[] = [];
  let running = 0;
  /** Milliseconds from the start of a search to its end, while others run beside it; 0: none has ended yet. */
  let meanMs = 0;

  /** Milliseconds until a search ends that so many are ahead of: searches end one after another, `atOnce` in a mean time. */
  const expectedMs = (ahead: number): number => ((ahead + running) / atOnce) * meanMs;
  const isTooLate = ({ deadline }: Pick<Waiting, 'deadline'>, ahead: number): boolean =>
    deadline !== undefined && performance.now() + expectedMs(ahead + 1) > deadline.at;
  const refusal = (): Error => {
    const seconds = Math.ceil(expectedMs(waiting.length) / 1_000);
    return unavailable(
      'More recalls are waiting than can be answered in time.',
      undefined,
      Math.min(Math.max(seconds, 1), LONGEST_RETRY_S),
    );
  };

  const measured = (ms: number): void => {
    meanMs = meanMs === 0 ? ms : meanMs + LATEST * (ms - meanMs);
  };

  const run = async (request: SearchRequest, deadline: Deadline | undefined): Promise<SearchResult> => {
    running++;
    const started = performance.now();
    try {
      const result = await search(request, deadline);
      measured(performance.now() - started);
      return result;
    } catch (error) {
      // A search that was cancelled takes at least as long; one that failed at once says nothing.
      measured(Math.max(meanMs, performance.now() - started));
      throw error;
    } finally {
      running--;
      refuseLate();
      startNext();
    }
  };

  const startNext = (): void => {
    while (running < atOnce) {
      const next = waiting.shift();
      if (!next) return;
      next.forget();
      next.resolve(run(next.request, next.deadline));
    }
  };

  const refuseLate = (): void => {
    const kept: Waiting[] = [];
    for (const one of waiting) {
      if (!isTooLate(one, kept.length)) {
        kept.push(one);
        continue;
      }
      one.forget();
      one.reject(refusal());
    }
    waiting = kept;
  };

  /** Resolves when it is this search's turn and it has ended. */
  const wait = (request: SearchRequest, deadline: Deadline | undefined): Promise<SearchResult> =>
    new Promise((resolve, reject) => {
      const signal = deadline?.signal;
      const leave = (): void => {
        waiting = waiting.filter(one => one !== mine);
        reject(signal!.reason);
      };
      const forget = (): void => signal?.removeEventListener('abort', leave);
      const mine: Waiting = { request, deadline, resolve, reject, forget };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(mine);
    });

  const ask: Search = async (request, deadline) => {
    if (running < atOnce) return run(request, deadline);
    if (waiting.length >= mostWaiting || isTooLate({ deadline }, waiting.length)) throw refusal();
    return wait(request, deadline);
  };

  return async (request, deadline) => {
    deadline?.signal.throwIfAborted();
    const bytes = request.tail.reduce((sum, turn) => sum + tailTurnBytes(turn), 0);
    if (bytes > 0 && tailBytes > 0 && tailBytes + bytes > mostTailBytes) throw refusal();
    tailBytes += bytes;
    try {
      return await ask(request, deadline);
    } finally {
      tailBytes -= bytes;
    }
  };
};
