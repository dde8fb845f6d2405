import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../../../core/errors.ts';
import { within } from '../../../core/timing/within.ts';
import { asOutage, isOutage } from './client/kafka-client.ts';

/** A part of the client that is replaced after a failure: some parts of kafkajs never recover. */
export interface Renewable<T> {
  /**
   * Retries with a new part after each failure; throws `unavailable` after ten seconds, or at once if
   * retrying doesn't help.
   */
  use<R>(work: (part: T) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

const PATIENCE = 10_000;

/** Limits a wait: some of the client's waits never end if a broker neither answers nor disconnects. */
export const answerWithin = <T>(milliseconds: number, work: Promise<T>): Promise<T> =>
  within(milliseconds, work, () => unavailable('the log does not answer'));

export const renewable = <T>(
  open: () => Promise<T>,
  dispose: (part: T) => Promise<void>,
  patience = PATIENCE,
): Renewable<T> => {
  let current: Promise<T> | undefined;
  const discard = (part: Promise<T>): void => {
    if (current === part) current = undefined;
    part.then(dispose).catch(() => {});
  };
  return {
    use: async work => {
      const end = performance.now() + patience;
      for (let pause = 50; ; pause = Math.min(pause * 2, 1_000)) {
        current ??= open();
        const part = current;
        try {
          return await answerWithin(patience, part.then(work));
        } catch (error) {
          discard(part);
          if (!isOutage(error) || performance.now() + pause > end) throw asOutage(error);
          await sleep(pause);
        }
      }
    },
    close: async () => {
      const part = current;
      current = undefined;
      await part?.then(dispose).catch(() => {});
    },
  };
};
