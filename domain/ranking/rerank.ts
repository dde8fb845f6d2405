/** Adds a reranking model's judgement of the best candidates. */
import models from './model-weights.json' with { type: 'json' };
import type { Ranked } from './rank.ts';

/** Number of the best candidates that a reranking model reads. */
export const RERANKED = 30;
/**
 * Log-odds that one standard deviation of the model's scores adds. Chosen, not fitted: it swaps neighbours,
 * and lifts nothing across the whole list (docs/operate/models.md).
 */
export const RERANK_LOG_ODDS = models.rerank.logOdds;

/** A score of 1 has no log-odds. */
const HIGHEST = 1 - 1e-12;

/**
 * Returns the ranking with the model's scores added to the first candidates, in standard deviations among
 * them, so that the model's scale doesn't matter. Confidence is computed without them.
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
