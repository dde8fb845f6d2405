import { clusterBootstrap, type Range } from './bootstrap.ts';
import type { QuestionRow } from './measure.ts';

const DEPTHS = [5, 10, 15, 25] as const;

/** Recall of the headline's questions beside that of the baseline, in percent. */
export interface BesideRow {
  depth: (typeof DEPTHS)[number];
  recall: number;
  /** 95 %, over conversations; null for a single one. */
  interval: Range | null;
  bm25: number;
  difference: number;
  /** 95 % interval of the paired differences. */
  differenceInterval: Range | null;
}

const round = (value: number): number => Math.round(value * 10) / 10;
const rounded = (range: Range | null): Range | null =>
  range && { low: round(range.low), high: round(range.high) };

/** @returns a row per depth; none if no question can be answered */
export const besideRows = (questions: readonly QuestionRow[]): BesideRow[] => {
  const headline = questions.filter(
    ({ answerable, metrics, bm25 }) => answerable && metrics !== null && bm25 !== null,
  );
  if (headline.length === 0) return [];
  const conversations = [...Map.groupBy(headline, ({ conversation }) => conversation).values()];
  const by = (value: (row: QuestionRow) => number): number[][] =>
    conversations.map(rows => rows.map(row => value(row) * 100));
  const mean = (clusters: readonly number[][]): number =>
    clusters.flat().reduce((sum, one) => sum + one, 0) / headline.length;
  return DEPTHS.map(depth => {
    const metric = `recallAt${depth}` as const;
    const recall = by(({ metrics }) => metrics![metric]);
    const bm25 = by(row => row.bm25![metric]);
    const differences = by(row => row.metrics![metric] - row.bm25![metric]);
    return {
      depth,
      recall: round(mean(recall)),
      interval: rounded(clusterBootstrap(recall)),
      bm25: round(mean(bm25)),
      difference: round(mean(differences)),
      differenceInterval: rounded(clusterBootstrap(differences)),
    };
  });
};
