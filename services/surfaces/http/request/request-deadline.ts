import { unavailable } from '../../../../core/errors.ts';
import type { Deadline } from '../../../../core/timing/deadline.ts';

/** With the time of an append longer than any timeout inside the service, shorter than those of proxies. */
const DEADLINE_MS = 27_000;
/**
 * How long an append that began just before the deadline is waited for. A log that answers takes a fraction
 * of it; if it doesn't answer, the client is told so while it still listens.
 */
const APPEND_MS = 3_000;

export interface RunningDeadline extends Deadline {
  /** Cancels the call, unless it began an append or has ended. */
  cancel(reason: Error): void;
  /**
   * Resolves like `work`, or rejects with the reason as soon as the call is cancelled, and at the end of its
   * append's time: no request hangs, whatever the engines do. Work that ignores the signal goes on, and its
   * result is dropped.
   */
  limit<T>(work: Promise<T>): Promise<T>;
  /** Resolves like the work, whose time doesn't count. */
  paused<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the call's time. */
  end(): void;
}

/**
 * Starts the time of one call; `ms` after now it is cancelled with `unavailable`, or some seconds later if
 * its append has begun.
 */
export const startDeadline = (ms = DEADLINE_MS): RunningDeadline => {
  const cancelled = new AbortController();
  const { signal } = cancelled;
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  let isOpen = true;
  const cancel = (reason: Error): void => {
    if (!isOpen || signal.aborted) return;
    cancelled.abort(reason);
    late.reject(reason);
  };
  const tooLong = (): Error => unavailable('The service took too long; try again.');
  let at = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const start = (leftMs: number): void => {
    timer = setTimeout(() => cancel(tooLong()), Math.max(0, leftMs));
  };
  start(ms);
  const end = (): void => {
    isOpen = false;
    clearTimeout(timer);
  };
  return {
    signal,
    get at() {
      return at;
    },
    get appendUntil() {
      return at + APPEND_MS;
    },
    beginAppend: () => {
      signal.throwIfAborted();
      if (!isOpen) return;
      end();
      timer = setTimeout(() => late.reject(tooLong()), at + APPEND_MS - performance.now());
    },
    cancel,
    limit: work => Promise.race([work, late.promise]),
    paused: async work => {
      clearTimeout(timer);
      const leftMs = at - performance.now();
      const done = await work();
      at = performance.now() + leftMs;
      start(leftMs);
      return done;
    },
    end,
  };
};
