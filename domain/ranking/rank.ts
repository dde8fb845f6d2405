import type { Candidate } from '../search/document.ts';
import { byTime } from './features/by-time.ts';
import { CHATS, type Chat } from './features/chat-kind.ts';
import { FEATURES } from './features/feature-names.ts';
import type { Prepared } from './features/features.ts';
import type { Match } from './features/match.ts';
import { type ModelFit, type ModelTable, modelTable, type ScoreCurve } from './features/model-features.ts';
import { type Scored, scored } from './features/scored-parts.ts';
import fitted from './weights.json' with { type: 'json' };

export interface Ranked {
  candidate: Candidate;
  /** 0 to 1: the fitted probability that this fragment alone is evidence. */
  score: number;
  /** The linear sum behind the score. */
  sum: number;
  /** The first pass's sum; it differs from `sum` in deep mode. */
  firstSum: number;
  /** The first pass's sum without the speaker features: how well the turn fits, whoever said it. */
  contentSum: number;
  match: Match;
  chat: Chat;
  /** Row of features and, after the second pass, of deep features. */
  features: Float32Array;
  deepFeatures?: Float32Array;
  /** Row of model features and their fit, if an embedding model took part. */
  models?: { features: Float32Array; fit: ModelFit };
  /** Score by a reranking model, in standard deviations, if it read the candidate. */
  rerankScore?: number;
  /** Factor of the score, if the place isn't the one that its own words give it. */
  factor?: number;
}

/** Returns the weights in the order of the features; a feature without a named weight has weight 0. */
export const weightsOf = (names: readonly string[], byName: Record<string, number>): Float64Array =>
  Float64Array.from(names, name => byName[name] ?? 0);

/** Weights of active mode, by kind of chat. */
export const WEIGHTS = Object.fromEntries(
  CHATS.map(chat => [chat, weightsOf(FEATURES, fitted[chat].active.weights)]),
) as Record<Chat, Float64Array>;

/**
 * Ranks the candidates by one linear sum of features (features.ts), with weights for the scope's kind of
 * chat, fitted by `npm run fit`. Best first; ties are ordered by time, then id, so that the order is the same
 * on every engine and after every rebuild.
 */
export const rank = (prepared: Prepared, candidates: readonly Candidate[]): Ranked[] => {
  const { chat } = prepared;
  const { sums: first, ...parts } = scored(prepared, candidates, activeSums(chat));
  const contents = contentSums(parts.table.rows, first, WEIGHTS[chat]);
  const { score, ...fused } = withModels(prepared, parts.candidates, 'active', first);
  return order(parts, { ...fused, first, contents }, { chat, ...score });
};

/**
 * Adds an embedding model's contribution to the sums and returns them with the curve of their scores; without
 * a model the sums stay as they are. Confidence is calibrated on the first pass's sums, which never include
 * it.
 */
export const withModels = (
  { models, chat }: Pick<Prepared, 'chat' | 'models'>,
  candidates: readonly Candidate[],
  mode: 'active' | 'deep',
  own: Float64Array,
): { sums: Float64Array; score: ScoreCurve; models?: ModelTable } => {
  if (!models) return { sums: own, score: fitted[chat][mode].score };
  const table = modelTable(models, candidates, mode, chat);
  return { sums: own.map((sum, c) => sum + table.sums[c]!), score: table.fit.score, models: table };
};

/** Returns the function that sums rows of features with the weights of active mode. */
export const activeSums =
  (chat: Chat) =>
  (rows: Float32Array): Float64Array =>
    linearSums(rows, FEATURES.length, WEIGHTS[chat]);

/** Returns the weighted sum of each row. */
export const linearSums = (rows: Float32Array, width: number, weights: Float64Array): Float64Array => {
  const sums = new Float64Array(rows.length / width);
  for (let c = 0; c < sums.length; c++) {
    let sum = 0;
    for (let f = 0; f < width; f++) sum += weights[f]! * rows[c * width + f]!;
    sums[c] = sum;
  }
  return sums;
};

const SPEAKER = (['speaker', 'otherSpeaker', 'assistant'] as const).map(name => FEATURES.indexOf(name));

/** Returns the first pass's sums without the contribution of the speaker features. */
export const contentSums = (rows: Float32Array, sums: Float64Array, weights: Float64Array): Float64Array =>
  sums.map((sum, c) => SPEAKER.reduce((left, f) => left - weights[f]! * rows[c * FEATURES.length + f]!, sum));

/** Linear sums, one per candidate. */
export interface Sums {
  /** The sums to rank by. */
  sums: Float64Array;
  /** The first pass's sums. */
  first: Float64Array;
  /** The first pass's sums without the speaker features. */
  contents: Float64Array;
  /** Features of an embedding model and their contribution to `sums`. */
  models?: ModelTable | undefined;
}

/**
 * Orders the candidates by these sums. The score is a logistic function of the sum, so it keeps the order.
 *
 * @param deepRows rows of the deep features, one per candidate
 */
export const order = (
  { candidates, table: { rows, matches } }: Omit<Scored, 'sums'>,
  { sums, first, contents, models }: Sums,
  { chat, slope, intercept }: { chat: Chat; slope: number; intercept: number },
  deepRows?: Float32Array,
): Ranked[] => {
  const rowOf = (table: Float32Array, c: number): Float32Array => {
    const width = table.length / candidates.length;
    return table.subarray(c * width, (c + 1) * width);
  };
  return candidates
    .map((candidate, c): Ranked => {
      const sum = sums[c]!;
      const probability = 1 / (1 + Math.exp(-(slope * sum + intercept)));
      const [firstSum, contentSum] = [first[c]!, contents[c]!];
      const ranked: Ranked = {
        candidate,
        sum,
        firstSum,
        contentSum,
        score: probability,
        match: matches[c]!,
        chat,
        features: rowOf(rows, c),
      };
      if (deepRows) ranked.deepFeatures = rowOf(deepRows, c);
      if (models) ranked.models = { features: rowOf(models.rows, c), fit: models.fit };
      return ranked;
    })
    .sort(byRank);
};

const byRank = (a: Ranked, b: Ranked): number => b.sum - a.sum || byTime(a.candidate, b.candidate);
