import { expect, it } from 'vitest';
import {
  type Fitted,
  type Result,
  resultsPage,
} from '../../../../../tools/evaluation/report/results-page.ts';

const interval = (low: number, high: number) => ({ low, high });
const result = (members: Partial<Result> = {}): Result => ({
  data: 'a.json',
  title: 'Set A',
  mode: 'active',
  measuredOn: '2026-01-05',
  conversations: 5,
  evidence: [
    { group: 'single', kind: 'category', questions: 90, allAt10: 20 },
    { group: '1-4', kind: 'headline', questions: 1_200, allAt10: 40 },
  ],
  beside: ([5, 10, 15, 25] as const).map(depth => ({
    depth,
    recall: 40 + depth,
    interval: interval(30, 60),
    bm25: 30 + depth,
    difference: 10,
    differenceInterval: interval(-1, 12),
  })),
  answer: { hits: 15, tokens: 1_500, interval: interval(1_000, 2_000) },
  confidence: { questions: 1_300, baseRate: 0.5, auroc: 0.8, brier: 0.1, brierOfBaseRate: 0.2, ece: 0.05 },
  absence: { questions: 70, copies: 3, share: 0.2, auroc: 0.6, brier: 0.1, ece: 0.15 },
  ...members,
});

const rowsOf = (page: string): string[][] =>
  page
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map(cell => cell.trim()),
    );

it('has a row a report, with the figure of the fit that left its conversations out', () => {
  const fitted: Fitted = {
    active: { leaveOneOut: { 'a.json': { '1-4': { recallAt10: 47.5 }, all: { recallAt10: 1 } } } },
  };
  const rows = rowsOf(resultsPage([result(), result({ mode: 'deep', data: 'b.json' })], fitted));
  const figures = ['2026-01-05', '5', '1,200', '50.0 (30.0 to 60.0)', '40.0', '+10.0 (-1.0 to +12.0)'];
  const rest = ['55.0', '40.0', '1,500 (1,000 to 2,000)'];
  expect(rows.filter(([name]) => name!.startsWith('Set A'))).toEqual([
    ['Set A', ...figures, '47.5', ...rest],
    ['Set A, deep', ...figures, '–', ...rest],
    ['Set A', '1,300', '0.500', '0.800', '0.050', '70', '0.600', '0.150 at 20 %'],
    ['Set A, deep', '1,300', '0.500', '0.800', '0.050', '70', '0.600', '0.150 at 20 %'],
  ]);
});

it('says how each was measured, as a shell takes it', () => {
  const bare = result({ title: "Ada's", absence: null, mode: 'deep' });
  const page = resultsPage([result(), bare], {});
  expect(page).toContain(
    "npm run evaluate -- 'a.json' --title 'Set A' --mode active --drop-evidence 3 --unanswerable 0.2 --json 1-active.json\n",
  );
  expect(page).toContain(String.raw`-- 'a.json' --title 'Ada'\''s' --mode deep --json 2-deep.json`);
  expect(page).toContain('npm run evaluate:results -- 1-active.json 2-deep.json\n');
});

it('shows what a report has not, and no title ends its cell', () => {
  const bare = result({
    title: 'A | b\nc',
    evidence: [],
    beside: [],
    absence: null,
    answer: { hits: 15, tokens: 9, interval: null },
  });
  const [, , row] = rowsOf(resultsPage([bare], {}));
  expect(row).toEqual([String.raw`A \| b c`, '2026-01-05', '5', '0', ...Array<string>(6).fill('–'), '9']);
});
