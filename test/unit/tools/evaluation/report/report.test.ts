import { describe, expect, it } from 'vitest';
import type { QuestionRow } from '../../../../../tools/evaluation/measure/measure.ts';
import { meanMetrics, questionMetrics } from '../../../../../tools/evaluation/measure/metrics.ts';
import { groupRows, makeReport, metricRows } from '../../../../../tools/evaluation/report/report.ts';
import { reportText } from '../../../../../tools/evaluation/report/report-text.ts';

/** A ranking with evidence at these places, from 1. */
const rankedAt = (...places: number[]): string[][] =>
  Array.from({ length: 30 }, (_, i) => (places.includes(i + 1) ? [`e${i + 1}`] : []));

const row = (members: Partial<QuestionRow>): QuestionRow => ({
  conversation: 'c',
  id: 'q',
  category: null,
  answerable: true,
  metrics: null,
  present: null,
  bm25: null,
  confidence: 0.5,
  label: 0,
  milliseconds: 1,
  contents: [],
  budgets: [],
  ...members,
});

const found = questionMetrics(rankedAt(1), ['e1']);
const missed = questionMetrics([], ['e1']);

describe('metrics of a question', () => {
  it('count evidence at each depth, worked out by hand', () => {
    const metrics = questionMetrics(rankedAt(2, 11, 26), ['e2', 'e11', 'e26']);
    const third = 1 / 3;
    expect(metrics).toEqual({
      recallAt5: third,
      recallAt10: third,
      recallAt15: 2 * third,
      recallAt25: 2 * third,
      recallAt30: 1,
      allAt5: 0,
      allAt10: 0,
      allAt15: 0,
      allAt25: 0,
      allAt30: 1,
      // 1/log2(3) of 1 + 1/log2(3) + 1/log2(4).
      ndcgAt10: expect.closeTo(0.63093 / 2.13093, 4),
    });
  });

  it('take a short list for what it is, and a hit that names two turns for both', () => {
    expect(questionMetrics([['a', 'b']], ['a', 'b'])).toMatchObject({ recallAt5: 1, allAt30: 1 });
    expect(questionMetrics([['a'], ['a']], ['a', 'b'])).toMatchObject({ recallAt30: 0.5, allAt30: 0 });
    expect(Object.values(missed).every(value => value === 0)).toBe(true);
  });

  it('have means over the questions', () => {
    expect(meanMetrics([found, missed])).toMatchObject({ recallAt5: 0.5, allAt30: 0.5, ndcgAt10: 0.5 });
  });
});

describe('the report', () => {
  const rows = [
    row({ category: 'b', metrics: found, confidence: 0.9, label: 1, milliseconds: 10 }),
    row({ category: 'a', metrics: missed, confidence: 0.1, milliseconds: 20 }),
    row({ metrics: found, confidence: 0.7, label: 1, milliseconds: 30 }),
    row({ category: 'b', answerable: false, confidence: 0.3, milliseconds: 40 }),
  ];

  it('has a row a category and the headline; what has no evidence is in none', () => {
    expect(groupRows(rows, 'answerable')).toMatchObject([
      { group: 'a', kind: 'category', questions: 1, recallAt10: 0 },
      { group: 'b', kind: 'category', questions: 1, recallAt10: 100 },
      { group: 'answerable', kind: 'headline', questions: 3, recallAt10: 66.7 },
    ]);
    expect(groupRows([rows[3]!], 'answerable')).toEqual([]);
  });

  it('keeps distractors of LoCoMo out of the headline', () => {
    const measured = [
      { category: 4, metrics: found },
      { category: 5, metrics: missed },
    ];
    const byName = metricRows(measured);
    expect(Object.keys(byName)).toEqual(['4 single-hop', '5 adversarial', '1-4', 'all']);
    expect(byName['1-4']).toMatchObject({ questions: 1, recallAt10: 100 });
    expect(byName.all).toMatchObject({ questions: 2, recallAt10: 50 });
  });

  const about = {
    data: 'a.jsonl',
    title: 'a.jsonl',
    mode: 'active',
    measuredOn: '2026-01-05',
    inFlight: 1,
  } as const;
  const dataset = { headline: 'answerable', conversations: [] };

  it('judges confidence by all questions, and latency', () => {
    const report = makeReport(dataset, rows, about);
    expect(report.confidence).toEqual({
      questions: 4,
      baseRate: 0.5,
      auroc: 1,
      // (.1² + .1² + .3² + .3²) / 4
      brier: 0.05,
      brierOfBaseRate: 0.25,
      ece: 0.2,
    });
    expect(report.reliability).toHaveLength(4);
    expect(report.latencyMilliseconds).toEqual({ p50: 20, p95: 40, p99: 40 });
  });

  it('puts BM25 beside the headline, with intervals over conversations', () => {
    const beside = (conversation: string, metrics: QuestionRow['metrics'], bm25: QuestionRow['metrics']) =>
      row({ conversation, metrics, bm25 });
    const report = makeReport(
      dataset,
      [
        beside('c', found, missed),
        beside('c', found, found),
        beside('d', missed, missed),
        { ...beside('d', missed, found), answerable: false },
      ],
      about,
    );
    expect(report.beside[1]).toEqual({
      depth: 10,
      recall: 66.7,
      // Only c, or only d.
      interval: { low: 0, high: 100 },
      bm25: 33.3,
      difference: 33.3,
      differenceInterval: { low: 0, high: 50 },
    });
    expect(report.evidence[0]).toMatchObject({ group: 'answerable', bm25: { recallAt10: 33.3 } });
    expect(reportText(report)).toMatch(/^R@10 +66\.7 +0\.0 to 100\.0 +33\.3 +\+33\.3 +0\.0 to \+50\.0$/m);
    expect(makeReport(dataset, [rows[3]!], about).beside).toEqual([]);
  });

  it('counts the tokens of a default answer of its mode', () => {
    const contents = [10, 15, 25].map(depth => ({
      depth: depth as 10 | 15 | 25,
      facts: 0,
      entities: 0,
      tokens: depth * 10,
    }));
    const answer = (mode: 'active' | 'deep') =>
      makeReport(dataset, [row({ contents }), row({ conversation: 'd', contents })], { ...about, mode })
        .answer;
    expect(answer('active')).toEqual({ hits: 15, tokens: 150, interval: { low: 150, high: 150 } });
    expect(answer('deep')).toMatchObject({ hits: 25, tokens: 250 });
    expect(makeReport(dataset, [row({ contents })], about).answer.interval).toBeNull();
  });

  it('is printed with its figures, also where a figure can not be', () => {
    expect(reportText(makeReport(dataset, rows, about))).toMatch(/^answerable \* +3 +66\.7 +66\.7 /m);
    const single = makeReport(dataset, [rows[0]!], about);
    expect(reportText(single)).toContain('AUROC none, Brier 0.010');
    expect(JSON.parse(JSON.stringify(single)).confidence.auroc).toBeNull();
  });
});
