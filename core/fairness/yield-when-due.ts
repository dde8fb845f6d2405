/** The longest time that one request's work may delay other requests. */
const SLICE_MS = 2;

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
 * For loops whose length depends on a request: the returned function yields to the event loop when the time
 * slice is used up, and returns undefined before that. Awaited only when it returns a promise, it counts the
 * loop's own time. `rest`: how to yield, if for longer than one round.
 */
export const makeTimeSlice = (
  rest: () => Promise<unknown> = nextRound,
): (() => Promise<void> | undefined) => {
  let started = performance.now();
  const yieldNow = async (): Promise<void> => {
    await rest();
    started = performance.now();
  };
  return () => (performance.now() - started < SLICE_MS ? undefined : yieldNow());
};

/** The same for loops that await others anyway: await it between two steps. */
export const makeYieldWhenDue = (rest?: () => Promise<unknown>): (() => Promise<void>) => {
  const slice = makeTimeSlice(rest);
  return async () => slice();
};
