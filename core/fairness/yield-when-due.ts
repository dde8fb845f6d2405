/** The longest time that one request's work may delay other requests. */
const SLICE_MS = 4;

/** Work that is due waits here; the event loop goes round once between two of them, however many requests are at work. */
const due: (() => void)[] = [];
const continueOne = (): void => {
  due.shift()!();
  if (due.length > 0) setImmediate(continueOne);
};
/** Resolves in a later round of the event loop: before a step that takes milliseconds and can't be divided. */
export const nextRound = (): Promise<void> =>
  new Promise(resolve => {
    due.push(resolve);
    if (due.length === 1) setImmediate(continueOne);
  });

/**
 * For loops whose length depends on a request: await the returned function between two steps, and it yields to the event
 * loop when the time slice is used up. `rest`: how, if for longer than what waits there takes.
 */
export const makeYieldWhenDue = (rest: () => Promise<unknown> = nextRound): (() => Promise<void>) => {
  let started = performance.now();
  return async () => {
    if (performance.now() - started < SLICE_MS) return;
    await rest();
    started = performance.now();
  };
};
