import { setImmediate } from 'node:timers/promises';

/** Longer than this nobody else should wait for one request's work. */
const SLICE_MS = 10;

/**
 * For work in a loop that a request may make long: awaited between two steps, it lets other requests run when the
 * loop has had its slice.
 */
export const makeBreathe = (): (() => Promise<void>) => {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < SLICE_MS) return;
    await setImmediate();
    started = performance.now();
  };
};
