import { makeRecentlyNeeded, type RecentlyNeededOptions } from './recently-needed.ts';

/** A cache that forgets by itself: values that nobody needed for so long, and the oldest beyond its bytes. */
export const makeKeptAWhile = <V>(options: RecentlyNeededOptions) => {
  const values = makeRecentlyNeeded<V>(options);
  let isWaiting = false;
  const forgetLater = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      values.dropOldest();
      if (values.holdsAny()) forgetLater();
    }, options.unusedMs).unref();
  };
  return {
    /** Returns the value and marks it as used; undefined when it isn't held. */
    need: values.need,
    /** @param bytes about what it takes */
    hold: (name: string, value: V, bytes: number): V => {
      values.hold(name, value, bytes);
      values.dropOldest();
      forgetLater();
      return value;
    },
  };
};
