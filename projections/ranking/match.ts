import type { Query } from '../language/language.ts';
import { bm25 } from '../recall/bm25.ts';
import type { Document, Neighbours } from '../recall/document.ts';
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
}

/** Matches the documents of one query, each once, however often it is met. */
export interface Matcher {
  match(document: Document): Match;
  /** Cosine of the texts. */
  cosine(document: Document): number;
  /** Cosine of the query with the document and those around it, taken for one text. */
  windowCosine(own: Document, neighbours: Neighbours): number;
}

const K1 = 0.9;
const B = 0.4;
/** What each word of the text and of those at -2, -1, +1, +2 counts for in the window: what goes before says what it is about. */
const WINDOW_SHARES = [4, 2, 4, 2, 1];

export const makeMatcher = (query: Query, scope: ScopeWeights): Matcher => {
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

  const nothing = new Int8Array(dimensions);
  const windowCosine: Matcher['windowCosine'] = (own, neighbours) => {
    const texts = [own, ...neighbours.map(neighbour => neighbour?.document)];
    const vectors = WINDOW_SHARES.map((_, t) => {
      const vector = texts[t]?.vector;
      return vector?.length === dimensions ? vector : nothing;
    });
    // Vectors of texts have nearly one length in int8, so the number of words stands for the length of the sum.
    const shares = WINDOW_SHARES.map((share, t) => share * (texts[t]?.length ?? 0));
    // All five at once, without an array for the sum: this is done for every candidate.
    const [v0, v1, v2, v3, v4] = vectors as [Int8Array, Int8Array, Int8Array, Int8Array, Int8Array];
    const [s0, s1, s2, s3, s4] = shares as [number, number, number, number, number];
    let dot = 0;
    let norm = 0;
    const asked = query.vector;
    for (let i = 0; i < dimensions; i++) {
      const sum =
        (Math.imul(s0, v0[i]!) +
          Math.imul(s1, v1[i]!) +
          Math.imul(s2, v2[i]!) +
          Math.imul(s3, v3[i]!) +
          Math.imul(s4, v4[i]!)) |
        0;
      dot += sum * asked[i]!;
      norm += sum * sum;
    }
    return norm > 0 && queryNorm > 0 ? dot / Math.sqrt(norm * queryNorm) : 0;
  };

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
  return { match, cosine, windowCosine };
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
