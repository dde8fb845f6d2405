import { dateMatch } from '../language/times/date-match.ts';
import { bm25, inverseFrequency } from './bm25.ts';
import type { CandidateQuery } from './candidate-query.ts';
import type { ScopeCounts } from './scope-counts.ts';
import { type Searched, TURN } from './segments/run.ts';
import { distance, SIGNATURE_WORDS, signature } from './segments/signature.ts';

/**
 * Weights of the evidence besides a fragment's own words, whose score is at most 1. An answer is often
 * adjacent to the words of the question: without the adjacent turns and the session, reducing a scope of
 * 3,000 turns to 160 candidates cost 8 points of recall@10; with them it costs none
 * (docs/internals/measurements/recall.md).
 */
const NEXT_TO = 0.4;
const TWO_AWAY = 0.15;
const SESSION = 0.7;
const SIGNATURE = 0.6;
const DATE = 0.3;
const MONTH_AFTER = 0.1;

export const K1 = 0.9;
export const B = 0.4;
/** Greater than any distance between signatures; marks a fragment outside the window. */
export const OUTSIDE = 257;
const BITS = 256;

export interface FirstPass {
  /** Score of each fragment's own words; 0 outside the window. Indices are consecutive over all runs. */
  words: Float32Array;
  /** Hamming distance between its signature and the query's; approximates the angle. */
  distances: Uint16Array;
  /** Weighted sum of all evidence. */
  sums: Float32Array;
}

/**
 * Computes a cheap score for every fragment of the searched scope, from numbers alone: Okapi BM25, over words
 * and their neighbours in the static table, for the fragment, the turns around it and its session; the
 * signature; dates.
 */
export const firstPass = (
  searched: readonly Searched[],
  counts: ScopeCounts,
  query: CandidateQuery,
): FirstPass => {
  const size = searched.reduce((sum, { run }) => sum + run.size, 0);
  const words = wordScores(searched, counts, query, size);
  const distances = distancesTo(query.vector, searched, size);
  const around = scoresAround(searched, words);
  const ofSession = sessionScores(counts, query);
  const sums = new Float32Array(size);
  let index = 0;
  for (const { run, mask } of searched) {
    let last = Number.NaN;
    let session = 0;
    for (let i = 0; i < run.size; i++, index++) {
      if (mask[i] === 0) continue;
      if (run.sessions[i] !== last) {
        last = run.sessions[i]!;
        session = ofSession.get(last) ?? 0;
      }
      const near = Math.max(0, 1 - (2 * distances[index]!) / BITS);
      sums[index] = words[index]! + around[index]! + SESSION * session + SIGNATURE * near;
      if (query.dates.length === 0 && query.spans.length === 0) continue;
      const { month, day, monthAfter } = dateMatch(query, run.timestamps[i]!);
      sums[index]! += DATE * (month + day) + MONTH_AFTER * monthAfter;
    }
  }
  return { words, distances, sums };
};

/** BM25 over the query's terms, divided by the idf sum of its stems, without the expansions. */
const wordScores = (
  searched: readonly Searched[],
  { statistics, holding, postings }: ScopeCounts,
  query: CandidateQuery,
  size: number,
): Float32Array => {
  const idf = query.terms.map(({ weight }, t) => weight * inverseFrequency(statistics.turns, holding[t]!));
  const sum = [...query.stems].reduce(
    (total, stem) => total + inverseFrequency(statistics.turns, statistics.turnsWith(stem)),
    0,
  );
  const scores = new Float32Array(size);
  const meanLength = Math.max(statistics.meanLength, 1);
  let start = 0;
  searched.forEach(({ run }, r) => {
    const found = postings[r]!;
    for (let f = 0; f < found.length; f += 3) {
      const index = found[f + 1]!;
      const occurrences = found[f + 2]!;
      const norm = K1 * (1 - B + (B * run.lengths[index]!) / meanLength);
      scores[start + index]! += (idf[found[f]!]! * occurrences) / (occurrences + norm) / (sum || 1);
    }
    start += run.size;
  });
  return scores;
};

const distancesTo = (vector: Int8Array, searched: readonly Searched[], size: number): Uint16Array => {
  const target = new Uint32Array(SIGNATURE_WORDS);
  signature(vector, target, 0);
  const distances = new Uint16Array(size).fill(OUTSIDE);
  let index = 0;
  for (const { run, mask } of searched) {
    for (let i = 0; i < run.size; i++, index++) {
      if (mask[i] === 1) distances[index] = distance(run.signatures, i * SIGNATURE_WORDS, target, 0);
    }
  }
  return distances;
};

/** Each turn's share of the word scores of the two turns before and after it, in index order. */
const scoresAround = (searched: readonly Searched[], words: Float32Array): Float32Array => {
  const around = new Float32Array(words.length);
  const previous = new Int32Array(words.length).fill(-1);
  // The turns of a session are mostly consecutive: its latest turn is saved when another session begins.
  const latest = new Map<number, number>();
  const lift = (a: number, b: number, share: number): void => {
    around[a]! += share * words[b]!;
    around[b]! += share * words[a]!;
  };
  let session = Number.NaN;
  let last = -1;
  let index = 0;
  for (const { run, mask } of searched) {
    for (let i = 0; i < run.size; i++, index++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN) continue;
      if (run.sessions[i] !== session) {
        if (last >= 0) latest.set(session, last);
        session = run.sessions[i]!;
        last = latest.get(session) ?? -1;
      }
      const one = last;
      last = index;
      if (one < 0) continue;
      previous[index] = one;
      lift(index, one, NEXT_TO);
      const two = previous[one]!;
      if (two >= 0) lift(index, two, TWO_AWAY);
    }
  }
  return around;
};

/** BM25 of each session that contains a word of the query; a session counts as one document. */
const sessionScores = (
  { statistics, sessions }: ScopeCounts,
  { stems }: CandidateQuery,
): Map<number, number> => {
  const idf = Float64Array.from(stems, stem =>
    inverseFrequency(statistics.sessions, statistics.sessionsWith(stem)),
  );
  const sum = idf.reduce((total, value) => total + value, 0) || 1;
  const scores = new Map<number, number>();
  for (const [session, { counts, length }] of sessions) {
    const score = bm25(counts, length, Math.max(statistics.meanSessionLength, 1), idf, sum, K1, B);
    if (score > 0) scores.set(session, score);
  }
  return scores;
};
