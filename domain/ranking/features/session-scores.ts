import type { Query } from '../../language/language.ts';
import { bm25 } from '../../search/bm25.ts';
import type { Candidate, ScopeStatistics } from '../../search/document.ts';
import type { Match } from './match.ts';
import type { ScopeWeights } from './scope-weights.ts';

interface SessionScore {
  /** BM25 of the session as one text. */
  bm25: number;
  /** Highest BM25 and highest MaxSim of its candidates. */
  best: number;
  maxSim: number;
}

/** Returns the scores of each candidate's session. */
export const sessionScores = (
  query: Query,
  candidates: readonly Candidate[],
  matches: readonly Match[],
  maxSims: Float64Array,
  statistics: ScopeStatistics,
  scope: ScopeWeights,
): Map<number, SessionScore> => {
  const scores = new Map<number, SessionScore>();
  candidates.forEach((candidate, c) => {
    let score = scores.get(candidate.session);
    if (!score) {
      const { length, counts } = statistics.session(candidate.session);
      const { meanSessionLength, sessionIdf, sessionIdfSum } = scope;
      score = {
        bm25:
          query.stems.length === 0
            ? 0
            : bm25(counts, length, meanSessionLength, sessionIdf, sessionIdfSum, 0.9, 0.4),
        best: 0,
        maxSim: 0,
      };
      scores.set(candidate.session, score);
    }
    score.best = Math.max(score.best, matches[c]!.bm25);
    score.maxSim = Math.max(score.maxSim, maxSims[c]!);
  });
  return scores;
};
