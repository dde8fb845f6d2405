import { describe, expect, it } from 'vitest';
import { clusterBootstrap, pairedBootstrap } from '../../../../../tools/evaluation/measure/bootstrap.ts';
import type { QuestionRow } from '../../../../../tools/evaluation/measure/measure.ts';
import { questionMetrics } from '../../../../../tools/evaluation/measure/metrics.ts';
import { compare, pair } from '../../../../../tools/evaluation/report/comparison.ts';
import { makeReport } from '../../../../../tools/evaluation/report/report.ts';

describe('the paired bootstrap', () => {
  it('finds no difference between the same and the same', () => {
    expect(pairedBootstrap([[0, 0, 0], [0]])).toEqual({ difference: 0, low: 0, high: 0, differs: false });
  });

  it('finds a shift of all questions without any doubt', () => {
    expect(pairedBootstrap([[0.25, 0.25], [0.25]])).toEqual({
      difference: 0.25,
      low: 0.25,
      high: 0.25,
      differs: true,
    });
    expect(pairedBootstrap([[-0.25, -0.25]]).differs).toBe(true);
  });

  it('has the interval that the normal distribution has of many fair coins', () => {
    const coins = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 1 : -1));
    const { difference, low, high, differs } = pairedBootstrap([coins]);
    expect(difference).toBe(0);
    // 1.96 standard errors of 1/sqrt(400).
    expect(low).toBeCloseTo(-0.098, 2);
    expect(high).toBeCloseTo(0.098, 2);
    expect(differs).toBe(false);
    expect(pairedBootstrap([coins.map(coin => coin + 0.2)]).differs).toBe(true);
  });

  it('draws within each conversation: differences between conversations are not doubt', () => {
    const steady = [Array<number>(50).fill(1), Array<number>(50).fill(0)];
    expect(pairedBootstrap(steady)).toMatchObject({ low: 0.5, high: 0.5 });
    expect(pairedBootstrap([steady.flat()]).low).toBeLessThan(0.45);
  });

  it('says the same every time', () => {
    const differences = [[0.5, -0.25, 0, 1, 0]];
    expect(pairedBootstrap(differences)).toEqual(pairedBootstrap(differences));
  });
});

describe('the bootstrap over conversations', () => {
  it('takes differences between conversations for doubt, and those within for none', () => {
    const steady = Array.from({ length: 50 }, (_, i) => Array<number>(20).fill(i % 2));
    const { low, high } = clusterBootstrap(steady)!;
    // Fifty fair coins, not a thousand: 1.96 standard errors of .5/sqrt(50).
    expect(low).toBeCloseTo(0.36, 1);
    expect(high).toBeCloseTo(0.64, 1);
    expect(
      clusterBootstrap([
        [0, 1, 0, 1],
        [0, 1],
      ]),
    ).toEqual({ low: 0.5, high: 0.5 });
  });

  it('weighs a conversation by its questions', () => {
    // The two draws are both large, both small, or one of each with a mean of 9/10.
    expect(clusterBootstrap([Array<number>(9).fill(1), [0]])).toEqual({ low: 0, high: 1 });
    expect(clusterBootstrap([[1, 1], [1]])).toEqual({ low: 1, high: 1 });
  });

  it('knows nothing of other conversations from a single one', () => {
    expect(clusterBootstrap([[0, 1]])).toBeNull();
  });
});

describe('comparing two reports', () => {
  const row = (id: string, place: number, members: Partial<QuestionRow> = {}): QuestionRow => ({
    conversation: 'c',
    id,
    category: null,
    answerable: true,
    metrics: questionMetrics([...Array<string[]>(place - 1).fill([]), ['e']], ['e']),
    present: null,
    bm25: null,
    confidence: 0.5,
    label: 1,
    milliseconds: 1,
    contents: [],
    budgets: [],
    ...members,
  });
  const about = {
    data: 'a.jsonl',
    title: 'a.jsonl',
    mode: 'active',
    measuredOn: '2026-01-05',
    inFlight: 1,
  } as const;
  const report = (...rows: QuestionRow[]) =>
    makeReport({ headline: 'answerable', conversations: [] }, rows, about);
  const unanswerable = { answerable: false, metrics: null, label: 0 } as const;

  it('pairs the rows of a question, in whatever order they are', () => {
    const before = report(row('a', 1), row('b', 12), row('c', 1, unanswerable));
    const after = report(row('c', 1, { ...unanswerable, confidence: 0.1 }), row('b', 2), row('a', 1));
    const { pairs, alone } = pair(before, after);
    expect(alone).toBe(0);
    const compared = Object.fromEntries(compare(pairs).map(each => [each.measure, each]));
    expect(compared.recallAt10).toMatchObject({ before: 50, after: 100, difference: 50, low: 0 });
    expect(compared.recallAt15).toMatchObject({ before: 100, after: 100, difference: 0, differs: false });
    // (.1² − .5²) / 3
    expect(compared.brier!.difference).toBeCloseTo(-0.08);
  });

  it('counts the questions that only one has, or that changed what they are', () => {
    const before = report(row('a', 1), row('b', 1));
    expect(pair(before, report(row('a', 1))).alone).toBe(1);
    expect(pair(before, report(row('a', 1), row('b', 1, { conversation: 'd' }))).alone).toBe(2);
    expect(pair(before, report(row('a', 1), row('b', 1, unanswerable))).alone).toBe(2);
  });

  it('of questions that none can answer compares confidence alone', () => {
    const one = report(row('a', 1, unanswerable));
    expect(compare(pair(one, one).pairs).map(({ measure }) => measure)).toEqual(['brier']);
  });
});
