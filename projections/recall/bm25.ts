/**
 * Okapi BM25 (Robertson et al. 1994) of occurrences, divided by the sum of idf * (k1 + 1): the most that any text can
 * reach. So it lies in 0 … 1, and means the same for every query and every set of candidates.
 */
export const bm25 = (
  counts: ArrayLike<number>,
  length: number,
  meanLength: number,
  idf: Float64Array,
  idfSum: number,
  k1: number,
  b: number,
): number => {
  const norm = k1 * (1 - b + (b * length) / meanLength);
  let score = 0;
  for (let i = 0; i < idf.length; i++) {
    const count = counts[i]!;
    if (count > 0) score += (idf[i]! * count) / (count + norm);
  }
  return score / idfSum;
};

/** How rare a word is: ln(1 + (N - n + .5) / (n + .5)), as in Lucene's BM25. */
export const inverseFrequency = (all: number, holding: number): number => {
  const n = Math.min(holding, all);
  return Math.log(1 + (all - n + 0.5) / (n + 0.5));
};
