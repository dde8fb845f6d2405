import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import {
  AT,
  type Caller,
  colleague,
  finished,
  type Ingested,
  type Job,
  query,
  signUp,
  turn,
  type Usage,
  write,
} from './kit.ts';

let server: Server;
let owner: Caller;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.url);
});

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

  /**
   * Switched off by hand: services/use-cases/ingest/identify.ts counts no attributes of facts → expected 34
   * to be 37.
   */
  test('bills observations, their facts and metadata as they are kept, and no roles', async () => {
    const metadata = { words: 'x y z', list: [1, null] };
    const fact = { subject: 'Ada Lovelace', attribute: 'place_of_work', value: 'Analytical Engines' };
    const observations = ['words that are counted', { text: 'and these' }, { text: 'with a fact', ...fact }];
    const said = turn('a b c', { role: 'a role of many words', observations });
    const { usage } = await owner.ingest(write([said, turn('d e f')], { metadata }));
    const texts = ['a b c', 'd e f', 'words that are counted', 'and these', 'with a fact'];
    const kept = [...texts, ...Object.values(fact), JSON.stringify(metadata)];
    expect(usage.tokens_in).toBe(kept.reduce((sum, text) => sum + countTokens(text), 0));
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

  test('other writes of known turns alone: nothing billed, the job of the write that stored the first', async () => {
    const stored = [];
    for (const names of [
      ['known a', 'known b'],
      ['known c', 'known d'],
    ])
      stored.push(await owner.ingest(write(names.map(name => turn(name)))));
    const [ab, cd] = stored;
    const metadata = { more: 'words '.repeat(50) };
    for (const [names, job] of [
      [['known b', 'known c'], ab],
      [['known d', 'known a'], cd],
    ] as const) {
      const answer = await owner.ingest(
        write(
          names.map(name => turn(name)),
          { metadata },
        ),
      );
      expect(answer.job_id).toBe(job!.job_id);
      expect([job!.passive_job_id, null]).toContain(answer.passive_job_id);
      expect(answer.usage).toEqual({ tokens_in: 0, tokens_out: 0 });
      expect(await owner.get<Job>(`/ingestion/jobs/${answer.job_id}`)).toMatchObject({ turns: 2 });
    }
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
