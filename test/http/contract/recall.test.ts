import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { type Caller, finished, type Hit, query, signUp, turn, write } from './kit.ts';
import { CAKE, count, day, GREYHOUND, lists, openRecallWorld } from './recall-world.ts';

let server: Server;
let owner: Caller;
let empty: Caller;
beforeAll(async () => {
  ({ server, owner, empty } = await openRecallWorld());
});

describe('the answer', () => {
  test('has the members of the contract and no other', async () => {
    const answer = await owner.recall(query(CAKE));
    expect(Object.keys(answer).sort()).toEqual([
      'confidence',
      'context',
      'freshness',
      'hits',
      'mode',
      'timeline',
      'usage',
    ]);
    expect(Object.keys(answer.hits).sort()).toEqual(['entities', 'observations', 'turns']);
    expect([answer.mode, answer.timeline]).toEqual(['active', null]);
    expect(answer.confidence).toBeGreaterThan(0);
    expect(answer.confidence).toBeLessThanOrEqual(1);
  });

  test('turn hits: rendered, dated, with role, user and session', async () => {
    const { hits } = await owner.recall(query(CAKE, { kinds: ['turn'], top_k: 30 }));
    expect(hits.turns.length).toBe(30);
    for (const hit of hits.turns) {
      expect(hit.kind).toBe('turn');
      expect(Number.isFinite(hit.score)).toBe(true);
      expect(hit.text).toMatch(/^\[2026-03-\d\d\] \[(user|Oskar)\] On (day|evening) /);
      expect(hit.text.slice(14, 14 + hit.role!.length)).toBe(hit.role);
      expect(hit.timestamp).toMatch(/^\d+$/);
      expect(new Date(Number(hit.timestamp) * 1000).toISOString().slice(0, 10)).toBe(hit.text.slice(1, 11));
      expect(['u1/kitchen', 'u2/garden']).toContain(`${hit.user_id}/${hit.session_id}`);
    }
  });

  test('a fraction of a second is told to the millisecond', async () => {
    await owner.ingest(write([turn('fractional zither', { timestamp: '2026-03-01T00:00:00.1239Z' })]));
    const hit = (await owner.recall(query('fractional zither', { kinds: ['turn'] }))).hits.turns.find(each =>
      each.text.includes('zither'),
    );
    expect(hit?.timestamp).toMatch(/^1772323200\.12[34]$/);
  });

  test("a date mark is of the speaker's day", async () => {
    await owner.ingest(write([turn('late quince', { timestamp: '2026-02-28T23:30:00-01:00' })]));
    const hit = (await owner.recall(query('late quince', { kinds: ['turn'] }))).hits.turns.find(each =>
      each.text.includes('quince'),
    );
    expect(hit?.text).toBe('[2026-02-28] [user] late quince');
  });

  test('observation hits: kind, instant, sources', async () => {
    const { hits } = await owner.recall(
      query("Martha's cake number 3", { kinds: ['observation'], top_k: 30 }),
    );
    expect(hits.observations.length).toBeGreaterThan(0);
    for (const hit of hits.observations) {
      expect(hit.kind).toBe('observation');
      expect(hit.timestamp).toMatch(/^\d+$/);
      expect(['client', 'rules', 'llm']).toContain(hit.source);
      expect(hit.source_turn_ids?.length).toBeGreaterThan(0);
    }
  });

  test('entity hits: a label and a score', async () => {
    const { hits } = await owner.recall(query('Martha Novak Ljubljana', { kinds: ['entity'] }));
    expect(hits.entities.length).toBeGreaterThan(0);
    for (const entity of hits.entities) {
      expect(entity.label).toMatch(/\S/);
      expect(typeof entity.score).toBe('number');
      expect(entity).not.toHaveProperty('text');
      expect(entity).not.toHaveProperty('timestamp');
    }
    expect(hits.entities.map(entity => entity.label).join()).toMatch(/Martha|Ljubljana/);
  });

  describe('what was said in several turns', () => {
    let caller: Caller;
    const turnIds: string[] = [];
    beforeAll(async () => {
      caller = await signUp(server.url, 'greyhounds');
      for (const [user_id, session_id, text] of GREYHOUND) {
        const answer = await caller.ingest({
          scope: { org_id: 'x', user_id, session_id },
          turns: [turn(text, { timestamp: day(turnIds.length) })],
        });
        turnIds.push(answer.active_fragment_ids[0]!);
        await finished(caller, answer.job_id);
      }
    });

    test('is one observation of a user, with all its turns, and one of each user', async () => {
      const { hits } = await caller.recall(query('greyhound Comet', { kinds: ['observation'], top_k: 30 }));
      const facts = hits.observations.filter(hit => hit.text.includes('greyhound'));
      expect(facts.map(hit => hit.text)).toEqual(Array(2).fill('The user adopted a greyhound called Comet.'));
      const sourcesOf = (user: string) =>
        facts.find(hit => hit.user_id === user)?.source_turn_ids?.toSorted();
      expect(sourcesOf('maria')).toEqual(turnIds.slice(0, 2).sort());
      expect(sourcesOf('peter')).toEqual(turnIds.slice(2));
      expect(hits.observations.filter(hit => hit.text.endsWith('?'))).toEqual([]);
    });

    test('is one entity of a user over sessions and spellings', async () => {
      const idOf = async (user_id: string, session_id: string) => {
        const scope = { org_id: 'x', user_id, session_id };
        const { hits } = await caller.recall(query('Zürich', { scope, kinds: ['entity'] }));
        return hits.entities.find(({ label }) => /^z[uü]rich$/i.test(label))?.id;
      };
      const [first, second, other] = await Promise.all(
        GREYHOUND.map(([user, session]) => idOf(user, session)),
      );
      expect(first).toMatch(/^ent_/);
      expect(second).toBe(first);
      expect(other).toMatch(/^ent_/);
      expect(other).not.toBe(first);
    });
  });

  test('each list falls in score and holds nothing twice', async () => {
    for (const mode of ['active', 'deep']) {
      const answer = await owner.recall(query(CAKE, { mode, top_k: 30 }));
      for (const list of lists(answer)) {
        const scores = list.map(hit => hit.score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }
      const ids = [...answer.hits.turns, ...answer.hits.observations].map(hit => hit.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  test('no hits: confidence 0, no timeline, usage of q alone', async () => {
    const answer = await empty.recall(query('Is anybody there?', { include_timeline: true }));
    expect(answer).toEqual({
      hits: { turns: [], observations: [], entities: [] },
      confidence: 0,
      timeline: null,
      context: null,
      mode: 'active',
      freshness: { indexed_until: expect.stringMatching(/^20.*Z$/), from_tail: 0 },
      usage: { tokens_in: countTokens('Is anybody there?'), tokens_out: 0 },
    });
  });

  test('the same question gets the same answer', async () => {
    for (const mode of ['active', 'deep']) {
      const [one, two] = [
        await owner.recall(query(CAKE, { mode })),
        await owner.recall(query(CAKE, { mode })),
      ];
      expect({ ...two, freshness: one.freshness }).toEqual(one);
    }
  });
});

describe('top_k', () => {
  test.for([
    ['active', undefined, 15],
    ['deep', undefined, 25],
    ['active', 1, 1],
    ['active', 29, 29],
    ['active', 30, 30],
    ['active', 31, 30],
    ['active', 50, 30],
    ['deep', 1, 1],
    ['deep', 50, 30],
  ] as const)('%s with top_k %s: %i hits over all kinds', async ([mode, top_k, hits]) => {
    const answer = await owner.recall(query(CAKE, { mode, top_k }));
    expect(count(answer)).toBe(hits);
    expect(answer.mode).toBe(mode);
  });

  test('counts across the kinds that are asked for', async () => {
    expect(count(await owner.recall(query(CAKE, { kinds: ['turn', 'observation'], top_k: 20 })))).toBe(20);
  });
});

describe('kinds', () => {
  test.for([
    [['turn']],
    [['observation']],
    [['entity']],
    [['turn', 'entity']],
    [['entity', 'observation', 'turn']],
  ])('%j', async ([kinds]) => {
    for (const mode of ['active', 'deep']) {
      const { hits } = await owner.recall(query(CAKE, { kinds, mode, top_k: 30 }));
      expect(hits.turns.length > 0).toBe(kinds!.includes('turn'));
      expect(hits.observations.length > 0 || !kinds!.includes('observation')).toBe(true);
      if (!kinds!.includes('observation')) expect(hits.observations).toEqual([]);
      if (!kinds!.includes('entity')) expect(hits.entities).toEqual([]);
    }
  });
});

test('recall is read-only: it changes no answer and no job', async () => {
  const before = await owner.recall(query(CAKE, { mode: 'deep' }));
  for (let i = 0; i < 5; i++) await owner.recall(query(`${CAKE} ${i}`));
  const { freshness } = before;
  expect({ ...(await owner.recall(query(CAKE, { mode: 'deep' }))), freshness }).toEqual(before);
});

test('deep finds what is linked only by an entity or stands beside', async () => {
  const caller = await signUp(server.url);
  const { job_id } = await caller.ingest(
    write([
      turn('Ingrid Halvorsen runs the lighthouse at Skagen.', { timestamp: '2026-01-01T10:00:00Z' }),
      turn('What is her favourite meal?', { role: 'assistant', timestamp: '2026-01-01T10:00:10Z' }),
      turn('Pickled herring with dill.', { timestamp: '2026-01-01T10:00:20Z' }),
    ]),
  );
  await finished(caller, job_id);
  const { hits } = await caller.recall(query('What does Ingrid Halvorsen like to eat?', { mode: 'deep' }));
  expect(hits.turns.map(hit => hit.text).join()).toContain('herring');
});

describe('explain', () => {
  const ask = (more: object) => owner.recall(query('Who baked a walnut cake on day 7?', more));
  const scored = ({ base, parts, factor }: NonNullable<Hit['explanation']>): number =>
    factor / (1 + Math.exp(-parts.reduce((sum, { log_odds }) => sum + log_odds, base)));

  test.each([['active'], ['deep']])('%s: what made each score adds up to it', async mode => {
    const { hits } = await ask({ mode, explain: true, kinds: ['turn', 'observation'], top_k: 30 });
    const all = [...hits.turns, ...hits.observations];
    expect(hits.turns.length).toBeGreaterThan(0);
    for (const { score, explanation } of all) expect(scored(explanation!)).toBeCloseTo(score, 9);
  });

  test('changes nothing else of the answer, and nothing of the bill', async () => {
    const plain = await ask({});
    const explained = await ask({ explain: true });
    const without = ({ explanation: _, ...hit }: Hit) => hit;
    expect(explained.hits.turns.map(without)).toEqual(plain.hits.turns);
    expect(explained.usage).toEqual(plain.usage);
    expect(plain.hits.turns.some(hit => 'explanation' in hit)).toBe(false);
  });
});
