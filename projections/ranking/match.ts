import type { Query } from '../language/language.ts';
import type { Document } from '../recall/document.ts';
import { dotAll, dotInt8, squareOfRow } from './dot.ts';
import type { ScopeWeights } from './scope-weights.ts';
import { makeWordSimilarity } from './similarity.ts';

/** How one document meets the query, without its place. Arrays are in the order of `Query.stems`. */
export interface Match {
  /** Occurrences of each query stem. */
  counts: Uint8Array;
  length: number;
  /** Best cosine of one of its words with each query word; 1 where it holds the stem. */
  best: Float32Array;
  /** BM25 by the most it could be, 0 to 1. */
  bm25: number;
  /** Cosine of the texts; 0 for a document that was only met as a neighbour. */
  cosine: number;
}

const K1 = 0.9;
const B = 0.4;

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

/**
 * Matches each document once, however many candidates have it for a neighbour. Candidates come first, since nothing asks
 * for a neighbour's cosine.
 */
export const makeMatcher = (
  query: Query,
  scope: ScopeWeights,
): ((document: Document, as: 'candidate' | 'neighbour') => Match) => {
  const matches = new Map<Document, Match>();
  const q = query.stems.length;
  const { dimensions } = query.table;
  // The words' vectors and the whole query's behind them: one array, so that it is handed over once a query.
  const vectors = new Int8Array((q + 1) * dimensions);
  vectors.set(query.vectors);
  vectors.set(query.vector, q * dimensions);
  const similarity = makeWordSimilarity(query, vectors);
  const queryNorm = dotInt8(query.vector, 0, query.vector, 0, dimensions);

  const cosine = ({ vector }: Document): number => {
    if (vector.length !== dimensions || queryNorm === 0) return 0;
    const dot = dotAll(vector, 0, dimensions, vectors)[q]!;
    const norm = squareOfRow(dimensions);
    return norm > 0 ? dot / Math.sqrt(norm * queryNorm) : 0;
  };

  return (document, as) => {
    const known = matches.get(document);
    if (known) return known;
    const counts = new Uint8Array(q);
    const best = new Float32Array(q);
    for (let w = 0; w < document.words.length; w++) {
      const at = similarity.at(document.words[w]!);
      const values = similarity.values();
      for (let i = 0; i < q; i++) if (values[at + i]! > best[i]!) best[i] = values[at + i]!;
    }
    for (let i = 0; i < q; i++) {
      const at = find(document.stems, query.stems[i]!);
      if (at >= 0) {
        counts[i] = document.counts[at]!;
        best[i] = 1;
      }
    }
    const match: Match = {
      counts,
      length: document.length,
      best,
      bm25: bm25(counts, document.length, scope.meanLength, scope.idf, scope.idfSum, K1, B),
      cosine: as === 'candidate' ? cosine(document) : 0,
    };
    matches.set(document, match);
    return match;
  };
};

/** Index of `stem` in the ascending `stems`, or -1. */
const find = (stems: Uint32Array, stem: number): number => {
  let low = 0;
  let high = stems.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = stems[middle]!;
    if (value === stem) return middle;
    if (value < stem) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};
