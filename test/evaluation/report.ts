import { type BudgetRecall, budgetRows } from './budgets.ts';
import type { Dataset } from './dataset.ts';
import { ADVERSARIAL, categoryName } from './locomo-dataset.ts';
import type { Contents, Mode, QuestionRow } from './measure.ts';
import {
  auroc,
  brier,
  ece,
  METRICS,
  meanMetrics,
  percentile,
  type QuestionMetrics,
  reliability,
} from './metrics.ts';

/** Mean metrics of some questions, in percent. */
export type MetricRow = { questions: number } & QuestionMetrics;

/** A row of the report: a category, the headline (all answerable questions), or those with distractors as well. */
export type GroupRow = { group: string; kind: 'category' | 'headline' | 'all' } & MetricRow;

const percent = (value: number): number => Math.round(value * 1000) / 10;

type Measured = Pick<QuestionRow, 'category' | 'answerable' | 'metrics'>;

/** Each category in the order of the names, the headline and, where distractors were measured too, all. */
export const groupRows = (measured: readonly Measured[], headline: string): GroupRow[] => {
  const found = measured.filter(({ metrics }) => metrics !== null);
  const row = (group: string, kind: GroupRow['kind'], keep: (one: Measured) => boolean): GroupRow[] => {
    const chosen = found.filter(keep).map(({ metrics }) => metrics!);
    if (chosen.length === 0) return [];
    const mean = meanMetrics(chosen);
    const shown = METRICS.map(metric => [metric, percent(mean[metric])]);
    return [{ group, kind, questions: chosen.length, ...(Object.fromEntries(shown) as QuestionMetrics) }];
  };
  const categories = [...new Set(found.flatMap(({ category }) => category ?? []))].sort();
  return [
    ...categories.flatMap(name => row(name, 'category', ({ category }) => category === name)),
    ...row(headline, 'headline', ({ answerable }) => answerable),
    ...(found.every(({ answerable }) => answerable) ? [] : row('all', 'all', () => true)),
  ];
};

/** Of LoCoMo's questions, by the names of the rows: each category, 1-4 (the headline) and all five. */
export const metricRows = (
  measured: readonly { category: number; metrics: QuestionMetrics }[],
): Record<string, MetricRow> => {
  const named = measured.map(({ category, metrics }) => ({
    category: categoryName(category),
    answerable: category !== ADVERSARIAL,
    metrics,
  }));
  return Object.fromEntries(groupRows(named, '1-4').map(({ group, kind: _, ...row }) => [group, row]));
};

const round = (value: number): number => Math.round(value * 1e4) / 1e4;

/** AUROC is NaN, null as JSON, where all labels are the same. */
export const confidenceRow = (probabilities: readonly number[], labels: readonly number[]) => {
  const baseRate = labels.reduce((sum, label) => sum + label, 0) / Math.max(1, labels.length);
  return {
    questions: labels.length,
    baseRate: round(baseRate),
    auroc: round(auroc(probabilities, labels)),
    brier: round(brier(probabilities, labels)),
    brierOfBaseRate: round(baseRate * (1 - baseRate)),
    ece: round(ece(probabilities, labels)),
  };
};

export const reliabilityRows = (probabilities: readonly number[], labels: readonly number[]) =>
  reliability(probabilities, labels)
    .filter(bin => bin.count > 0)
    .map(bin => ({
      from: bin.from,
      count: bin.count,
      confidence: round(bin.meanConfidence),
      share: round(bin.share),
    }));

/** Means over all questions. */
const contentRows = (questions: readonly Pick<QuestionRow, 'contents'>[]): Contents[] => {
  const byDepth = Map.groupBy(
    questions.flatMap(({ contents }) => contents),
    ({ depth }) => depth,
  );
  const mean = (rows: readonly Contents[], name: 'facts' | 'entities' | 'tokens'): number =>
    rows.reduce((sum, row) => sum + row[name], 0) / rows.length;
  return [...byDepth].map(([depth, rows]) => ({
    depth,
    facts: Math.round(mean(rows, 'facts') * 100) / 100,
    entities: Math.round(mean(rows, 'entities') * 100) / 100,
    tokens: Math.round(mean(rows, 'tokens')),
  }));
};

/** What `--json` writes. Ids and categories are the file's; of what people said it holds nothing. */
export interface Report {
  /** Name of the file. */
  data: string;
  mode: Mode;
  /** UTC. */
  measuredOn: string;
  conversations: number;
  turns: number;
  /** Questions that were asked at a time. */
  inFlight: number;
  evidence: GroupRow[];
  contents: Contents[];
  /** Answerable questions that have evidence. */
  budgets: BudgetRecall[];
  latencyMilliseconds: { p50: number; p95: number; p99: number };
  confidence: ReturnType<typeof confidenceRow>;
  reliability: ReturnType<typeof reliabilityRows>;
  questions: QuestionRow[];
}

export const makeReport = (
  { headline, conversations }: Dataset,
  questions: QuestionRow[],
  about: Pick<Report, 'data' | 'mode' | 'measuredOn' | 'inFlight'>,
): Report => {
  const latency = (share: number): number =>
    percentile(
      questions.map(({ milliseconds }) => milliseconds),
      share,
    );
  const probabilities = questions.map(({ confidence }) => confidence);
  const labels = questions.map(({ label }) => label);
  return {
    ...about,
    conversations: conversations.length,
    turns: conversations.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => turns)).length,
    evidence: groupRows(questions, headline),
    contents: contentRows(questions),
    budgets: budgetRows(questions.filter(({ answerable }) => answerable).map(({ budgets }) => budgets)),
    latencyMilliseconds: { p50: latency(0.5), p95: latency(0.95), p99: latency(0.99) },
    confidence: confidenceRow(probabilities, labels),
    reliability: reliabilityRows(probabilities, labels),
    questions,
  };
};
