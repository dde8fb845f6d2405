import { grouped } from '../../../services/surfaces/client/terminal.ts';
import type { AbsenceReport } from '../measure/absence.ts';
import type { Range } from '../measure/bootstrap.ts';
import type { Report } from './report.ts';

/** The part of a report that is on the page. */
export type Result = Pick<
  Report,
  'data' | 'title' | 'mode' | 'measuredOn' | 'conversations' | 'beside' | 'answer' | 'confidence' | 'absence'
> & { evidence: Pick<Report['evidence'][number], 'group' | 'kind' | 'questions' | 'allAt10'>[] };

/**
 * The part of the shipped weights that describes their fit: its data, and recall with each conversation left
 * out.
 */
export type Fitted = Partial<
  Record<Result['mode'], { leaveOneOut?: Record<string, Record<string, { recallAt10?: number }>> }>
>;

/** Writes a table whose columns are as wide as their widest cell, as on the pages of docs/. */
const markdownTable = (heading: string[], rows: string[][]): string[] => {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(3, ...all.map(row => row[column]!.length)));
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(heading), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)];
};

/** Escapes a cell, since titles may contain anything: a bar would end a cell, a line break the table. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

const NONE = '–';
const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(1)}`;
const range = (interval: Range | null, show: (value: number) => string): string =>
  interval ? ` (${show(interval.low)} to ${show(interval.high)})` : '';
const nameOf = ({ title, mode }: Result): string => cell(mode === 'active' ? title : `${title}, ${mode}`);

const recallRow = (result: Result, fitted: Fitted): string[] => {
  const { data, mode, measuredOn, conversations, evidence, beside, answer } = result;
  const headline = evidence.find(({ kind }) => kind === 'headline');
  const ten = beside.find(({ depth }) => depth === 10);
  const fifteen = beside.find(({ depth }) => depth === 15);
  const leftOut = fitted[mode]?.leaveOneOut?.[data]?.[headline?.group ?? '']?.recallAt10;
  const plain = (value: number): string => value.toFixed(1);
  return [
    nameOf(result),
    measuredOn,
    grouped(conversations),
    grouped(headline?.questions ?? 0),
    ten ? plain(ten.recall) + range(ten.interval, plain) : NONE,
    ten ? plain(ten.bm25) : NONE,
    ten ? signed(ten.difference) + range(ten.differenceInterval, signed) : NONE,
    leftOut === undefined ? NONE : plain(leftOut),
    fifteen ? plain(fifteen.recall) : NONE,
    headline ? plain(headline.allAt10) : NONE,
    grouped(answer.tokens) + range(answer.interval, grouped),
  ];
};

const confidenceRow = (result: Result): string[] => {
  const { confidence, absence } = result;
  const shown = (value: number | null): string => value?.toFixed(3) ?? NONE;
  return [
    nameOf(result),
    grouped(confidence.questions),
    shown(confidence.baseRate),
    shown(confidence.auroc),
    shown(confidence.ece),
    absence ? grouped(absence.questions) : NONE,
    absence ? shown(absence.auroc) : NONE,
    absence ? `${shown(absence.ece)} at ${(absence.share * 100).toFixed(0)} %` : NONE,
  ];
};

/** Quotes a text for a shell, even a title with an apostrophe. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const absenceOptions = (absence: AbsenceReport | null): string =>
  absence ? ` --drop-evidence ${absence.copies} --unanswerable ${absence.share}` : '';

const reportNames = (results: readonly Result[]): string[] =>
  results.map(({ mode }, i) => `${i + 1}-${mode}.json`);

const commands = (results: readonly Result[]): string[] => {
  const names = reportNames(results);
  return [
    ...results.map(
      ({ data, title, mode, absence }, i) =>
        `npm run evaluate -- ${quoted(data)} --title ${quoted(title)} --mode ${mode}${absenceOptions(absence)} --json ${names[i]}`,
    ),
    `npm run evaluate:results -- ${names.join(' ')}`,
  ];
};

/** Writes docs/internals/measurements/results.md. */
export const resultsPage = (results: readonly Result[], fitted: Fitted): string =>
  [
    '# Results',
    '',
    'Evidence recall and confidence over HTTP, in the mode embedded and without a model or a key. [The guide](../../guides/evaluation.md) says',
    'how they are measured and [Recall](../../concepts/recall.md) how turns are found. This page is written by `npm run evaluate:results`',
    'from the reports of `npm run evaluate`; no figure is typed by hand. The data is not part of this project: each set is',
    'published under a licence of its own.',
    '',
    '## Recall',
    '',
    ...markdownTable(
      [
        'data',
        'measured',
        'conversations',
        'questions',
        'R@10 (95 %)',
        'BM25',
        'difference (95 %)',
        'left out',
        'R@15',
        'all@10',
        'tokens of an answer (95 %)',
      ],
      results.map(result => recallRow(result, fitted)),
    ),
    '',
    '- Percent of the labelled evidence among the first ten or fifteen hits, a mean over the answerable questions (LoCoMo: categories 1-4).',
    '- **BM25**: R@10 of a plain search on the same questions. The difference is paired, question by question.',
    '- **Intervals** draw whole conversations again: they say how far the figure might lie on other conversations like these, and with',
    '  fewer than ten of them they are too narrow.',
    '- **left out**: the weights that ship were fitted on this set, so that its other figures flatter. This is R@10 offline and of turns alone, each',
    `  conversation ranked with weights fitted without it (\`weights.json\`). \`${NONE}\`: the set was in no fit of the ranking.`,
    '  Its confidence flatters too; `calibration.json` has that without.',
    '- **tokens of an answer**: of the texts of its default number of hits (15; deep: 25).',
    '',
    '## Confidence',
    '',
    ...markdownTable(
      ['data', 'questions', 'base rate', 'AUROC', 'ECE', 'without evidence', 'AUROC', 'ECE'],
      results.map(confidenceRow),
    ),
    '',
    '- On the left all questions of the set, against "answerable, and some evidence is among the first 15 hits".',
    '- On the right questions asked again of a copy of their conversation that lacks their evidence and the turns beside it, with the',
    '  unanswerable ones of the set: **AUROC** against the questions whose evidence was found; **ECE** as if the share behind it of all',
    '  questions had no answer. That share is chosen, not measured: calibration depends on it.',
    '',
    '## Repeat it',
    '',
    'In a checkout (`npm ci`), with the data at hand:',
    '',
    '```sh',
    ...commands(results),
    '```',
    '',
  ].join('\n');
