import type { Dataset } from '../datasets/dataset.ts';
import { ADVERSARIAL, categoryName } from '../datasets/locomo-dataset.ts';
import {
  type AbsenceReport,
  type AbsentRow,
  absenceReport,
  type GateRow,
  gateRows,
} from '../measure/absence.ts';
import { type BesideRow, besideRows } from '../measure/beside.ts';
import { clusterBootstrap, type Range } from '../measure/bootstrap.ts';
import { type BudgetRecall, budgetRows } from '../measure/budgets.ts';
import { type PresentRow, presentRow } from '../measure/for-present.ts';
import type { Contents, Mode, QuestionRow } from '../measure/measure.ts';
import {
  auroc,
  brier,
  ece,
  METRICS,
  meanMetrics,
  percentile,
  type QuestionMetrics,
  reliability,
} from '../measure/metrics.ts';

/** Mean metrics of some questions, in percent. */
export type MetricRow = { questions: number } & QuestionMetrics;

/** A row of the report: a category, the headline (all answerable questions), or with distractors too. */
export type GroupRow = {
  group: string;
  kind: 'category' | 'headline' | 'all';
  bm25?: QuestionMetrics;
} & MetricRow;

const percent = (value: number): number => Math.round(value * 1000) / 10;

type Measured = Pick<QuestionRow, 'category' | 'answerable' | 'metrics'> & Partial<Pick<QuestionRow, 'bm25'>>;

const percents = (all: readonly QuestionMetrics[]): QuestionMetrics => {
  const mean = meanMetrics(all);
  return Object.fromEntries(METRICS.map(metric => [metric, percent(mean[metric])])) as QuestionMetrics;
};

/** Returns each category in the order of the names, the headline and, if distractors were measured, all. */
export const groupRows = (measured: readonly Measured[], headline: string): GroupRow[] => {
  const found = measured.filter(({ metrics }) => metrics !== null);
  const row = (group: string, kind: GroupRow['kind'], keep: (one: Measured) => boolean): GroupRow[] => {
    const chosen = found.filter(keep);
    if (chosen.length === 0) return [];
    const bm25 = chosen.flatMap(one => one.bm25 ?? []);
    return [
      {
        group,
        kind,
        questions: chosen.length,
        ...percents(chosen.map(({ metrics }) => metrics!)),
        ...(bm25.length > 0 ? { bm25: percents(bm25) } : {}),
      },
    ];
  };
  const categories = [...new Set(found.flatMap(({ category }) => category ?? []))].sort();
  return [
    ...categories.flatMap(name => row(name, 'category', ({ category }) => category === name)),
    ...row(headline, 'headline', ({ answerable }) => answerable),
    ...(found.every(({ answerable }) => answerable) ? [] : row('all', 'all', () => true)),
  ];
};

/** Returns the rows of LoCoMo's questions by name: each category, 1-4 (the headline) and all five. */
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

/** Returns the scores of confidence. AUROC is NaN, null as JSON, if all labels are the same. */
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

/** Returns means over all questions. */
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

/** The report that `--json` writes. Ids and categories are the file's; it contains no text of the data. */
export interface Report {
  /** Name of the file or folder. */
  data: string;
  /** Title of the data for people. */
  title: string;
  mode: Mode;
  /** The requested embedding model, if any. */
  model?: string;
  /** UTC. */
  measuredOn: string;
  conversations: number;
  turns: number;
  /** Number of questions asked at a time. */
  inFlight: number;
  evidence: GroupRow[];
  /** The headline's questions; empty if there are none. */
  beside: BesideRow[];
  /** null if no question is about the present. */
  present: PresentRow | null;
  answer: AnswerTokens;
  contents: Contents[];
  /** Answerable questions that have evidence. */
  budgets: BudgetRecall[];
  latencyMilliseconds: { p50: number; p95: number; p99: number };
  confidence: ReturnType<typeof confidenceRow>;
  reliability: ReturnType<typeof reliabilityRows>;
  gates: GateRow[];
  /** null unless questions were asked again without their evidence. */
  absence: AbsenceReport | null;
  questions: QuestionRow[];
  absent: AbsentRow[];
}

/** Hits of an answer without `top_k`. */
const DEFAULT_HITS = { active: 15, deep: 25 } as const;

/** The cost of a default answer: the tokens of its hits' texts, a mean over all questions. */
interface AnswerTokens {
  hits: number;
  tokens: number;
  /** 95 %, by conversations; null for a single one. */
  interval: Range | null;
}

const answerTokens = (questions: readonly QuestionRow[], mode: Mode): AnswerTokens => {
  const hits = DEFAULT_HITS[mode];
  const tokensOf = ({ contents }: QuestionRow): number =>
    contents.find(({ depth }) => depth === hits)?.tokens ?? 0;
  const byConversation = [...Map.groupBy(questions, ({ conversation }) => conversation).values()];
  const clusters = byConversation.map(rows => rows.map(tokensOf));
  const range = clusterBootstrap(clusters);
  const all = clusters.flat();
  return {
    hits,
    tokens: Math.round(all.reduce((sum, tokens) => sum + tokens, 0) / Math.max(1, all.length)),
    interval: range && { low: Math.round(range.low), high: Math.round(range.high) },
  };
};

/**
 * Questions asked again without their evidence, and the share of such questions by which the calibration is
 * judged.
 */
export interface Absence {
  absent: AbsentRow[];
  copies: number;
  share: number;
}

export const makeReport = (
  { headline, conversations }: Dataset,
  questions: QuestionRow[],
  about: Pick<Report, 'data' | 'title' | 'mode' | 'model' | 'measuredOn' | 'inFlight'>,
  { absent, ...asked }: Absence = { absent: [], copies: 0, share: 0 },
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
    beside: besideRows(questions),
    present: presentRow(questions),
    answer: answerTokens(questions, about.mode),
    contents: contentRows(questions),
    budgets: budgetRows(questions.filter(({ answerable }) => answerable).map(({ budgets }) => budgets)),
    latencyMilliseconds: { p50: latency(0.5), p95: latency(0.95), p99: latency(0.99) },
    confidence: confidenceRow(probabilities, labels),
    reliability: reliabilityRows(probabilities, labels),
    gates: gateRows(questions, absent),
    absence: absenceReport(questions, absent, asked),
    questions,
    absent,
  };
};
