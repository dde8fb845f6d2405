import { expect, it } from 'vitest';
import type { UseCases } from '../../../../core/use-cases.ts';
import { makeMetrics } from '../../../../core/watch/metrics.ts';
import { countAnswers } from '../../../../services/compose/answer-metrics.ts';
import { scrapeOf } from '../../../support/promql.ts';

const usage = { tokens_in: 3, tokens_out: 5 };
const NOTHING = { turns: [], observations: [], entities: [] };
const FACT = { attribute: 'home', value: 'Porto' };

/** Asks for these answers, one recall each, and returns what is counted then. */
const countedOf = async (answers: object[], others: Partial<Record<keyof UseCases, object>> = {}) => {
  const metrics = makeMetrics();
  let at = 0;
  const answered = Object.fromEntries(
    ['ingest', 'say', 'correct', 'giveFeedback'].map(name => [
      name,
      async () => others[name as keyof UseCases] ?? { usage },
    ]),
  );
  const useCases = { ...answered, recall: async () => answers[at++] } as unknown as UseCases;
  const counted = countAnswers(useCases, metrics) as unknown as Record<string, () => Promise<unknown>>;
  for (const answer of answers) expect(await counted.recall!()).toBe(answer);
  for (const name of Object.keys(others)) await counted[name]!();
  const { text } = await metrics.render();
  return scrapeOf(Buffer.from(text).toString()).values;
};

it('counts a recall by its confidence, and one of 0 as empty', async () => {
  const values = await countedOf([
    { hits: NOTHING, confidence: 0.85, usage },
    { hits: NOTHING, confidence: 0, usage },
  ]);
  expect(values.get('turnstone_recall_confidence_count')).toBe(2);
  expect(values.get('turnstone_recall_confidence_bucket{le="0.8"}')).toBe(1);
  expect(values.get('turnstone_recall_confidence_bucket{le="0.9"}')).toBe(2);
  expect(values.get('turnstone_recalls_empty_total')).toBe(1);
});

it('counts the facts among the hits and within turns, and no observation that states none', async () => {
  const hits = {
    turns: [{ observations: [{ ...FACT, superseded_by: 'obs_1' }, { text: 'a sentence' }] }, {}],
    observations: [
      FACT,
      { ...FACT, disputed_by: ['obs_2'] },
      { ...FACT, disputed_by: [] },
      { text: 'a sentence' },
    ],
    entities: [{ label: 'Porto' }],
  };
  const values = await countedOf([{ hits, confidence: 0.5, usage }]);
  const of = (state: string) => values.get(`turnstone_recalled_facts_total{state="${state}"}`);
  expect([of('holds'), of('superseded'), of('disputed')]).toEqual([2, 1, 1]);
});

it('counts the models that took no part', async () => {
  const values = await countedOf([{ hits: NOTHING, confidence: 0.5, usage, degraded: ['rerank'] }]);
  const of = (model: string) => values.get(`turnstone_recalls_degraded_total{model="${model}"}`);
  expect([of('rerank'), of('embeddings')]).toEqual([1, 0]);
});

it('counts the tokens of each billed call, and none of an answer that does not tell them', async () => {
  const values = await countedOf([{ hits: NOTHING, confidence: 0.5, usage }], {
    ingest: { usage },
    say: { id: 'obs_1' },
    correct: { usage },
  });
  const of = (call: string) =>
    ['in', 'out'].map(direction =>
      values.get(`turnstone_tokens_billed_total{call="${call}",direction="${direction}"}`),
    );
  expect(['recall', 'ingest', 'say', 'correct'].map(of)).toEqual([
    [3, 5],
    [3, 5],
    [0, 0],
    [3, 5],
  ]);
});

it('leaves an answer that failed uncounted', async () => {
  const metrics = makeMetrics();
  const recall = async () => {
    throw new Error('no');
  };
  const counted = countAnswers({ recall } as unknown as UseCases, metrics);
  await expect((counted.recall as unknown as () => Promise<unknown>)()).rejects.toThrow('no');
  const { text } = await metrics.render();
  expect(scrapeOf(Buffer.from(text).toString()).values.get('turnstone_recall_confidence_count')).toBe(0);
});

it('counts verdicts on hits', async () => {
  const values = await countedOf([], { giveFeedback: { verdict: 'wrong' } });
  const of = (verdict: string) => values.get(`turnstone_recall_feedback_total{verdict="${verdict}"}`);
  expect([of('wrong'), of('helpful')]).toEqual([1, 0]);
});
