import type { Query } from '../../language/language.ts';
import { firstPiece, secondPiece } from '../../language/words/word-keys.ts';
import { dotAll, dotInt8 } from './dot.ts';

/** Smaller cosines are noise: MaxSim treats them as 0. */
const LEAST_COSINE = 0.3;

export interface WordSimilarity {
  /** Returns the index in `values()` at which this word's cosines with the query words begin. */
  at(key: number): number;
  /** Returns the cosines. New words may reallocate the array: call it after the last call of `at`. */
  values(): Float32Array;
}

/**
 * Returns the cosines between words and the query's words, each computed once per query; exactly 1 for
 * identical keys.
 */
export const makeWordSimilarity = ({ table, keys, vectors }: Query): WordSimilarity => {
  const { dimensions, rows, scales, inverseNorms } = table;
  const words = keys.length;
  const known = new Map<number, number>();
  let values = new Float32Array(Math.max(1, words) * 512);
  let used = 0;
  const inverse = Float64Array.from(keys, (_, q) => {
    const square = dotInt8(vectors, q * dimensions, vectors, q * dimensions, dimensions);
    return square > 0 ? 1 / Math.sqrt(square) : 0;
  });

  const fill = (key: number, at: number): void => {
    const a = firstPiece(key);
    const b = secondPiece(key);
    addPiece(a, at, b === 0 ? inverseNorms[a]! : scales[a]! * inverseOfSum(a, b));
    if (b !== 0) addPiece(b, at, scales[b]! * inverseOfSum(a, b));
    for (let q = 0; q < words; q++) {
      const cosine = keys[q] === key ? 1 : values[at + q]! * inverse[q]!;
      values[at + q] = cosine >= LEAST_COSINE ? Math.min(cosine, 1) : 0;
    }
  };

  /** A word's vector is the sum of its pieces' vectors, so its dot products are sums too. */
  const addPiece = (piece: number, at: number, share: number): void => {
    const dots = dotAll(rows, piece * dimensions, dimensions, vectors);
    for (let q = 0; q < words; q++) values[at + q]! += dots[q]! * share;
  };

  /** Returns 1 / norm of the sum of two pieces' vectors, by the law of cosines. */
  const inverseOfSum = (a: number, b: number): number => {
    const dot = dotInt8(rows, a * dimensions, rows, b * dimensions, dimensions);
    const square =
      (scales[a]! / inverseNorms[a]!) ** 2 +
      (scales[b]! / inverseNorms[b]!) ** 2 +
      2 * scales[a]! * scales[b]! * dot;
    return 1 / Math.sqrt(Math.max(square, 1e-12));
  };

  return {
    at: key => {
      const found = known.get(key);
      if (found !== undefined) return found;
      const at = used;
      used += Math.max(1, words);
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
