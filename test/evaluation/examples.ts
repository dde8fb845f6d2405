import type { Language, Query } from '../../projections/language/language.ts';
import { DEEP_FEATURES, deepFeatureRows } from '../../projections/ranking/deep-features.ts';
import { FEATURES, featureTable, type Prepared, prepare } from '../../projections/ranking/features.ts';
import { linearSums } from '../../projections/ranking/rank.ts';
import type { Question } from './dataset.ts';
import type { Group } from './listwise.ts';
import { type QuestionMetrics, questionMetrics } from './metrics.ts';
import type { OfflineScope } from './offline.ts';

/** One question with the features of all turns of its conversation. */
export interface Example {
  /** Index among all conversations of the fit. */
  conversation: number;
  scope: OfflineScope;
  question: Question;
  query: Query;
  prepared: Prepared;
  /** candidates * FEATURES.length. */
  rows: Float32Array;
  /** Indices of the evidence among the candidates. */
  evidence: number[];
}

export const WIDTH = FEATURES.length;
export const DEEP_WIDTH = FEATURES.length + DEEP_FEATURES.length;
/** Turns that are no evidence and are shown to the fit: those that a plain ranking puts highest. */
const NEGATIVES = 80;

export const makeExamples = (language: Language, scopes: readonly OfflineScope[]): Example[] =>
  scopes.flatMap((scope, conversation) =>
    scope.questions.map(question => {
      const query = language.analyseQuery(question.question, scope.speakers);
      const prepared = prepare(query, scope.statistics(query.stems), scope.candidates);
      const { rows } = featureTable(prepared, scope.candidates);
      const evidence = question.evidence.map(id => scope.names.indexOf(id));
      return { conversation, scope, question, query, prepared, rows, evidence };
    }),
  );

/** The features of the first pass with those of the second behind them, as `rankDeep` sums them. */
export const deepRows = (example: Example, first: Float64Array): Float32Array => {
  const after = deepFeatureRows(example.prepared, example.scope.candidates, first);
  const extra = DEEP_WIDTH - WIDTH;
  const rows = new Float32Array(first.length * DEEP_WIDTH);
  for (let c = 0; c < first.length; c++) {
    rows.set(example.rows.subarray(c * WIDTH, (c + 1) * WIDTH), c * DEEP_WIDTH);
    rows.set(after.subarray(c * extra, (c + 1) * extra), c * DEEP_WIDTH + WIDTH);
  }
  return rows;
};

/** A plain ranking to choose the negatives by, before there are weights. */
export const plainSums = (example: Example): Float64Array => {
  const plain: Record<string, number> = {
    pairRelative: 0.4,
    maxSimWindowRelative: 0.4,
    cosineRelative: 0.2,
    speaker: 0.1,
  };
  return linearSums(
    example.rows,
    WIDTH,
    Float64Array.from(FEATURES, name => plain[name] ?? 0),
  );
};

export const groupOf = (example: Example, rows: Float32Array, width: number, by: Float64Array): Group => {
  const evidence = new Set(example.evidence);
  const negatives = descending(by)
    .filter(c => !evidence.has(c))
    .slice(0, NEGATIVES);
  const chosen = [...example.evidence, ...negatives];
  const out = new Float32Array(chosen.length * width);
  for (const [i, c] of chosen.entries()) out.set(rows.subarray(c * width, (c + 1) * width), i * width);
  return { rows: out, positives: example.evidence.length };
};

/** The second pass is made for questions whose evidence lies in several turns: each counts as so many others in its fit. */
const MULTI_HOP_WEIGHT = 3;

/** @param first the first pass's sums, which choose the negatives too */
export const deepGroupOf = (example: Example, first: Float64Array): Group => ({
  ...groupOf(example, deepRows(example, first), DEEP_WIDTH, first),
  weight: example.evidence.length > 1 ? MULTI_HOP_WEIGHT : 1,
});

export const metricsOf = (example: Example, sums: Float64Array): QuestionMetrics =>
  questionMetrics(
    descending(sums)
      .slice(0, 30)
      .map(c => [example.scope.names[c]!]),
    example.question.evidence,
  );

/** Indices, the highest sum first, then the earlier turn. */
export const descending = (sums: Float64Array): number[] =>
  Array.from(sums.keys()).sort((a, b) => sums[b]! - sums[a]! || a - b);
