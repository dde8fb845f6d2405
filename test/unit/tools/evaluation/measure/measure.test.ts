import { expect, it } from 'vitest';
import { countTokens } from '../../../../../core/tokens/count.ts';
import type { IngestBody } from '../../../../../schemas/http/ingestion.ts';
import type { RecallBody } from '../../../../../schemas/http/recall.ts';
import type { Client, Recalled } from '../../../../../tools/evaluation/client.ts';
import type { Dataset, Question } from '../../../../../tools/evaluation/datasets/dataset.ts';
import { type MeasureOptions, measure } from '../../../../../tools/evaluation/measure/measure.ts';

const turn = (id: string, text = id) => ({ id, role: 'Ada', text, timestamp: '2026-01-05T09:00:00Z' });

const datasetOf = (questions: Partial<Question>[], turns = [turn('t1'), turn('t2')]): Dataset => ({
  headline: 'answerable',
  conversations: [
    {
      id: 'c1',
      sessions: [{ id: 's1', turns }],
      questions: questions.map((members, i) => ({
        id: `q${i}`,
        question: `${i}`,
        evidence: ['t2'],
        answerable: true,
        ...members,
      })),
    },
  ],
});

const NOTHING: Recalled = {
  hits: { turns: [], observations: [], entities: [] },
  confidence: 0.25,
  context: null,
};

/** A service whose fragments are named by their text, and which answers every question alike. */
const serviceOf = (answer: Partial<Recalled['hits']> = {}, context: string | null = null) => {
  const ingested: IngestBody[] = [];
  const recalled: RecallBody[] = [];
  let queued = 3;
  const client: Client = {
    orgId: 'acme',
    ingest: async body => {
      ingested.push(body);
      return { job_id: `job${ingested.length}`, active_fragment_ids: body.turns.map(({ text }) => text) };
    },
    isQueued: async () => queued-- > 0,
    lacksVectors: async () => false,
    recall: async body => {
      recalled.push(body);
      expect(queued, 'a question before the turns were enriched').toBeLessThan(0);
      return { ...NOTHING, hits: { ...NOTHING.hits, ...answer }, context };
    },
  };
  return { client, ingested, recalled };
};

const options: MeasureOptions = {
  mode: 'deep',
  userPrefix: 'p/',
  inFlight: 1,
  baseline: () => () => [],
  onConversation: () => {},
};

it('asks each question of the conversation, in its mode, once all turns are loaded and enriched', async () => {
  const { client, ingested, recalled } = serviceOf();
  await measure(client, datasetOf([{}, {}]), options);
  const { id: _, ...body } = turn('t1');
  expect(ingested).toMatchObject([
    { scope: { org_id: 'acme', user_id: 'p/c1', session_id: 's1' }, turns: [body, { text: 't2' }] },
  ]);
  expect(ingested[0]!.turns[0]).not.toHaveProperty('id');
  const asked = (q: string) => ({ scope: { org_id: 'acme', user_id: 'p/c1' }, q, mode: 'deep', top_k: 30 });
  const inContext = { include_hits: false, include_context: true };
  expect(recalled).toEqual(
    ['0', '1'].flatMap(q => [
      asked(q),
      ...[500, 1_000, 2_000].map(context_max_tokens => ({ ...asked(q), ...inContext, context_max_tokens })),
    ]),
  );
});

it('counts a turn, an observation for its turns, and an entity for a place', async () => {
  const { client } = serviceOf({
    turns: [{ id: 't1', score: 0.1, text: 'two words', content: 'two words' }],
    observations: [
      { id: 'o', score: 0.5, text: 'three more words', content: 'three more words', source_turn_ids: ['t2'] },
    ],
    entities: [{ label: 'Ada', score: 0.9 }],
  });
  const [first, second, third] = await measure(
    client,
    datasetOf([{}, { evidence: ['t1', 't2'] }, { evidence: [], answerable: false }]),
    options,
  );
  // The entity has the first place.
  expect(first!.metrics!.ndcgAt10).toBeCloseTo(1 / Math.log2(3));
  expect(second!.metrics).toMatchObject({ recallAt5: 1, allAt5: 1 });
  expect(third).toMatchObject({ metrics: null, label: 0 });
  expect(first!.contents[0]).toEqual({ depth: 10, facts: 1, entities: 1, tokens: 6 });
});

it('takes long turns as their parts in a budget and in a context, and in an answer where they were asked for', async () => {
  const words = 'It leaks. 😀';
  const all = `${'word 😀 '.repeat(600)}${words} And so on.`;
  const from = Array.from(all).length - Array.from(`${words} And so on.`).length;
  const part = { from, to: from + Array.from(words).length };
  const hit = (content: string) => ({ id: 't2', score: 0.5, text: `[Ada] ${content}`, content, part });
  const measured = async (content: string, passages?: boolean) => {
    const { client, recalled } = serviceOf({ turns: [hit(content)] }, `- Ada: "… ${words} …"`);
    const [row] = await measure(client, datasetOf([{}]), { ...options, ...(passages && { passages }) });
    expect(recalled.map(body => body.passages)).toEqual(Array(4).fill(passages));
    return row!;
  };
  const whole = await measured(all);
  const parts = await measured(words, true);
  expect(parts.budgets).toEqual(whole.budgets);
  expect(parts.budgets[0]).toMatchObject({ hits: 1, context: 1, hitTokens: countTokens(`[Ada] ${words}`) });
  expect(parts.contents[0]!.tokens).toBe(parts.budgets[0]!.hitTokens);
  expect(whole.contents[0]!.tokens).toBeGreaterThan(1_000);
});

it('finds evidence in the hits that fit into a budget, and in a context that quotes them whole', async () => {
  const long = 'word '.repeat(600).trim();
  const { client } = serviceOf(
    {
      turns: [
        { id: 't1', score: 0.9, text: long, content: long },
        { id: 't2', score: 0.5, text: '[Ada] "two" words', content: '"two" words' },
      ],
    },
    `- Ada: "${long.slice(0, 100)}…"\n- Ada: "\\"two\\" words"`,
  );
  const evidence = ['t1', 't2'];
  const [row, none] = await measure(client, datasetOf([{ evidence }, { evidence: [] }]), options);
  expect(row!.budgets).toMatchObject([
    { budget: 500, hits: 0.5, context: 0.5 },
    { budget: 1_000, hits: 1, context: 0.5 },
    { budget: 2_000, hits: 1, context: 0.5 },
  ]);
  expect(none!.budgets).toEqual([]);
});

it('labels by the first 15 hits, and never a question that has no answer', async () => {
  const hits = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: i === count - 1 ? 't2' : `x${i}`,
      score: 1 - i / 100,
      text: '',
      content: '',
    }));
  const questions = [{}, { answerable: false }];
  const labels = async (place: number) =>
    (await measure(serviceOf({ turns: hits(place) }).client, datasetOf(questions), options)).map(
      row => row.label,
    );
  expect(await labels(15)).toEqual([1, 0]);
  expect(await labels(16)).toEqual([0, 0]);
});

it('finds two turns of the same words and the same moment as the one fragment that they are', async () => {
  const { client } = serviceOf({ turns: [{ id: 'same', score: 1, text: '', content: '' }] });
  const turns = [turn('t1', 'same'), turn('t2', 'same')];
  const [row] = await measure(client, datasetOf([{ evidence: ['t1', 't2'] }], turns), options);
  expect(row!.metrics!.recallAt5).toBe(1);
});

it('loads a long session in several requests, in order, and keeps the rows in order of the questions', async () => {
  const { client, ingested } = serviceOf();
  const turns = Array.from({ length: 1_201 }, (_, i) => turn(`t${i}`));
  const rows = await measure(
    client,
    datasetOf(
      Array.from({ length: 9 }, () => ({})),
      turns,
    ),
    { ...options, inFlight: 4 },
  );
  expect(ingested.length).toBeGreaterThan(1);
  expect(ingested.flatMap(body => body.turns.map(({ text }) => text))).toEqual(turns.map(({ id }) => id));
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 9 }, (_, i) => `q${i}`));
});

it('measures the baseline by the same questions', async () => {
  const { client } = serviceOf();
  const asked: string[] = [];
  const baseline: MeasureOptions['baseline'] = conversation => question => {
    asked.push(`${conversation.id} ${question.id}`);
    return ['t1', 't2'];
  };
  const [row, none] = await measure(client, datasetOf([{}, { evidence: [] }]), { ...options, baseline });
  expect(asked).toEqual(['c1 q0', 'c1 q1']);
  expect(row!.bm25!.ndcgAt10).toBeCloseTo(1 / Math.log2(3));
  expect(row!.metrics!.recallAt5).toBe(0);
  expect(none!.bm25).toBeNull();
});

it('finds a session by any of its turns where evidence names sessions, and asks only up to a moment', async () => {
  const { client, recalled } = serviceOf({ turns: [{ id: 't1', score: 1, text: '', content: '' }] });
  const until = '2026-01-05T10:00:00Z';
  const dataset: Dataset = { ...datasetOf([{ evidence: ['s1'], until }]), unit: 'session' };
  const [row] = await measure(client, dataset, { ...options, baseline: () => () => ['t2'] });
  expect(row).toMatchObject({ label: 1, metrics: { recallAt5: 1 }, bm25: { recallAt5: 1 } });
  expect(recalled.map(body => body.until)).toEqual(Array(4).fill(until));
});
