import type { Query } from '../../language/language.ts';
import { bm25 } from '../../search/bm25.ts';
import type { Document } from '../../search/document.ts';
import { makeWordSimilarity } from '../vectors/similarity.ts';
import type { ScopeWeights } from './scope-weights.ts';

/** How well one document matches the query, without its context. Arrays are in the order of `Query.stems`. */
export interface Match {
  /** Occurrences of each query stem. */
  counts: Uint8Array;
  length: number;
  /**
   * For each query word, the highest cosine with any of the document's words; 1 if the document contains the
   * stem.
   */
  best: Float32Array;
  /** BM25 divided by its upper bound, 0 to 1. */
  bm25: number;
}

/** Matches documents against one query; results are cached per document. */
export interface Matcher {
  match(document: Document): Match;
}

const K1 = 0.9;
const B = 0.4;

export const makeMatcher = (query: Query, scope: ScopeWeights): Matcher => {
  const matches = new Map<Document, Match>();
  const q = query.stems.length;
  const similarity = makeWordSimilarity(query);

  const match = (document: Document): Match => {
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
    const made: Match = {
      counts,
      length: document.length,
      best,
      bm25: bm25(counts, document.length, scope.meanLength, scope.idf, scope.idfSum, K1, B),
    };
    matches.set(document, made);
    return made;
  };
  return { match };
};

/** Returns the index of `stem` in the ascending `stems`, or -1. */
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
