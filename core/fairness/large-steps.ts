import { setTimeout as pause } from 'node:timers/promises';
import { makeFairQueue } from './fair-queue.ts';
import { nextRound } from './yield-when-due.ts';

/** The longest rest: about as long as a step of the largest write takes. */
const MOST_REST_MS = 8;

export interface LargeSteps {
  /** Counts a call as short until its work ends. */
  asShortCall<T>(work: Promise<T>): Promise<T>;
  /**
   * Await it before each step of a large call that takes milliseconds. Steps run one at a time, organizations
   * take turns, and while short calls are running each step is followed by a rest as long as the step was.
   * Without short calls, large calls lose no time. Throws the signal's reason as soon as it is aborted, so
   * that an abandoned call leaves the queue.
   */
  nextLargeStep(org: string, signal?: AbortSignal): Promise<void>;
}

/** @param rest resolves after the given milliseconds */
export const makeLargeSteps = (rest: (ms: number) => Promise<unknown> = pause): LargeSteps => {
  const turns = makeFairQueue({ slots: 1 });
  let shortCalls = 0;
  /** When the latest step began, on the clock of `performance.now()`. */
  let beganAt = Number.NEGATIVE_INFINITY;

  return {
    asShortCall: async work => {
      shortCalls++;
      try {
        return await work;
      } finally {
        shortCalls--;
      }
    },
    nextLargeStep: (org, signal) =>
      turns.run(
        org,
        async () => {
          // The previous step starts as soon as its turn ends; after one round of the event loop it has
          // ended.
          await nextRound();
          const sinceMs = performance.now() - beganAt;
          // If the step began longer ago, the rest is already over.
          if (shortCalls > 0 && sinceMs < 2 * MOST_REST_MS) await rest(Math.min(sinceMs, MOST_REST_MS));
          signal?.throwIfAborted();
          beganAt = performance.now();
        },
        signal,
      ),
  };
};

/** The instance of this process, whose calls share one thread. */
export const { asShortCall, nextLargeStep } = makeLargeSteps();
