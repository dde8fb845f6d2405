import type { Candidate } from '../recall/document.ts';
import { byPlace } from './by-place.ts';
import { CHATS, type Chat } from './chat.ts';
import { FEATURES, type Prepared } from './features.ts';
import type { Match } from './match.ts';
import { type ModelFit, type ModelTable, modelTable, type ScoreCurve } from './model-features.ts';
import { type Scored, scored } from './parts.ts';
import fitted from './weights.json' with { type: 'json' };

export interface Ranked {
  candidate: Candidate;
  /** 0 to 1: the fitted probability that this fragment alone is evidence. */
  score: number;
  /** The linear sum behind the score. */
  sum: number;
  /** The first pass's sum; differs from `sum` in deep mode. */
  firstSum: number;
  /** The first pass's sum without the speaker features: how well the turn fits, whoever said it. */
  contentSum: number;
  match: Match;
  chat: Chat;
  /** Its row of features and, after the second pass, of deep features. */
  features: Float32Array;
  deepFeatures?: Float32Array;
  /** Its row of model features and their fit, where an embedding model took part. */
  models?: { features: Float32Array; fit: ModelFit };
  /** What a reranking model says of it, in standard deviations, where it read it. */
  rerankScore?: number;
  /** Of the score, where its place isn't that which its own words give it. */
  factor?: number;
}

/** The weights in the order of the features; a feature without a named weight has weight 0. */
export const weightsOf = (names: readonly string[], byName: Record<string, number>): Float64Array =>
  Float64Array.from(names, name => byName[name] ?? 0);

/** Of active mode, by the kind of chat. */
export const WEIGHTS = Object.fromEntries(
  CHATS.map(chat => [chat, weightsOf(FEATURES, fitted[chat].active.weights)]),
) as Record<Chat, Float64Array>;

/**
 * Ranks the candidates by one linear sum of features (features.ts), with weights for the scope's kind of chat, fitted by
 * `npm run fit`. Best first;
 * ties are ordered by time, then id, so that the order is the same on every engine and after every rebuild.
 */
export const rank = (prepared: Prepared, candidates: readonly Candidate[]): Ranked[] => {
  const { chat } = prepared;
  const { sums: first, ...parts } = scored(prepared, candidates, activeSums(chat));
  const contents = contentSums(parts.table.rows, first, WEIGHTS[chat]);
  const { score, ...fused } = withModels(prepared, parts.candidates, 'active', first);
  return order(parts, { ...fused, first, contents }, { chat, ...score });
};

/**
 * The sums with what an embedding model adds to them, and the curve of their scores; without one the same sums. The first pass's sums, by
 * which confidence is calibrated, stay without it.
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

/** The sums by which active mode ranks rows of features. */
export const activeSums =
  (chat: Chat) =>
  (rows: Float32Array): Float64Array =>
    linearSums(rows, FEATURES.length, WEIGHTS[chat]);

/** The weighted sum of each row. */
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

/** The first pass's sums without the contribution of the speaker features. */
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
  /** What an embedding model added to `sums`. */
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

const byRank = (a: Ranked, b: Ranked): number => b.sum - a.sum || byPlace(a.candidate, b.candidate);
