import type { Language, Query } from '../../../domain/language/language.ts';
import { ACTIVE_PLACES } from '../../../domain/ranking/deep.ts';
import { DEEP_FEATURES, deepFeatureRows } from '../../../domain/ranking/features/deep-features.ts';
import { FEATURES } from '../../../domain/ranking/features/feature-names.ts';
import {
  type FeatureTable,
  featureTable,
  type Prepared,
  prepare,
} from '../../../domain/ranking/features/features.ts';
import { byBestPart, partsOf, rowsAt, type Scored } from '../../../domain/ranking/features/scored-parts.ts';
import { linearSums } from '../../../domain/ranking/rank.ts';
import type { Candidate } from '../../../domain/search/document.ts';
import type { Question } from '../datasets/dataset.ts';
import { type QuestionMetrics, questionMetrics } from '../measure/metrics.ts';
import type { OfflineScope } from '../offline.ts';
import type { Group } from './listwise.ts';

/** One question with the features of all turns of its conversation; a long turn has those of its passages. */
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
/** Number of turns that are no evidence and are shown to the fit: those that a plain ranking puts highest. */
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

/** Returns the candidates as active mode would score them with these weights. */
export const scoredBy = ({ parts, table }: Example, weights: Float64Array): Scored =>
  byBestPart(parts, table, linearSums(table.rows, WIDTH, weights));

/** Returns the sums of deep mode, as `rankDeep` adds them. */
export const deepSums = (
  { prepared }: Example,
  { candidates, sums }: Scored,
  weights: Float64Array,
): Float64Array => {
  const added = linearSums(deepFeatureRows(prepared, candidates, sums), DEEP_FEATURES.length, weights);
  return sums.map((sum, c) => sum + added[c]!);
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

/**
 * Number of places behind the first ones that the fit of deep mode considers: candidates behind them all
 * won't reach the first 25.
 */
const LATER_PLACES = 140;

/**
 * Returns the places that deep mode fills by itself: evidence among them against the others. A row is active
 * mode's sum, then the deep features. Undefined if there is no evidence, or nothing else.
 */
export const deepGroupOf = ({ prepared, evidence }: Example, first: Scored): Group | undefined => {
  const later = descending(first.sums).slice(ACTIVE_PLACES, ACTIVE_PLACES + LATER_PLACES);
  const wanted = new Set(evidence);
  const [positives, negatives] = [later.filter(c => wanted.has(c)), later.filter(c => !wanted.has(c))];
  if (positives.length === 0 || negatives.length === 0) return undefined;
  const added = deepFeatureRows(prepared, first.candidates, first.sums);
  const width = DEEP_FEATURES.length;
  const rows = [...positives, ...negatives].flatMap(c => [
    first.sums[c]!,
    ...added.subarray(c * width, (c + 1) * width),
  ]);
  return { rows: Float32Array.from(rows), positives: positives.length };
};

/** @param ranked candidates, best first */
export const metricsOf = (example: Example, ranked: readonly number[]): QuestionMetrics =>
  questionMetrics(
    ranked.slice(0, 30).map(c => [example.scope.names[c]!]),
    example.question.evidence,
  );

/** Returns indices, the highest sum first; of equal ones the earlier turn. */
export const descending = (sums: Float64Array): number[] =>
  Array.from(sums.keys()).sort((a, b) => sums[b]! - sums[a]! || a - b);
