/** The longest time that one request's work may delay other requests. */
const SLICE_MS = 4;

/**
 * Work waiting for a later round. The event loop completes one round between two items, however many requests
 * are active.
 */
const due: (() => void)[] = [];
const continueOne = (): void => {
  due.shift()!();
  if (due.length > 0) setImmediate(continueOne);
};
/**
 * Resolves in a later round of the event loop. Await it before a step that takes milliseconds and can't be
 * divided.
 */
export const nextRound = (): Promise<void> =>
  new Promise(resolve => {
    due.push(resolve);
    if (due.length === 1) setImmediate(continueOne);
  });

/**
 * For loops whose length depends on a request: await the returned function between two steps, and it yields
 * to the event loop when the time slice is used up. `rest`: how to yield, if for longer than one round.
 */
export const makeYieldWhenDue = (rest: () => Promise<unknown> = nextRound): (() => Promise<void>) => {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < SLICE_MS) return;
    await rest();
    started = performance.now();
  };
};
