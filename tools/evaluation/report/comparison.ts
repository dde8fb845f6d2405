import { type Interval, pairedBootstrap } from '../measure/bootstrap.ts';
import type { QuestionRow } from '../measure/measure.ts';
import { METRICS, type Metric } from '../measure/metrics.ts';
import type { Report } from './report.ts';

/** A measure over the headline's questions, in percent; the Brier score is over all questions. */
export interface Comparison extends Interval {
  measure: Metric | 'brier';
  before: number;
  after: number;
}

/** Identifies the same question in two reports; its evidence isn't in a report. */
const identity = ({ conversation, id, answerable, metrics }: QuestionRow): string =>
  JSON.stringify([conversation, id, answerable, metrics !== null]);

export type Pair = [before: QuestionRow, after: QuestionRow];

/** Pairs the rows of the same questions, and counts the questions that only one of the reports has. */
export const pair = (before: Report, after: Report): { pairs: Pair[]; alone: number } => {
  const others = new Map(after.questions.map(row => [identity(row), row]));
  const pairs = before.questions.flatMap((row): Pair[] => {
    const other = others.get(identity(row));
    return other ? [[row, other]] : [];
  });
  return { pairs, alone: before.questions.length + after.questions.length - 2 * pairs.length };
};

const compareBy = (
  measure: Comparison['measure'],
  chosen: readonly Pair[],
  measured: (row: QuestionRow) => number,
): Comparison => {
  const mean = (place: 0 | 1): number =>
    chosen.reduce((sum, pair) => sum + measured(pair[place]), 0) / chosen.length;
  const byConversation = Map.groupBy(chosen, ([{ conversation }]) => conversation);
  const strata = [...byConversation.values()].map(ofOne =>
    ofOne.map(([before, after]) => measured(after) - measured(before)),
  );
  return { measure, before: mean(0), after: mean(1), ...pairedBootstrap(strata) };
};

/**
 * Returns one comparison per measure: the metrics if there are answerable questions, and the Brier score.
 *
 * @param pairs at least one
 */
export const compare = (pairs: readonly Pair[]): Comparison[] => {
  const headline = pairs.filter(([{ answerable, metrics }]) => answerable && metrics !== null);
  const metrics = headline.length === 0 ? [] : METRICS;
  return [
    ...metrics.map(metric => compareBy(metric, headline, row => row.metrics![metric] * 100)),
    compareBy('brier', pairs, ({ confidence, label }) => (confidence - label) ** 2),
  ];
};
