import { setImmediate } from 'node:timers/promises';

/** The longest time that one request's work may delay other requests. */
const SLICE_MS = 10;

/**
 * For loops whose length depends on a request: await the returned function between two steps, and it yields to the event
 * loop when the time slice is used up. `rest`: how, if for longer than what waits there takes.
 */
export const makeYieldWhenDue = (rest: () => Promise<unknown> = setImmediate): (() => Promise<void>) => {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < SLICE_MS) return;
    await rest();
    started = performance.now();
  };
};
