import { confidenceFeatures } from '../../../domain/ranking/confidence.ts';
import { ACTIVE_PLACES } from '../../../domain/ranking/deep.ts';
import { contentSums, order } from '../../../domain/ranking/rank.ts';
import { deepSums, descending, type Example, scoredBy } from './examples.ts';
import type { ByMode, Weights } from './fit-chats.ts';

/** Confidence is about the hits of a default `active` recall. */
export const TOP = 15;

/** The ranking of a question with given weights, and whether its answer was found. */
export interface Outcome {
  sums: Float64Array;
  /** Candidates, best first. */
  ranked: number[];
  row: number[];
  label: 0 | 1;
}

/** Ranks a question in both modes. */
export const outcomeOf = (example: Example, weights: Weights): ByMode<Outcome> => {
  const { query, question, evidence, prepared } = example;
  const { chat } = prepared;
  const { active, deep } = weights[chat];
  const { sums: first, ...parts } = scoredBy(example, active);
  const contents = contentSums(parts.table.rows, first, active);
  const outcome = (sums: Float64Array, places: number[]): Outcome => {
    const found = places.slice(0, TOP).some(c => evidence.includes(c));
    const ranked = order(parts, { sums, first, contents }, { chat, slope: 1, intercept: 0 });
    const row = confidenceFeatures(query, ranked, prepared.statistics);
    return { sums, ranked: places, row, label: question.answerable && found ? 1 : 0 };
  };
  const second = deepSums(example, { ...parts, sums: first }, deep);
  const places = descending(first);
  const leading = places.slice(0, ACTIVE_PLACES);
  return {
    active: outcome(first, places),
    deep: outcome(second, [...leading, ...descending(second).filter(c => !leading.includes(c))]),
  };
};
