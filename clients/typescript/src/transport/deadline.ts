import { misconfigured, TurnstoneError } from '../error.ts';

/** The longest possible timer, 24.8 days; a longer one fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const timerMs = (ms: number): number => Math.min(ms, LONGEST_TIMER_MS);

/** Checks a time-out set by a caller; `Infinity` means none. */
export const checkTime = (name: string, ms: number | undefined): void => {
  if (ms !== undefined && !(ms > 0)) throw misconfigured(`${name} must be a number of milliseconds above 0.`);
};

/** A signal that is aborted by an outer one or after a time; its reason is the error to throw. */
export interface Deadline {
  signal: AbortSignal;
  /** Restarts the time from now. */
  restart(): void;
  /** Stops the timer. */
  pause(): void;
  /** Call when the work is done: releases the timer and the outer signal. */
  end(): void;
  /** Does the same, and aborts work in progress. */
  close(): void;
  /** Milliseconds left. */
  left(): number;
}

export const givenUp = (signal: AbortSignal): TurnstoneError =>
  signal.reason instanceof TurnstoneError
    ? signal.reason
    : new TurnstoneError('The caller aborted the call.', { code: 'aborted', cause: signal.reason });

/**
 * After `ms` milliseconds the signal's reason is a timeout with `requestId`, unless the outer signal was
 * aborted before.
 */
export const makeDeadline = (ms: number, outer?: AbortSignal, requestId?: string): Deadline => {
  const controller = new AbortController();
  let endsAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = (): void =>
    controller.abort(new TurnstoneError(`No answer within ${ms} ms.`, { code: 'timeout', requestId }));
  const abort = (): void => controller.abort(givenUp(outer!));
  const pause = (): void => clearTimeout(timer);
  const restart = (): void => {
    pause();
    endsAt = Date.now() + ms;
    timer = setTimeout(late, timerMs(ms));
  };
  const end = (): void => {
    pause();
    outer?.removeEventListener('abort', abort);
  };
  if (outer?.aborted) abort();
  else outer?.addEventListener('abort', abort, { once: true });
  restart();
  return {
    signal: controller.signal,
    restart,
    pause,
    end,
    close: () => {
      end();
      controller.abort();
    },
    left: () => endsAt - Date.now(),
  };
};

/** Rejects with the signal's reason once it is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(givenUp(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, timerMs(ms));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
