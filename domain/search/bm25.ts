/**
 * Okapi BM25 (Robertson et al. 1994) from term counts, divided by its upper bound, the sum of idf * (k1 + 1).
 * The score is therefore between 0 and 1, and comparable between queries and sets of candidates.
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

/** Inverse document frequency: ln(1 + (N - n + .5) / (n + .5)), as in Lucene's BM25. */
export const inverseFrequency = (all: number, holding: number): number => {
  const n = Math.min(holding, all);
  return Math.log(1 + (all - n + 0.5) / (n + 0.5));
};
