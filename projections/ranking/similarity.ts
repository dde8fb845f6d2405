import type { Query } from '../language/language.ts';
import { firstPiece, secondPiece } from '../language/word-keys.ts';

/** Cosines below this say nothing: MaxSim takes them for 0. */
export const LEAST_COSINE = 0.3;

export interface WordSimilarity {
  /** Where the cosines of this word with each query word begin in `values()`. */
  at(key: number): number;
  /** Grows with every new word: fetch it after the last `at`. */
  values(): Float32Array;
}

/** Cosines between words and the query's words, each computed once a query. Identical keys have exactly 1. */
export const makeWordSimilarity = (query: Query): WordSimilarity => {
  const { table, vectors, keys } = query;
  const { dimensions, rows, scales, inverseNorms } = table;
  const words = keys.length;
  const known = new Map<number, number>();
  let values = new Float32Array(Math.max(1, words) * 512);
  let used = 0;

  /** Cosines of a word of two pieces: the dot products of both rows, by the norm of their sum. */
  const fill = (key: number, at: number): void => {
    const a = firstPiece(key);
    const b = secondPiece(key);
    const rowA = a * dimensions;
    const rowB = b * dimensions;
    const scaleA = scales[a]!;
    const scaleB = b === 0 ? 0 : scales[b]!;
    let inverse = inverseNorms[a]! / scaleA;
    if (b !== 0) {
      let norm = 0;
      for (let i = 0; i < dimensions; i++) {
        const x = rows[rowA + i]! * scaleA + rows[rowB + i]! * scaleB;
        norm += x * x;
      }
      inverse = norm > 0 ? 1 / Math.sqrt(norm) : 0;
    }
    for (let q = 0; q < words; q++) {
      if (keys[q] === key) {
        values[at + q] = 1;
        continue;
      }
      const from = q * dimensions;
      let dotA = 0;
      for (let i = 0; i < dimensions; i++) dotA += rows[rowA + i]! * vectors[from + i]!;
      let dot = dotA * scaleA;
      if (b !== 0) {
        let dotB = 0;
        for (let i = 0; i < dimensions; i++) dotB += rows[rowB + i]! * vectors[from + i]!;
        dot += dotB * scaleB;
      }
      const cosine = dot * inverse;
      values[at + q] = cosine >= LEAST_COSINE ? Math.min(cosine, 1) : 0;
    }
  };

  return {
    at: key => {
      const found = known.get(key);
      if (found !== undefined) return found;
      const at = used;
      used += words;
      if (used > values.length) {
        const larger = new Float32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      fill(key, at);
      known.set(key, at);
      return at;
    },
    values: () => values,
  };
};
