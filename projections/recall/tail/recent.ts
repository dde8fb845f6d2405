/** An approximate LRU cache of about `capacity` entries, with two halves instead of an access order. */
export const makeRecent = <K, V>(capacity: number) => {
  let young = new Map<K, V>();
  let old = new Map<K, V>();
  const set = (key: K, value: V): V => {
    if (young.size >= capacity / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
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
