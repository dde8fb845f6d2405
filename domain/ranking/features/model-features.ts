/** Features from configured models; their weighted sum is added to the ranker's own (rank.ts). */
import type { Candidate } from '../../search/document.ts';
import type { TurnVectors } from '../../search/vectors.ts';
import fitted from '../model-weights.json' with { type: 'json' };
import type { Chat } from './chat-kind.ts';
import { windowCosines } from './model-windows.ts';

/** Names in the order of a row; they are the keys of model-weights.json. */
export const MODEL_FEATURES = ['modelCosineRelative', 'modelWindow'] as const;
export type ModelFeature = (typeof MODEL_FEATURES)[number];

export type ScoreCurve = { slope: number; intercept: number };

/** The scores of an embedding model for one query. */
export interface ModelScores {
  /** The query's vector. */
  query: Int8Array;
  /** By turn id: the candidates and, where known, the turns around them. */
  turns: ReadonlyMap<string, TurnVectors>;
}

type WithNeighbours = Pick<Candidate, 'id' | 'neighbours'>;

/** The weights of the features, and the curve that turns a sum with them into a score. */
export interface ModelFit {
  score: ScoreCurve;
  weights: Readonly<Record<string, number>>;
}

export interface ModelTable {
  /** One row per candidate: candidates * MODEL_FEATURES.length. */
  rows: Float32Array;
  /** The weighted sum of each row. */
  sums: Float64Array;
  fit: ModelFit;
}

const WIDTH = MODEL_FEATURES.length;

/**
 * Computes features that don't depend on the scale of a model's cosines, since models differ in it: a turn's
 * own cosine scaled from 0 (lowest of the candidates) to 1 (highest), its window's in standard deviations. A
 * candidate without a vector gets the mean of both, so that everything else decides its place.
 */
export const modelRows = (scores: ModelScores, candidates: readonly WithNeighbours[]): Float32Array => {
  const rows = new Float32Array(candidates.length * WIDTH);
  const own = spread(candidates.map(({ id }) => scores.turns.get(id)?.cosine));
  const windows = spread(windowCosines(scores.query, scores.turns, candidates));
  for (let c = 0; c < candidates.length; c++) {
    rows[c * WIDTH] = own.range > 0 ? (own.at(c) - own.low) / own.range : 0;
    rows[c * WIDTH + 1] = windows.deviation > 0 ? (windows.at(c) - windows.mean) / windows.deviation : 0;
  }
  return rows;
};

/** Returns the distribution of the values; a missing one counts as the mean of the others. */
const spread = (values: readonly (number | undefined)[]) => {
  const known = values.filter(value => value !== undefined);
  const mean = known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
  const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(known.length, 1);
  // Not spread into Math.min: a scope may have more candidates than a call takes arguments.
  const low = known.reduce((least, value) => Math.min(least, value), mean);
  const high = known.reduce((most, value) => Math.max(most, value), mean);
  return {
    at: (i: number) => values[i] ?? mean,
    mean,
    deviation: Math.sqrt(variance),
    low,
    range: high - low,
  };
};

/**
 * Computes the features with the fit of the kind of chat: a model says more about chats with an assistant
 * than about those between people.
 */
export const modelTable = (
  scores: ModelScores,
  candidates: readonly WithNeighbours[],
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
