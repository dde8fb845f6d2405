import { table } from '../../../services/surfaces/cli/table.ts';
import { grouped } from '../../../services/surfaces/client/terminal.ts';
import type { Range } from '../measure/bootstrap.ts';
import { METRICS, type Metric } from '../measure/metrics.ts';
import type { Report } from './report.ts';

/** Returns `R@10` for `recallAt10`, `all@5` for `allAt5`. */
export const heading = (metric: Metric): string =>
  metric.replace('recallAt', 'R@').replace('allAt', 'all@').replace('ndcgAt', 'nDCG@');

/** Aligns a text to the right, under a heading that may be wider. */
const aligned = (text: string, title: string): string => text.padStart(Math.max(5, title.length));

const numbers = (titles: string[], rows: { name: string; cells: string[] }[], name: string): string[] =>
  table(
    [name, ...titles.map(title => aligned(title, title))],
    rows.map(row => [row.name, ...row.cells.map((cell, i) => aligned(cell, titles[i]!))]),
  );

const evidenceLines = ({ evidence }: Report): string[] =>
  numbers(
    ['questions', ...METRICS.map(heading), 'BM25: R@10'],
    evidence.map(row => ({
      name: `${row.group}${row.kind === 'headline' ? ' *' : ''}`,
      cells: [
        grouped(row.questions),
        ...METRICS.map(metric => row[metric].toFixed(1)),
        row.bm25?.recallAt10.toFixed(1) ?? '',
      ],
    })),
    '',
  );

const range = (interval: Range | null, show: (value: number) => string): string =>
  interval ? `${show(interval.low)} to ${show(interval.high)}` : 'none';

const presentLines = ({ present }: Report): string[] =>
  present
    ? [
        `Questions about the present (${grouped(present.questions)}): R@1 ${present.recallAt1.toFixed(1)}, R@3 ${present.recallAt3.toFixed(1)}`,
        '',
      ]
    : [];

const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;

const besideLines = ({ beside }: Report): string[] =>
  numbers(
    ['recall', '95 % interval', 'BM25', 'difference', '95 % interval'],
    beside.map(({ depth, recall, interval, bm25, difference, differenceInterval }) => ({
      name: `R@${depth}`,
      cells: [
        recall.toFixed(1),
        range(interval, value => value.toFixed(1)),
        bm25.toFixed(1),
        signed(difference),
        range(differenceInterval, signed),
      ],
    })),
    '',
  );

const gateLines = ({ gates }: Report): string[] => {
  const cell = (value: number | null): string => value?.toFixed(1) ?? 'none';
  return numbers(
    ['answerable', 'of them found', 'unanswerable'],
    gates.map(({ below, answerable, found, unanswerable }) => ({
      name: below.toFixed(1),
      cells: [answerable, found, unanswerable].map(cell),
    })),
    'below',
  );
};

const absenceLines = ({ absence }: Report): string[] => {
  if (!absence) return [];
  const { questions, copies, share, auroc, brier, ece } = absence;
  return [
    `Without their evidence, ${grouped(questions)} questions again (${copies} cop${copies === 1 ? 'y' : 'ies'} of each conversation): AUROC ${shown(auroc)}`,
    `As if ${(share * 100).toFixed(0)} % of all questions had no answer: Brier ${shown(brier)}, ECE ${shown(ece)}`,
    '',
  ];
};

const contentLines = ({ contents }: Report): string[] =>
  numbers(
    ['facts', 'entities', 'tokens'],
    contents.map(({ depth, facts, entities, tokens }) => ({
      name: String(depth),
      cells: [facts.toFixed(2), entities.toFixed(2), grouped(tokens)],
    })),
    'first',
  );

const budgetLines = ({ budgets }: Report): string[] =>
  numbers(
    ['hits', 'context', 'tokens of hits', 'of context'],
    budgets.map(({ budget, hits, context, hitTokens, contextTokens }) => ({
      name: grouped(budget),
      cells: [hits.toFixed(1), context.toFixed(1), grouped(hitTokens), grouped(contextTokens)],
    })),
    'tokens',
  );

const shown = (value: number): string => (Number.isNaN(value) ? 'none' : value.toFixed(3));

const confidenceLine = ({ confidence: { auroc, brier, brierOfBaseRate, ece, baseRate } }: Report): string =>
  `AUROC ${shown(auroc)}, Brier ${shown(brier)} (base rate alone ${shown(brierOfBaseRate)}), ` +
  `ECE ${shown(ece)}, base rate ${shown(baseRate)}`;

const reliabilityLines = ({ reliability }: Report): string[] =>
  numbers(
    ['questions', 'mean', 'answered'],
    reliability.map(({ from, count, confidence, share }) => ({
      name: `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}`,
      cells: [grouped(count), confidence.toFixed(2), share.toFixed(2)],
    })),
    'confidence',
  );

/** Writes the report for people, a few tables wide. */
export const reportText = (report: Report): string => {
  const {
    title,
    mode,
    model,
    conversations,
    turns,
    questions,
    inFlight,
    latencyMilliseconds: latency,
  } = report;
  const counts = `${conversations} conversations, ${grouped(turns)} turns, ${grouped(questions.length)} questions`;
  const milliseconds = Object.entries(latency).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  return [
    `${title}, ${mode}${model ? `, ${model}` : ''}: ${counts}`,
    '',
    'Evidence recall, percent (* the headline)',
    ...evidenceLines(report),
    '',
    'Recall of the headline beside BM25, percent, with intervals over conversations',
    ...besideLines(report),
    '',
    ...presentLines(report),
    `Tokens of a default answer (${report.answer.hits} hits): ${grouped(report.answer.tokens)}, 95 % interval ${range(report.answer.interval, grouped)}`,
    '',
    'What the first hits of an answer hold, on average',
    ...contentLines(report),
    '',
    'Evidence recall by tokens, percent: among the hits cut to them, and whole in the context',
    ...budgetLines(report),
    '',
    `Confidence: ${confidenceLine(report)}`,
    ...reliabilityLines(report),
    '',
    ...absenceLines(report),
    'Questions that a gate on confidence turns away, percent',
    ...gateLines(report),
    '',
    `Latency of a recall, ms, ${inFlight} at a time: ${milliseconds.join(', ')}`,
  ].join('\n');
};
