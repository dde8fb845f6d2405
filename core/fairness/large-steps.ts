import { setTimeout as pause } from 'node:timers/promises';
import { makeFairQueue } from './fair-queue.ts';
import { nextRound } from './yield-when-due.ts';

/** The longest rest: a step of the largest write takes about as long. */
const MOST_REST_MS = 8;

export interface LargeSteps {
  /** Counts a call as short for as long as its work takes. */
  asShortCall<T>(work: Promise<T>): Promise<T>;
  /**
   * Await it before a step of a large call that takes milliseconds. Such steps come one after the other, organizations take turns,
   * and while short calls are at work a step is followed by a rest as long as it was. Where there are none, large calls
   * lose nothing. Throws the signal's reason as soon as it is aborted, so that a call that nobody waits for leaves.
   */
  nextLargeStep(org: string, signal?: AbortSignal): Promise<void>;
}

/** @param rest takes milliseconds */
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
          // The step before runs as soon as its turn is over, and has ended after a round.
          await nextRound();
          const sinceMs = performance.now() - beganAt;
          // Later there was rest enough.
          if (shortCalls > 0 && sinceMs < 2 * MOST_REST_MS) await rest(Math.min(sinceMs, MOST_REST_MS));
          signal?.throwIfAborted();
          beganAt = performance.now();
        },
        signal,
      ),
  };
};

/** Those of this process: its calls share one thread. */
export const { asShortCall, nextLargeStep } = makeLargeSteps();
