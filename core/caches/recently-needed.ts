export interface RecentlyNeededOptions {
  /** About the most bytes that are held. */
  mostBytes: number;
  /** Milliseconds for which something is held that nobody needs. */
  unusedMs: number;
  /** Milliseconds, ascending. */
  clock?: () => number;
}

/** Values by name, with their bytes and when each was needed last. Nothing is dropped until `dropOldest` is called. */
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
  /** The one that was needed last at the end. */
  const held = new Map<string, Held>();
  let bytes = 0;

  const put = (name: string, { value, bytes }: Pick<Held, 'value' | 'bytes'>): void => {
    held.delete(name);
    held.set(name, { value, bytes, neededAt: clock() });
  };

  return {
    /** Undefined when it isn't held. */
    need: (name: string): V | undefined => {
      const known = held.get(name);
      if (known) put(name, known);
      return known?.value;
    },
    hold: (name: string, value: V, own: number): void => {
      bytes += own - (held.get(name)?.bytes ?? 0);
      put(name, { value, bytes: own });
    },
    /** Drops what was needed longest ago, while there are too many bytes or it is unused; returns the names. */
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
