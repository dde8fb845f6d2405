import type { Language, Query } from '../../projections/language/language.ts';
import { DEEP_FEATURES, deepFeatureRows } from '../../projections/ranking/deep-features.ts';
import {
  FEATURES,
  type FeatureTable,
  featureTable,
  type Prepared,
  prepare,
} from '../../projections/ranking/features.ts';
import { byBestPart, partsOf, rowsAt, type Scored } from '../../projections/ranking/parts.ts';
import { linearSums } from '../../projections/ranking/rank.ts';
import type { Candidate } from '../../projections/recall/document.ts';
import type { Question } from './dataset.ts';
import type { Group } from './listwise.ts';
import { type QuestionMetrics, questionMetrics } from './metrics.ts';
import type { OfflineScope } from './offline.ts';

/** One question with the features of all turns of its conversation, of a long one by its passages. */
export interface Example {
  /** Index among all conversations of the fit. */
  conversation: number;
  scope: OfflineScope;
  question: Question;
  query: Query;
  prepared: Prepared;
  parts: Candidate[];
  /** One row and one match per part. */
  table: FeatureTable;
  /** Indices of the evidence among the candidates. */
  evidence: number[];
}

export const WIDTH = FEATURES.length;
export const DEEP_WIDTH = FEATURES.length + DEEP_FEATURES.length;
/** Turns that are no evidence and are shown to the fit: those that a plain ranking puts highest. */
const NEGATIVES = 80;

export const makeExamples = (language: Language, scopes: readonly OfflineScope[]): Example[] =>
  scopes.flatMap((scope, conversation) => {
    const parts = partsOf(scope.candidates);
    return scope.questions.map(question => {
      const query = language.analyseQuery(question.question, scope.speakers);
      const prepared = prepare(query, scope.statistics(query.stems), scope.candidates);
      const table = featureTable(prepared, parts);
      const evidence = question.evidence.map(id => scope.names.indexOf(id));
      return { conversation, scope, question, query, prepared, parts, table, evidence };
    });
  });

/** The candidates as active mode would score them with these weights. */
export const scoredBy = ({ parts, table }: Example, weights: Float64Array): Scored =>
  byBestPart(parts, table, linearSums(table.rows, WIDTH, weights));

/** The features of the first pass with those of the second behind them, as `rankDeep` sums them. */
export const deepRows = ({ prepared }: Example, { candidates, table, sums }: Scored): Float32Array => {
  const after = deepFeatureRows(prepared, candidates, sums);
  const extra = DEEP_WIDTH - WIDTH;
  const rows = new Float32Array(sums.length * DEEP_WIDTH);
  for (let c = 0; c < sums.length; c++) {
    rows.set(table.rows.subarray(c * WIDTH, (c + 1) * WIDTH), c * DEEP_WIDTH);
    rows.set(after.subarray(c * extra, (c + 1) * extra), c * DEEP_WIDTH + WIDTH);
  }
  return rows;
};

/** A plain ranking to choose the negatives by, before there are weights. */
const PLAIN: Record<string, number> = {
  pairRelative: 0.4,
  maxSimWindowRelative: 0.4,
  cosineRelative: 0.2,
  speaker: 0.1,
};
export const PLAIN_WEIGHTS = Float64Array.from(FEATURES, name => PLAIN[name] ?? 0);

/** @param by sums that choose the negatives, one per candidate as `rows` has them */
export const groupOf = (
  evidence: readonly number[],
  rows: Float32Array,
  width: number,
  by: Float64Array,
): Group => {
  const wanted = new Set(evidence);
  const negatives = descending(by)
    .filter(c => !wanted.has(c))
    .slice(0, NEGATIVES);
  return { rows: rowsAt(rows, width, [...evidence, ...negatives]), positives: evidence.length };
};

/** The second pass is made for questions whose evidence lies in several turns: each counts as so many others in its fit. */
const MULTI_HOP_WEIGHT = 3;

/** @param first the first pass, which chooses the negatives too */
export const deepGroupOf = (example: Example, first: Scored): Group => ({
  ...groupOf(example.evidence, deepRows(example, first), DEEP_WIDTH, first.sums),
  weight: example.evidence.length > 1 ? MULTI_HOP_WEIGHT : 1,
});

/** @param ranked candidates, best first */
export const metricsOf = (example: Example, ranked: readonly number[]): QuestionMetrics =>
  questionMetrics(
    ranked.slice(0, 30).map(c => [example.scope.names[c]!]),
    example.question.evidence,
  );

/** Indices, the highest sum first, then the earlier turn. */
export const descending = (sums: Float64Array): number[] =>
  Array.from(sums.keys()).sort((a, b) => sums[b]! - sums[a]! || a - b);
