export interface RecentBounds<K, V> {
  /** About how many entries are kept. */
  entries: number;
  /** About how many bytes they may take together; entries differ in size by a factor of a thousand. */
  bytes: number;
  bytesOf: (value: V, key: K) => number;
}

/** An approximate LRU cache, bounded by entries and bytes, with two halves instead of an access order. */
export const makeRecent = <K, V>({ entries, bytes, bytesOf }: RecentBounds<K, V>) => {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  let youngBytes = 0;
  const set = (key: K, value: V): V => {
    const own = bytesOf(value, key);
    if (young.size > 0 && (young.size >= entries / 2 || youngBytes + own > bytes / 2)) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(key, value);
    youngBytes += own;
    return value;
  };
  return {
    get: (key: K): V | undefined => {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      return older === undefined ? undefined : set(key, older);
    },
    set,
  };
};
