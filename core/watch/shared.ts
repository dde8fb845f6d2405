/** How long a state of the process is answered without being computed again. */
export const STATE_MS = 250;

/**
 * Computes at most one value at a time, and keeps it for `ms` from the moment when its computation began:
 * everyone who asks meanwhile gets the same one. So a flood of questions costs as much as one questioner who
 * asks that often. A failure is shared by those who wait for it, and not kept.
 */
export const sharedFor = <T>(ms: number, compute: () => Promise<T>): (() => Promise<T>) => {
  let last: { value: Promise<T>; began: number; isPending: boolean } | undefined;
  return () => {
    if (last && (last.isPending || performance.now() - last.began < ms)) return last.value;
    const mine = { value: compute(), began: performance.now(), isPending: true };
    last = mine;
    const settle = (keep: boolean) => (): void => {
      mine.isPending = false;
      if (!keep && last === mine) last = undefined;
    };
    mine.value.then(settle(true), settle(false));
    return mine.value;
  };
};
