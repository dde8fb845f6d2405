/**
 * Hashes by FNV-1a over UTF-16 code units, 32 bits, unsigned (Fowler, Noll and Vo).
 * tools/training/static-vectors computes the same hash. `seed` continues an earlier hash, so that all
 * prefixes of a word are hashed in one pass.
 */
export const fnv1a = (text: string, seed = FNV_BASIS): number => {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
};

export const FNV_BASIS = 0x811c9dc5;
export const FNV_PRIME = 0x01000193;
