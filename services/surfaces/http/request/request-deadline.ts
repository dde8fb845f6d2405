import { unavailable } from '../../../../core/errors.ts';
import type { Deadline } from '../../../../core/timing/deadline.ts';

/** Longer than any timeout inside the service, shorter than those of clients and proxies. */
const DEADLINE_MS = 30_000;

export interface RunningDeadline extends Deadline {
  /** Cancels the call, unless it began an append or has ended. */
  cancel(reason: Error): void;
  /**
   * Resolves like `work`, or rejects with the reason as soon as the call is cancelled: no request hangs,
   * whatever the engines do. Work that ignores the signal goes on, and its result is dropped.
   */
  limit<T>(work: Promise<T>): Promise<T>;
}

/** Starts the time of one call; `ms` after now it is cancelled with `unavailable`. */
export const startDeadline = (ms = DEADLINE_MS): RunningDeadline => {
  const cancelled = new AbortController();
  const { signal } = cancelled;
  let isOpen = true;
  const cancel = (reason: Error): void => {
    if (isOpen) cancelled.abort(reason);
  };
  const timer = setTimeout(() => cancel(unavailable('The service took too long; try again.')), ms);
  const end = (): void => {
    isOpen = false;
    clearTimeout(timer);
  };
  return {
    signal,
    at: performance.now() + ms,
    beginAppend: () => {
      signal.throwIfAborted();
      isOpen = false;
    },
    cancel,
    limit: work => {
      const late = new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      return Promise.race([work, late]).finally(end);
    },
  };
};

/** For work that appends nothing and needs no signal. */
export const withinDeadline = <T>(work: Promise<T>): Promise<T> => startDeadline().limit(work);
