import { describe, expect, it } from 'vitest';
import type { QuestionRow } from '../../../../../tools/evaluation/measure/measure.ts';
import { questionMetrics } from '../../../../../tools/evaluation/measure/metrics.ts';
import { plot, reliabilityPlot, scoresOf } from '../../../../../tools/evaluation/report/plot.ts';
import { makeReport } from '../../../../../tools/evaluation/report/report.ts';

const NAME = '[A-Za-z][A-Za-z0-9-]*';
const TEXT = '(?:[^<>&]|&(?:amp|lt|gt|quot);)*';
const TOKEN = new RegExp(
  `<(${NAME})((?: ${NAME}="(?:[^<&"]|&(?:amp|lt|gt|quot);)*")*)>|</(${NAME})>|(${TEXT})`,
  'uy',
);

/** As much of XML's grammar as the plot uses: names of the elements, in order. Throws where it is broken. */
const elementsOf = (xml: string): string[] => {
  const open: string[] = [];
  const names: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(xml);
    if (!match || match[0] === '') throw new Error(`no XML at ${at}: ${xml.slice(at, at + 40)}`);
    const [, name, attributes = '', closed, text] = match;
    const keys = [...attributes.matchAll(new RegExp(` (${NAME})=`, 'g'))].map(([, key]) => key);
    if (new Set(keys).size < keys.length) throw new Error(`an attribute twice at ${at}`);
    if (name !== undefined) {
      if (names.length > 0 && open.length === 0) throw new Error('a second root');
      open.push(name);
      names.push(name);
    } else if (closed !== undefined && open.pop() !== closed)
      throw new Error(`${closed} closes another at ${at}`);
    else if (text?.trim() && open.length === 0) throw new Error('text outside of the root');
  }
  if (open.length > 0) throw new Error(`${open.join(', ')} not closed`);
  return names;
};

const row = (category: string, place: number, members: Partial<QuestionRow> = {}): QuestionRow => ({
  conversation: 'c',
  id: `${category} ${place}`,
  category,
  answerable: true,
  metrics: questionMetrics([...Array<string[]>(place - 1).fill([]), ['e']], ['e']),
  present: null,
  bm25: null,
  confidence: 0.93,
  label: 1,
  milliseconds: 1,
  contents: [],
  budgets: [],
  ...members,
});

const about = {
  data: 'a & b.jsonl',
  title: 'a & b.jsonl',
  mode: 'active',
  measuredOn: '2026-01-05',
  inFlight: 1,
} as const;
const drawn = (...rows: QuestionRow[]) =>
  plot(makeReport({ headline: 'answerable', conversations: [] }, rows, about));

describe('the plot', () => {
  const svg = drawn(
    row('who', 1),
    row('who', 12),
    row('when', 3),
    row('when', 7, { confidence: 0.2, label: 0 }),
  );

  it('is well-formed, with a title and a description', () => {
    const names = elementsOf(svg);
    expect(names.slice(0, 3)).toEqual(['svg', 'title', 'desc']);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*aria-labelledby="title desc"/);
    // One line a category and one for the headline.
    expect(names.filter(name => name === 'polyline')).toHaveLength(3);
  });

  it('carries the numbers, in words and by place', () => {
    expect(svg).toContain('when: R@10 100.0 (2 questions)');
    expect(svg).toContain('answerable: R@5 50.0, R@10 75.0, R@15 100.0');
    expect(svg).toContain('<title>who, R@10 50.0</title>');
    expect(svg).toContain('<title>said 93.0, true 100.0, 3 questions</title>');
    // R@5 50 %: 5 of 30 from the left, in the middle of 300 pixels.
    expect(svg).toMatch(/<polyline points="50,150\.0 100,150\.0 150,0\.0 250,0\.0 300,0\.0"/);
    expect(svg).toMatch(/<circle cx="279" cy="0" r="16"/);
  });

  it('names any category without breaking', () => {
    const odd = drawn(row('<b> & "c" \u0007\uFFFF', 1));
    expect(elementsOf(odd)).toContain('polyline');
    expect(odd).toContain('&lt;b&gt; &amp; &quot;c&quot; \uFFFD\uFFFD: R@10');
    expect(odd).toContain('measured on a &amp; b.jsonl');
  });

  it('has room for many categories, and for none', () => {
    const many = drawn(...Array.from({ length: 12 }, (_, i) => row(`category ${i}`, 1)));
    const height = (of: string) => Number(/ height="(\d+)"/.exec(of)![1]);
    expect(height(many)).toBeGreaterThan(height(svg));
    const none = drawn(row('none', 1, { answerable: false, metrics: null, label: 0 }));
    expect(elementsOf(none)).not.toContain('polyline');
    expect(none).not.toContain('NaN');
  });
});

describe('reliability diagrams beside each other', () => {
  const scores = scoresOf({ auroc: 0.8431, brier: 0.1322, ece: 0.0307 });
  const bin = { from: 0.9, count: 25, confidence: 0.95, share: 0.5 };
  const svg = reliabilityPlot('said & true', [
    { title: 'people', questions: 100, scores, reliability: [bin] },
    { title: 'assistant', questions: 25, scores: 'few', reliability: [{ ...bin, share: 1 }] },
  ]);

  it('are well-formed, one panel each, with the bins by their places and what they scored', () => {
    const names = elementsOf(svg);
    expect(names.filter(name => name === 'circle')).toHaveLength(2);
    expect(svg).toContain('people: AUROC 0.843, Brier 0.132, ECE 0.031, 100 questions. assistant: few');
    // Said 95 % and true in half of them: near the right end, in the middle of 300 pixels; a quarter of all
    // questions.
    expect(svg).toMatch(/<circle cx="285" cy="150" r="10\.5"/);
    expect(svg).toMatch(/<circle cx="285" cy="0" r="18"/);
  });
});
