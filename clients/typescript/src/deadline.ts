import { misconfigured, TurnstoneError } from './error.ts';

/** A timer of more fires at once. It is 24.8 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const timerMs = (ms: number): number => Math.min(ms, LONGEST_TIMER_MS);

/** A time that a caller sets; `Infinity` has no end. */
export const checkTime = (name: string, ms: number | undefined): void => {
  if (ms !== undefined && !(ms > 0)) throw misconfigured(`${name} is milliseconds above 0.`);
};

/** A signal that is aborted by an outer one, or after a time; its reason is what is to be thrown. */
export interface Deadline {
  signal: AbortSignal;
  /** Counts anew from now. */
  restart(): void;
  /** Stops counting. */
  pause(): void;
  /** To be called when all is done: lets go of the timer and of the outer signal. */
  end(): void;
  /** The same, and aborts what is still under way. */
  close(): void;
  /** Milliseconds that are left. */
  left(): number;
}

export const givenUp = (signal: AbortSignal): TurnstoneError =>
  signal.reason instanceof TurnstoneError
    ? signal.reason
    : new TurnstoneError('The call was given up by its caller.', { code: 'aborted', cause: signal.reason });

/** After `ms` milliseconds the reason is a timeout, which tells `requestId`; an outer signal's reason goes first. */
export const makeDeadline = (ms: number, outer?: AbortSignal, requestId?: string): Deadline => {
  const controller = new AbortController();
  let endsAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = (): void =>
    controller.abort(
      new TurnstoneError(`There was no answer within ${ms} ms.`, { code: 'timeout', requestId }),
    );
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

/** What the work resolves to, or the signal's reason as soon as it is aborted; the work itself goes on. */
export const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(givenUp(signal));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/** Rejects with the signal's reason once it is aborted. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, timerMs(ms));
  });
  return orAborted(waited, signal).finally(() => clearTimeout(timer));
};
