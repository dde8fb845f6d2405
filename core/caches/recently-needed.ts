export interface RecentlyNeededOptions {
  /** Approximate limit on the bytes held. */
  mostBytes: number;
  /** Milliseconds after which an unused value may be dropped. */
  unusedMs: number;
  /** Milliseconds, ascending. */
  clock?: () => number;
}

/**
 * A cache of values by name that knows their bytes and last use. Nothing is dropped until `dropOldest` is
 * called.
 */
export const makeRecentlyNeeded = <V>({
  mostBytes,
  unusedMs,
  clock = () => performance.now(),
}: RecentlyNeededOptions) => {
  interface Held {
    value: V;
    bytes: number;
    neededAt: number;
  }
  /** Ordered by last use, the most recent last. */
  const held = new Map<string, Held>();
  let bytes = 0;

  const put = (name: string, { value, bytes }: Pick<Held, 'value' | 'bytes'>): void => {
    held.delete(name);
    held.set(name, { value, bytes, neededAt: clock() });
  };

  return {
    /** Returns the value and marks it as used; undefined when it isn't held. */
    need: (name: string): V | undefined => {
      const known = held.get(name);
      if (known) put(name, known);
      return known?.value;
    },
    hold: (name: string, value: V, own: number): void => {
      bytes += own - (held.get(name)?.bytes ?? 0);
      put(name, { value, bytes: own });
    },
    holdsAny: (): boolean => held.size > 0,
    /**
     * Drops the least recently used values that are unused for too long or exceed the byte limit; returns
     * their names.
     */
    dropOldest: (isSpared: (name: string) => boolean = () => false): string[] => {
      const dropped: string[] = [];
      const unusedSince = clock() - unusedMs;
      for (const [name, one] of held) {
        if (isSpared(name) || (bytes <= mostBytes && one.neededAt > unusedSince)) break;
        held.delete(name);
        bytes -= one.bytes;
        dropped.push(name);
      }
      return dropped;
    },
  };
};
