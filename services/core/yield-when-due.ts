import { setImmediate } from 'node:timers/promises';

/** No other request should wait longer than this for one request's work. */
const SLICE_MS = 10;

/**
 * For a loop that a request may make long: awaited between two steps, it yields to the event loop when the loop has
 * used its slice.
 */
export const makeYieldWhenDue = (): (() => Promise<void>) => {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < SLICE_MS) return;
    await setImmediate();
    started = performance.now();
  };
};
