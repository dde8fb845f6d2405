import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/server.ts';
import {
  AT,
  type Caller,
  colleague,
  finished,
  type Ingested,
  type Job,
  ok,
  places,
  query,
  refused,
  signUp,
  turn,
  type Usage,
  write,
} from './kit.ts';

let server: Server;
let owner: Caller;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.url);
});
afterAll(() => server?.stop());

const at = (timestamp: string, text = 'the one instant') => write([turn(text, { timestamp })]);
const idAt = async (timestamp: string, text?: string): Promise<string | undefined> =>
  (await owner.ingest(at(timestamp, text))).active_fragment_ids[0];

describe('the answer', () => {
  test('has its four members', async () => {
    const answer = await owner.ingest(write([turn('one'), turn('two')]));
    expect(Object.keys(answer).sort()).toEqual(['active_fragment_ids', 'job_id', 'passive_job_id', 'usage']);
    expect(Object.keys(answer.usage).sort()).toEqual(['tokens_in', 'tokens_out']);
    expect(answer.active_fragment_ids).toHaveLength(2);
    expect(new Set(answer.active_fragment_ids).size).toBe(2);
    expect(answer.job_id).toMatch(/\S/);
    expect(answer.passive_job_id).toMatch(/\S/);
    expect(answer.passive_job_id).not.toBe(answer.job_id);
  });

  test.for([
    'plain words',
    'Grüße, 世界! 😀👩‍👩‍👧',
    '<|endoftext|> is text',
    '   \n\t ',
    'x'.repeat(5000),
    '0123456789'.repeat(300),
    'ᚠᛇᚻ\u0301\u0301',
  ])('bills the o200k_base tokens of the text: %s', async text => {
    const { usage } = await owner.ingest(write([turn(text)]));
    expect(usage).toEqual({
      tokens_in: countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() }),
      tokens_out: 0,
    });
  });

  test('bills neither observations nor roles nor metadata', async () => {
    const { usage } = await owner.ingest(
      write(
        [turn('a b c', { role: 'a role of many words', observations: ['many words that nobody counts'] })],
        { metadata: { words: 'x y z' } },
      ),
    );
    expect(usage.tokens_in).toBe(countTokens('a b c'));
  });

  test('1,000 turns: ids in the order of the request', async () => {
    const turns = Array.from({ length: 1000 }, (_, i) => turn(`thousand ${i}`));
    const all = await owner.ingest(write(turns));
    expect(new Set(all.active_fragment_ids).size).toBe(1000);
    const some = await owner.ingest(write([turns[999], turns[0], turns[500]]));
    expect(some.active_fragment_ids).toEqual([
      all.active_fragment_ids[999],
      all.active_fragment_ids[0],
      all.active_fragment_ids[500],
    ]);
    expect(some.usage.tokens_in).toBe(0);
  });

  test('65,536 characters, of one or of two units each', async () => {
    const words = 'word '.repeat(13_107).padEnd(65_536, '.');
    expect((await owner.ingest(write([turn(words)]))).usage.tokens_in).toBe(countTokens(words));
    // The library that counts here takes minutes for a word this long.
    expect((await owner.ingest(write([turn('😀'.repeat(65_536))]))).usage.tokens_in).toBeGreaterThan(10_000);
  });

  test('65,536 equal letters are counted', async () => {
    await owner.ingest(
      write([turn('a'.repeat(65_536)), turn('\u4e00'.repeat(65_536)), turn('!?'.repeat(32_768))]),
    );
  });
});

describe('idempotency', () => {
  test('a re-send: the same ids and job, nothing billed', async () => {
    const body = write([turn('sent twice'), turn('and this')]);
    const [first, again] = [await owner.ingest(body), await owner.ingest(body)];
    expect([again.job_id, again.active_fragment_ids]).toEqual([first.job_id, first.active_fragment_ids]);
    expect(first.usage.tokens_in).toBeGreaterThan(0);
    expect(again.usage).toEqual({ tokens_in: 0, tokens_out: 0 });
    expect([first.passive_job_id, null]).toContain(again.passive_job_id);
    await finished(owner, first.job_id);
    expect((await owner.ingest(body)).passive_job_id).toBeNull();
  });

  test('a turn twice in a request: its id twice, billed once', async () => {
    const answer = await owner.ingest(write([turn('double'), turn('between'), turn('double')]));
    const [a, b, c] = answer.active_fragment_ids;
    expect(a).toBe(c);
    expect(a).not.toBe(b);
    expect(answer.usage.tokens_in).toBe(countTokens('double') + countTokens('between'));
  });

  test('only what is fresh is billed', async () => {
    await owner.ingest(write([turn('known part')]));
    const { usage } = await owner.ingest(write([turn('known part'), turn('fresh part of it')]));
    expect(usage.tokens_in).toBe(countTokens('fresh part of it'));
  });

  test('another role, text, instant, session, user or organization is another turn', async () => {
    const stranger = await signUp(server.url);
    const bodies = [
      write([turn('same')]),
      write([turn('same', { role: 'User' })]),
      write([turn('same ')]),
      write([turn('Same')]),
      at('2026-01-05T09:30:00.001Z', 'same'),
      { scope: { org_id: 'a', session_id: 's' }, turns: [turn('same')] },
      { scope: { org_id: 'a', user_id: 'u' }, turns: [turn('same')] },
      { scope: { org_id: 'a', user_id: 'u', session_id: 's' }, turns: [turn('same')] },
    ];
    const answers: Ingested[] = [];
    for (const body of bodies) answers.push(await owner.ingest(body));
    answers.push(await stranger.ingest(bodies[0]));
    expect(new Set(answers.map(answer => answer.active_fragment_ids[0])).size).toBe(9);
    expect(new Set(answers.map(answer => answer.job_id)).size).toBe(9);
    for (const { usage } of answers) expect(usage.tokens_in).toBeGreaterThan(0);
  });

  test('no separator between the parts of an identity can be forged', async () => {
    const pairs: [object, object][] = [
      [
        { scope: { org_id: 'a', user_id: 'p', session_id: 'q:r' }, turns: [turn('z')] },
        { scope: { org_id: 'a', user_id: 'p:q', session_id: 'r' }, turns: [turn('z')] },
      ],
      [
        { scope: { org_id: 'a', user_id: 'p', session_id: 'q/r' }, turns: [turn('z')] },
        { scope: { org_id: 'a', user_id: 'p/q', session_id: 'r' }, turns: [turn('z')] },
      ],
      [
        { scope: { org_id: 'a', user_id: 'p', session_id: 'q|r' }, turns: [turn('z')] },
        { scope: { org_id: 'a', user_id: 'p|q', session_id: 'r' }, turns: [turn('z')] },
      ],
      [write([turn('b:c', { role: 'a' })]), write([turn('c', { role: 'a:b' })])],
      [write([turn('b c', { role: 'a' })]), write([turn('c', { role: 'a b' })])],
      [write([turn('ser x', { role: 'u' })]), write([turn(' x', { role: 'user' })])],
    ];
    for (const [one, two] of pairs) {
      const ids = [await owner.ingest(one), await owner.ingest(two)].map(
        answer => answer.active_fragment_ids[0],
      );
      expect(ids[0]).not.toBe(ids[1]);
    }
  });

  test('Unicode is not normalised', async () => {
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'];
    expect(await idAt(AT, composed)).not.toBe(await idAt(AT, decomposed));
  });

  test('the first write stands: its options and observations', async () => {
    const first = await owner.ingest(
      write([turn('first stands quagmire')], { options: { write_passive: false } }),
    );
    const again = await owner.ingest(
      write([turn('first stands quagmire', { observations: ['too late obelisk'] })]),
    );
    expect(again.active_fragment_ids).toEqual(first.active_fragment_ids);
    expect(again.usage.tokens_in).toBe(0);
    expect(again.passive_job_id).toBeNull();
  });

  test('the same request twenty times at once: one bills', async () => {
    const body = write(Array.from({ length: 30 }, (_, i) => turn(`at once ${i}`)));
    const before = await owner.get<Usage>('/usage/today');
    const answers = await Promise.all(Array.from({ length: 20 }, () => owner.ingest(body)));
    const billed = answers.map(answer => answer.usage.tokens_in).filter(tokens => tokens > 0);
    const cost = Array.from({ length: 30 }, (_, i) => countTokens(`at once ${i}`)).reduce((a, b) => a + b);
    expect(billed).toEqual([cost]);
    expect(new Set(answers.map(answer => answer.job_id)).size).toBe(1);
    expect(new Set(answers.map(answer => answer.active_fragment_ids.join())).size).toBe(1);
    expect((await owner.get<Usage>('/usage/today')).tokens_in - before.tokens_in).toBe(cost);
    const found = await owner.recall(query('at once 7', { kinds: ['turn'], top_k: 30 }));
    expect(new Set(found.hits.turns.map(hit => hit.id)).size).toBe(found.hits.turns.length);
  });

  test('overlapping batches at once: each turn is billed once', async () => {
    const turns = Array.from({ length: 300 }, (_, i) => turn(`overlap ${i}`));
    const before = await owner.get<Usage>('/usage/today');
    const answers = await Promise.all(
      [0, 50, 100, 150].map(from => owner.ingest(write(turns.slice(from, from + 150)))),
    );
    const cost = turns.map(each => countTokens(each.text)).reduce((a, b) => a + b);
    expect(answers.reduce((sum, answer) => sum + answer.usage.tokens_in, 0)).toBe(cost);
    expect((await owner.get<Usage>('/usage/today')).tokens_in - before.tokens_in).toBe(cost);
    expect(answers[0]?.active_fragment_ids.slice(50)).toEqual(answers[1]?.active_fragment_ids.slice(0, 100));
  });
});

describe('timestamps', () => {
  test.for([
    [
      '2026-01-05T09:30:00Z',
      [
        '2026-01-05t09:30:00z',
        '2026-01-05 09:30:00Z',
        '2026-01-05T09:30:00',
        '2026-01-05 09:30:00',
        '2026-01-05T09:30:00.000Z',
        '2026-01-05T09:30:00.0',
        '2026-01-05T09:30:00+00:00',
        '2026-01-05T09:30:00-00:00',
        '2026-01-05T15:00:00+05:30',
        '2026-01-04T10:31:00-22:59',
        '2026-01-06T09:29:00+23:59',
        '2026-01-05 04:30:00-05:00',
        '2026-01-05T09:30:00.0000000000000001Z',
      ],
    ],
    ['2024-02-29T23:59:59.999Z', ['2024-03-01T00:59:59.999+01:00', '2024-02-29T23:59:59.9990']],
    ['1969-12-31T23:59:59.500Z', ['1970-01-01T00:59:59.5+01:00']],
    ['2000-12-31T23:00:00Z', ['2001-01-01T00:00:00+01:00']],
  ] as const)('%s has other spellings', async ([instant, spellings]) => {
    const id = await idAt(instant);
    for (const spelling of spellings) expect(await idAt(spelling), spelling).toBe(id);
    const { usage, job_id } = await owner.ingest(at(spellings[0]));
    expect(usage.tokens_in).toBe(0);
    expect(job_id).toBe((await owner.ingest(at(instant))).job_id);
  });

  test('a millisecond counts, less does not', async () => {
    expect(await idAt('2026-02-01T00:00:00.123Z')).not.toBe(await idAt('2026-02-01T00:00:00.124Z'));
    expect(await idAt('2026-02-01T00:00:00.1231Z')).toBe(await idAt('2026-02-01T00:00:00.1234Z'));
    expect(await idAt('2026-02-01T00:00:00.1Z')).toBe(await idAt('2026-02-01T00:00:00.100Z'));
  });

  test.for([
    '',
    ' ',
    '2026-01-05',
    '2026-01-05T',
    '2026-01-05T09',
    '2026-01-05T09:30',
    '2026-01-05T09:30Z',
    '2026-01-05T09:30:60Z',
    '2026-01-05T23:59:60Z',
    '2016-12-31T23:59:60Z',
    '2026-01-05T24:00:00Z',
    '2026-01-05T09:60:00Z',
    '2026-13-05T09:30:00Z',
    '2026-00-05T09:30:00Z',
    '2026-01-00T09:30:00Z',
    '2026-01-32T09:30:00Z',
    '2026-02-29T09:30:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T09:30:00Z',
    '2026-1-5T9:30:00Z',
    '26-01-05T09:30:00Z',
    '12026-01-05T09:30:00Z',
    '+002026-01-05T09:30:00Z',
    '-2026-01-05T09:30:00Z',
    '2026-01-05T09:30:00+24:00',
    '2026-01-05T09:30:00+01:60',
    '2026-01-05T09:30:00+0100',
    '2026-01-05T09:30:00+01',
    '2026-01-05T09:30:00.Z',
    '2026-01-05T09:30:00,5Z',
    '2026-01-05T09:30:00 Z',
    ' 2026-01-05T09:30:00Z',
    '2026-01-05T09:30:00Z ',
    '2026-01-05T09:30:00Z\n',
    '2026-01-05_09:30:00Z',
    '2026-01-05  09:30:00Z',
    '2026/01/05T09:30:00Z',
    '20260105T093000Z',
    '1767605400',
    '1767605400000',
    'now',
    'Mon, 05 Jan 2026 09:30:00 GMT',
    '2026-W02-1T09:30:00Z',
    '2026-005T09:30:00Z',
    '٢٠٢٦-٠١-٠٥T09:30:00Z',
    '2026-01-05T09:30:00ZZ',
    '2026-01-05T09:30:00[UTC]',
    '2026-01-05T09:30:00\u221201:00',
    '2026-01-05T09:30:00Z\0',
    `2026-01-05T09:30:00.${'1'.repeat(100_000)}x`,
  ])('%j: 422', async timestamp => {
    const refusal = refused(await owner.send('POST', '/ingestion/memory', at(timestamp)), 422);
    expect(places(refusal)).toEqual(['body.turns.0.timestamp']);
    if (timestamp !== '2026-01-05') return;
    refused(await owner.send('POST', '/recall', query('x', { since: timestamp, until: timestamp })), 422);
  });

  test.for([
    ['0000-01-01T00:00:00Z', '-62167219200'],
    ['0001-01-01T00:00:00Z', '-62135596800'],
    ['0099-06-01T00:00:00Z', '-59029948800'],
    ['9999-12-31T23:59:59Z', '253402300799'],
    ['1969-12-31T23:59:59Z', '-1'],
  ] as const)('an instant far away, %s, is kept and told as it is', async ([timestamp, seconds]) => {
    const reply = await owner.send('POST', '/ingestion/memory', at(timestamp, `far away ${timestamp}`));
    const [id] = ok<Ingested>(reply, 202).active_fragment_ids;
    const hits = (
      await owner.recall(
        query(`far away ${timestamp}`, { kinds: ['turn'], since: timestamp, until: timestamp }),
      )
    ).hits.turns;
    expect(hits.find(hit => hit.id === id)).toMatchObject({
      timestamp: seconds,
      text: `[${timestamp.slice(0, 10)}] [user] far away ${timestamp}`,
    });
  });

  test.for(['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'an instant whose UTC year has no four digits, %s: kept or 422, never a fault',
    async timestamp => {
      const reply = await owner.send('POST', '/ingestion/memory', at(timestamp));
      expect([202, 422]).toContain(reply.status);
      if (reply.status === 202)
        await owner.recall(query('the one instant', { top_k: 30, include_timeline: true }));
    },
  );
});

describe('options', () => {
  test('write_active false: no fragment, and yet an enrichment', async () => {
    const answer = await owner.ingest(
      write(
        [turn('Marge moved to Bremen with her dog Pluto.', { observations: ['Marge keeps a platypus'] })],
        { options: { write_active: false } },
      ),
    );
    expect(answer.active_fragment_ids).toEqual([]);
    expect(answer.passive_job_id).toMatch(/\S/);
    const job = await finished(owner, answer.passive_job_id!);
    expect(job.status).toBe('done');
    const { hits } = await owner.recall(query('Marge platypus Bremen', { top_k: 30 }));
    expect(JSON.stringify(hits.turns)).not.toContain('Bremen');
    const client = hits.observations.find(hit => hit.text.includes('platypus'));
    expect(client).toMatchObject({ source: 'client', source_turn_ids: [expect.stringMatching(/\S/)] });
  });

  test('write_passive false: no enrichment, and its job is done', async () => {
    const answer = await owner.ingest(
      write(
        [
          turn('Homer moved to Ystad with his friend Lenny Leonard.', {
            observations: ['Homer owns a trombone'],
          }),
        ],
        { options: { write_passive: false } },
      ),
    );
    expect(answer.passive_job_id).toBeNull();
    expect(answer.active_fragment_ids).toHaveLength(1);
    expect((await finished(owner, answer.job_id)).status).toBe('done');
    const { hits } = await owner.recall(query('Homer Ystad trombone Lenny', { top_k: 30 }));
    expect(hits.turns.map(hit => hit.id)).toEqual(expect.arrayContaining(answer.active_fragment_ids));
    expect(hits.observations.map(hit => hit.text)).toContain('Homer owns a trombone');
    expect(hits.observations.filter(hit => hit.source !== 'client' && hit.text.includes('Homer'))).toEqual(
      [],
    );
  });

  test('true and true are the defaults', async () => {
    const answer = await owner.ingest(
      write([turn('defaults named')], { options: { write_active: true, write_passive: true, other: false } }),
    );
    expect([answer.active_fragment_ids.length, typeof answer.passive_job_id]).toEqual([1, 'string']);
  });
});

describe('observations', () => {
  test('are recalled as soon as the turn is, as string or as object', async () => {
    const { active_fragment_ids } = await owner.ingest(
      write([
        turn('we spoke of pets', {
          observations: ['Kim has a wombat', { text: 'Lee has an axolotl', source: 'rules', confidence: 2 }],
        }),
      ]),
    );
    for (const words of ['wombat', 'axolotl']) {
      const { hits } = await owner.recall(query(`Who has a ${words}?`));
      expect(hits.observations.find(hit => hit.text.includes(words))).toMatchObject({
        kind: 'observation',
        source: 'client',
        source_turn_ids: active_fragment_ids,
        timestamp: '1767605400',
      });
    }
  });

  test('one that only repeats its turn takes no place', async () => {
    const text = 'Nell plays the bassoon on Fridays.';
    await owner.ingest(write([turn(text, { observations: [text] })]));
    const { hits } = await owner.recall(query('Nell bassoon'));
    expect(hits.turns.map(hit => hit.text)).toContain(`[2026-01-05] [user] ${text}`);
    expect(hits.observations.map(hit => hit.text)).not.toContain(text);
  });
});

describe('jobs', () => {
  test('both ids lead to a job with the seven members that ends as done', async () => {
    const answer = await owner.ingest(
      write([
        turn('Paula Schultz lives in Trieste and works for Acme.', { observations: ['Paula likes tea'] }),
        turn('Good.'),
      ]),
    );
    for (const id of [answer.job_id, answer.passive_job_id!]) {
      const job = await finished(owner, id);
      expect(Object.keys(job).sort()).toEqual(
        ['entities', 'job_id', 'observations', 'reason', 'status', 'turns'].sort(),
      );
      expect(job).toMatchObject({ job_id: id, status: 'done', turns: 2, reason: null });
      expect(job.observations).toBeGreaterThanOrEqual(1);
      expect(job.entities).toBeGreaterThanOrEqual(1);
    }
  });

  test('are known at once', async () => {
    const { job_id, passive_job_id } = await owner.ingest(write([turn('known at once')]));
    for (const id of [job_id, passive_job_id])
      expect(['queued', 'done']).toContain((await owner.get<Job>(`/ingestion/jobs/${id}`)).status);
  });

  test('of a user are for that user', async () => {
    const reader = await colleague(owner, { roles: ['memory:read', 'memory:write'], user_id: 'solo' });
    const { job_id } = await reader.ingest(write([turn('my own job')]));
    expect((await reader.get<Job>(`/ingestion/jobs/${job_id}`)).job_id).toBe(job_id);
  });
});

test('read your writes: what a 202 says is found by the next recall', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async (_, lane) => {
      for (let i = 0; i < 8; i++) {
        const text = `lane${lane}x${i} keeps a lantern`;
        const { active_fragment_ids } = await owner.ingest({
          scope: { org_id: 'x', user_id: `lane ${lane}`, session_id: `s${i}` },
          turns: [turn(text)],
        });
        const { hits } = await owner.recall({
          scope: { org_id: 'x', user_id: `lane ${lane}`, session_id: `s${i}` },
          q: text,
        });
        expect(hits.turns.map(hit => hit.id)).toEqual(active_fragment_ids);
      }
    }),
  );
});
