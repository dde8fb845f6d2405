/** What a reranking model says of the best candidates. */
import models from './model-weights.json' with { type: 'json' };
import type { Ranked } from './rank.ts';

/** How many of the best a reranking model reads. */
export const RERANKED = 30;
/**
 * What a standard deviation of its scores adds to the log-odds of a candidate. Chosen, not fitted: it changes places among neighbours, and
 * lifts nothing over the whole list (docs/operate/models.md).
 */
export const RERANK_LOG_ODDS = models.rerank.logOdds;

/** A score of 1 has no log-odds. */
const HIGHEST = 1 - 1e-12;

/**
 * The ranking in which the first ones have what a model adds to their scores: its own, in standard deviations over them, so that its
 * scale doesn't matter. Confidence is of the ranking without it.
 *
 * @param scores one for each of the first candidates
 */
export const reranked = (ranked: readonly Ranked[], scores: readonly number[]): Ranked[] => {
  const count = Math.max(scores.length, 1);
  const mean = scores.reduce((sum, score) => sum + score, 0) / count;
  const deviation = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / count);
  if (!(deviation > 0)) return [...ranked];
  return ranked
    .map((one, i): Ranked => {
      const score = scores[i];
      if (score === undefined) return one;
      const rerankScore = (score - mean) / deviation;
      const { factor = 1 } = one;
      const before = Math.min(one.score / factor, HIGHEST);
      const odds = (before / (1 - before)) * Math.exp(RERANK_LOG_ODDS * rerankScore);
      return { ...one, rerankScore, score: factor * (odds / (1 + odds)) };
    })
    .sort((a, b) => b.score - a.score);
};
