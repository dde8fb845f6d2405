import { findPiece, type StaticTable } from '../vectors/static-vectors.ts';
import { FNV_BASIS, FNV_PRIME, fnv1a } from './fnv.ts';

/** Anything longer is not a word (URLs, base64); BERT's limit is 100 letters too. */
const LONGEST = 100;
const CONTINUATION = fnv1a('##');

/**
 * Splits one lower-case word without accents into WordPieces, longest match first (Wu et al. 2016). Returns
 * their ids; none if a part of the word is not in the vocabulary. Pieces are found by hash: the probability
 * of a false match is 7 in a million per look-up, and it costs one wrong vector.
 */
export const wordPieces = (table: StaticTable, word: string): number[] => {
  if (word.length > LONGEST) return [];
  const pieces: number[] = [];
  let start = 0;
  while (start < word.length) {
    let hash = start === 0 ? FNV_BASIS : CONTINUATION;
    let found = -1;
    let end = start;
    for (let i = start; i < word.length; i++) {
      hash = Math.imul(hash ^ word.charCodeAt(i), FNV_PRIME) >>> 0;
      const id = findPiece(table, hash);
      if (id >= 0) {
        found = id;
        end = i + 1;
      }
    }
    if (found < 0) return [];
    pieces.push(found);
    start = end;
  }
  return pieces;
};
