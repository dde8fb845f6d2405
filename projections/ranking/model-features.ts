/** What configured models say of the candidates: features whose weighted sum is added to the ranker's own (rank.ts). */
import type { Candidate } from '../recall/document.ts';
import type { Chat } from './chat.ts';
import fitted from './model-weights.json' with { type: 'json' };

/** In the order of a row; the names are the keys of model-weights.json. */
export const MODEL_FEATURES = ['modelCosine', 'modelCosineRelative'] as const;
export type ModelFeature = (typeof MODEL_FEATURES)[number];

export type ScoreCurve = { slope: number; intercept: number };

/** What an embedding model says of candidates: of each by its key, the cosine of its vector with the query's. */
export interface ModelScores {
  cosines: ReadonlyMap<number, number>;
}

/** The weights of the features, and the curve that makes a score of a sum with them. */
export interface ModelFit {
  score: ScoreCurve;
  weights: Readonly<Record<string, number>>;
}

export interface ModelTable {
  /** candidates * MODEL_FEATURES.length. */
  rows: Float32Array;
  /** The weighted sum of each row. */
  sums: Float64Array;
  fit: ModelFit;
}

const WIDTH = MODEL_FEATURES.length;

/**
 * The features don't depend on the scale of a model's cosines, since models differ in it: one is in standard deviations over the
 * candidates, the other from 0 for the lowest to 1 for the highest. A candidate without a vector gets the mean of both: it is ranked
 * by everything else.
 */
export const modelRows = (
  { cosines }: ModelScores,
  candidates: readonly Pick<Candidate, 'key'>[],
): Float32Array => {
  const rows = new Float32Array(candidates.length * WIDTH);
  const values = candidates.map(({ key }) => cosines.get(key));
  const known = values.filter(value => value !== undefined);
  if (known.length === 0) return rows;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const deviation = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length);
  // Not by spreading: a scope may have more candidates than a call takes arguments.
  const low = known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  for (const [c, value = mean] of values.entries()) {
    rows[c * WIDTH] = deviation > 0 ? (value - mean) / deviation : 0;
    rows[c * WIDTH + 1] = high > low ? (value - low) / (high - low) : 0;
  }
  return rows;
};

/** A model says more of assistants' chats than of people's: each has a fit. */
export const modelTable = (
  scores: ModelScores,
  candidates: readonly Pick<Candidate, 'key'>[],
  mode: 'active' | 'deep',
  chat: Chat,
): ModelTable => {
  const rows = modelRows(scores, candidates);
  const fit: ModelFit = fitted.embeddings[chat][mode];
  const weights = MODEL_FEATURES.map(name => fit.weights[name] ?? 0);
  const sums = new Float64Array(candidates.length);
  for (let c = 0; c < sums.length; c++)
    for (let f = 0; f < WIDTH; f++) sums[c]! += weights[f]! * rows[c * WIDTH + f]!;
  return { rows, sums, fit };
};
