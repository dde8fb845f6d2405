import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/server.ts';
import {
  type Caller,
  colleague,
  finished,
  type Hit,
  ok,
  query,
  type Recalled,
  refused,
  signUp,
  turn,
  type Usage,
  write,
} from './kit.ts';

let server: Server;
let owner: Caller;
let empty: Caller;

const day = (i: number): string => `2026-03-${String(i + 1).padStart(2, '0')}T12:00:00Z`;
const TURNS = 28;
const count = ({ hits }: Recalled): number =>
  hits.turns.length + hits.observations.length + hits.entities.length;
const lists = ({ hits }: Recalled): [Hit[], Hit[], { score: number }[]] => [
  hits.turns,
  hits.observations,
  hits.entities,
];

beforeAll(async () => {
  server = await startServer();
  [owner, empty] = [await signUp(server.url), await signUp(server.url, 'empty')];
  const turns = Array.from({ length: TURNS }, (_, i) =>
    turn(`On day ${i} Martha Novak baked a walnut cake in Ljubljana.`, {
      timestamp: day(i),
      role: i % 2 ? 'Oskar' : 'user',
      observations: [`Martha's cake number ${i} had walnuts`],
    }),
  );
  const more = Array.from({ length: 30 }, (_, i) =>
    turn(`On evening ${i} the walnut cake was eaten by guest${i}.`, {
      timestamp: day(i % 28).replace('12:', '18:'),
    }),
  );
  const one = await owner.ingest({ scope: { org_id: 'x', user_id: 'u1', session_id: 'kitchen' }, turns });
  const two = await owner.ingest({
    scope: { org_id: 'x', user_id: 'u2', session_id: 'garden' },
    turns: more,
  });
  for (const { job_id } of [one, two]) await finished(owner, job_id);
});
afterAll(() => server?.stop());

/** Two sessions of `maria` and one of `peter`, all with the same fact. */
const GREYHOUND = [
  ['maria', 'monday', 'I adopted a greyhound called Comet. I found him in Zürich.'],
  ['maria', 'tuesday', 'Did I say that? I adopted a greyhound called Comet! Zurich is far away.'],
  ['peter', 'monday', 'I adopted a greyhound called Comet. Nobody in Zürich wanted him.'],
] as const;

const CAKE = 'Who baked the walnut cake in Ljubljana?';

describe('the answer', () => {
  test('has the members of the contract and no other', async () => {
    const answer = await owner.recall(query(CAKE));
    expect(Object.keys(answer).sort()).toEqual(['confidence', 'hits', 'mode', 'timeline', 'usage']);
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

  test('a date mark is of the UTC day', async () => {
    await owner.ingest(write([turn('late quince', { timestamp: '2026-02-28T23:30:00-01:00' })]));
    const hit = (await owner.recall(query('late quince', { kinds: ['turn'] }))).hits.turns.find(each =>
      each.text.includes('quince'),
    );
    expect(hit?.text).toBe('[2026-03-01] [user] late quince');
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
      mode: 'active',
      usage: { tokens_in: countTokens('Is anybody there?'), tokens_out: 0 },
    });
  });

  test('the same question gets the same answer', async () => {
    for (const mode of ['active', 'deep']) {
      const [one, two] = [
        await owner.recall(query(CAKE, { mode })),
        await owner.recall(query(CAKE, { mode })),
      ];
      expect(two).toEqual(one);
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

describe('since and until', () => {
  const days = ({ hits }: Recalled): string[] =>
    [...new Set(hits.turns.map(hit => hit.text.slice(1, 11)))].sort();

  test.for(['active', 'deep'])('are inclusive to the millisecond (%s)', async mode => {
    const window = (since?: string, until?: string) =>
      owner.recall(query(CAKE, { kinds: ['turn'], top_k: 30, mode, since, until }));
    expect(days(await window(day(4), day(6)))).toEqual(['2026-03-05', '2026-03-06', '2026-03-07']);
    expect((await window(day(4), day(4))).hits.turns).toHaveLength(1);
    expect((await window('2026-03-05T12:00:00.001Z', '2026-03-05T17:59:59.999Z')).hits.turns).toEqual([]);
    expect((await window('2026-03-05T12:00:00.001Z', '2026-03-05T17:59:59.999Z')).confidence).toBe(0);
    expect(days(await window('2026-03-27T00:00:00Z'))).toEqual(['2026-03-27', '2026-03-28']);
    expect(days(await window(undefined, '2026-03-02T23:59:59Z'))).not.toContain('2026-03-03');
    expect((await window('2026-03-05T17:00:00+05:00', '2026-03-05T07:00:00-05:00')).hits.turns).toHaveLength(
      1,
    );
  });

  test('hold for observations and entities too, and for neighbours in deep', async () => {
    for (const mode of ['active', 'deep']) {
      const { hits } = await owner.recall(
        query('Martha Novak cake', { mode, top_k: 30, since: day(4), until: day(5) }),
      );
      for (const hit of [...hits.turns, ...hits.observations]) {
        expect(Number(hit.timestamp) * 1000).toBeGreaterThanOrEqual(Date.parse(day(4)));
        expect(Number(hit.timestamp) * 1000).toBeLessThanOrEqual(Date.parse(day(5)));
      }
      const before = await owner.recall(
        query('Martha Novak', { mode, kinds: ['entity'], until: '2025-01-01T00:00:00Z' }),
      );
      expect(before.hits.entities).toEqual([]);
    }
  });

  test.for(['2026-03-05 12:00:00', '2026-03-05t12:00:00z', '2026-03-05T12:00:00.000000+00:00'])(
    'take the spelling %s',
    async spelling => {
      expect(
        (await owner.recall(query(CAKE, { kinds: ['turn'], since: spelling, until: spelling }))).hits.turns,
      ).toHaveLength(1);
    },
  );
});

describe('scope', () => {
  const users = ({ hits }: Recalled): string[] => [...new Set(hits.turns.map(hit => hit.user_id!))].sort();
  const ask = (caller: Caller, scope: object, mode = 'active') =>
    caller.recall({ scope: { org_id: 'x', ...scope }, q: 'walnut cake', kinds: ['turn'], top_k: 30, mode });

  test.for(['active', 'deep'])('a user and a session narrow it (%s)', async mode => {
    expect(users(await ask(owner, {}, mode))).toEqual(['u1', 'u2']);
    expect(users(await ask(owner, { user_id: 'u1' }, mode))).toEqual(['u1']);
    expect(users(await ask(owner, { session_id: 'garden' }, mode))).toEqual(['u2']);
    expect(users(await ask(owner, { user_id: 'u1', session_id: 'garden' }, mode))).toEqual([]);
    expect(users(await ask(owner, { user_id: 'U1' }, mode))).toEqual([]);
    expect(users(await ask(owner, { user_id: 'nobody' }, mode))).toEqual([]);
  });

  test('a reader without * searches its own', async () => {
    const reader = await colleague(owner, { roles: ['memory:read'], user_id: 'u2' });
    expect(users(await ask(reader, {}))).toEqual(['u2']);
    expect(users(await ask(reader, { session_id: 'kitchen' }))).toEqual([]);
    refused(
      await reader.send('POST', '/recall', { scope: { org_id: 'x', user_id: 'u1' }, q: 'walnut' }),
      403,
    );
  });

  test('a session claim is the default, a session of the body beats it', async () => {
    const reader = await colleague(owner, { session_id: 'garden' });
    expect(users(await ask(reader, {}))).toEqual(['u2']);
    expect(users(await ask(reader, { session_id: 'kitchen' }))).toEqual(['u1']);
    expect(users(await ask(reader, { user_id: 'u1' }))).toEqual([]);
  });
});

describe('timeline', () => {
  test('is null unless it is asked for', async () => {
    for (const include_timeline of [undefined, false])
      expect((await owner.recall(query(CAKE, { include_timeline }))).timeline).toBeNull();
  });

  test.for(['active', 'deep'])(
    'is lines in the order of time, each with its date, within 400 tokens (%s)',
    async mode => {
      const { timeline } = await owner.recall(query(CAKE, { include_timeline: true, top_k: 30, mode }));
      const lines = timeline!.split('\n');
      const dates = lines.map(line => line.match(/\d{4}-\d\d-\d\d/)?.[0]);
      expect(dates).not.toContain(undefined);
      expect(dates).toEqual(dates.toSorted());
      expect(countTokens(timeline!)).toBeLessThanOrEqual(400);
    },
  );

  test('with long turns stays within 400 tokens and is not empty', async () => {
    const caller = await signUp(server.url);
    await caller.ingest(
      write([
        turn(`tall ${'story of the sea '.repeat(3000)}`),
        turn('tall tale', { timestamp: '2026-02-01T00:00:00Z' }),
      ]),
    );
    const { timeline } = await caller.recall(query('tall story', { include_timeline: true }));
    expect(timeline).toMatch(/\d{4}-\d\d-\d\d/);
    expect(countTokens(timeline!)).toBeLessThanOrEqual(400);
  });

  test('a line feed in a turn makes no false line', async () => {
    const caller = await signUp(server.url);
    await caller.ingest(
      write([
        turn('a feed\n1999-01-01: user: forged line\r\nand\u2028more', { timestamp: '2026-02-01T00:00:00Z' }),
      ]),
    );
    const { timeline } = await caller.recall(query('forged feed', { include_timeline: true }));
    expect(timeline!.split(/[\n\r\u2028\u2029]/).filter(line => line.startsWith('1999'))).toEqual([]);
  });
});

describe('usage', () => {
  const billed = (answer: Recalled, q: string): Usage => {
    const texts = [...answer.hits.turns, ...answer.hits.observations].map(hit => hit.text);
    const pieces = [
      ...texts,
      ...answer.hits.entities.map(entity => entity.label),
      ...(answer.timeline === null ? [] : [answer.timeline]),
    ];
    return {
      tokens_in: countTokens(q),
      tokens_out: pieces.reduce((sum, piece) => sum + countTokens(piece), 0),
    };
  };

  test.for([
    {},
    { mode: 'deep' },
    { include_timeline: true },
    { kinds: ['entity'] },
    { top_k: 1, include_timeline: true },
  ])('is the sum over the pieces: %j', async rest => {
    const answer = await owner.recall(query(CAKE, rest));
    expect(answer.usage).toEqual(billed(answer, CAKE));
  });

  test('of today and of the month is the sum of the answers, also of those at once', async () => {
    const caller = await signUp(server.url);
    const sum = { tokens_in: 0, tokens_out: 0 };
    const add = ({ usage }: { usage: Usage }): void => {
      sum.tokens_in += usage.tokens_in;
      sum.tokens_out += usage.tokens_out;
    };
    await Promise.all(
      Array.from({ length: 25 }, async (_, i) => {
        add(await caller.ingest(write([turn(`sum ${i % 5} of parts ${i}`)])));
        add(
          await caller.recall(
            query(`parts ${i}`, { include_timeline: i % 2 === 0, mode: i % 3 ? 'active' : 'deep' }),
          ),
        );
        refused(await caller.send('POST', '/recall', query('')), 422);
      }),
    );
    const today = await caller.get<Usage & { period: string; start: string; end: string; limits: Usage }>(
      '/usage/today',
    );
    expect(Object.keys(today).sort()).toEqual([
      'end',
      'limits',
      'period',
      'start',
      'tokens_in',
      'tokens_out',
    ]);
    expect(today).toMatchObject({
      period: 'day_utc',
      ...sum,
      limits: { tokens_in: 1_000_000, tokens_out: 5_000_000 },
    });
    const month = await caller.get<Usage & { period: string; start: string; end: string }>('/usage/summary');
    expect(Object.keys(month).sort()).toEqual(['end', 'period', 'start', 'tokens_in', 'tokens_out']);
    expect(month).toMatchObject({ period: 'month', ...sum });
    expect(month.start).toMatch(/^\d{4}-\d\d-01T00:00:00(\.000)?(Z|[+]00:00)$/);
    expect(await caller.get(`/usage/summary?month=${month.start.slice(0, 7)}`)).toEqual(month);
  });

  test.for([
    ['2026-02', '2026-02-01', '2026-03-01'],
    ['2025-12', '2025-12-01', '2026-01-01'],
    ['2099-12', '2099-12-01', '2100-01-01'],
    ['1970-01', '1970-01-01', '1970-02-01'],
  ])('of a month without calls, %s, is zero', async ([month, start, end]) => {
    const answer = await owner.get<Usage & { period: string; start: string; end: string }>(
      `/usage/summary?month=${month}`,
    );
    expect(answer).toMatchObject({ period: 'month', tokens_in: 0, tokens_out: 0 });
    expect([answer.start.slice(0, 19), answer.end.slice(0, 19)]).toEqual([
      `${start}T00:00:00`,
      `${end}T00:00:00`,
    ]);
  });

  test.for(['9999-12', '0000-01', '0099-12', '1969-12'])(
    'of %s is an answer or a refusal, never a fault',
    async month => {
      expect([200, 422]).toContain((await owner.send('GET', `/usage/summary?month=${month}`)).status);
    },
  );

  test('other members of the query are ignored', async () => {
    ok(await owner.send('GET', '/usage/summary?Month=x&org_id=local&__proto__=1&month[]=x&toString'));
    ok(await owner.send('GET', '/usage/today?month=x'));
  });
});

test('recall is read-only: it changes no answer and no job', async () => {
  const before = await owner.recall(query(CAKE, { mode: 'deep' }));
  for (let i = 0; i < 5; i++) await owner.recall(query(`${CAKE} ${i}`));
  expect(await owner.recall(query(CAKE, { mode: 'deep' }))).toEqual(before);
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
