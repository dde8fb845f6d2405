export interface BoundedMap<V> {
  get(key: string): V | undefined;
  /** Returns the value. */
  set(key: string, value: V): V;
  delete(key: string): void;
  clear(): void;
}

/** A map of at most `most` entries that evicts its oldest ones. */
export const boundedMap = <V>(most: number): BoundedMap<V> => {
  const entries = new Map<string, V>();
  return {
    get: key => entries.get(key),
    set: (key, value) => {
      if (entries.size >= most && !entries.has(key)) entries.delete(entries.keys().next().value as string);
      entries.set(key, value);
      return value;
    },
    delete: key => {
      entries.delete(key);
    },
    clear: () => entries.clear(),
  };
};
