import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopClock } from '../../support/processes/clock.ts';
import { cleanEnvironment, MAIN, type Server, startServer } from '../../support/processes/server.ts';
import {
  type Caller,
  colleague,
  query,
  type Refusal,
  type Reply,
  refused,
  signUp,
  turn,
  type Usage,
  write,
} from './kit.ts';

const CAP_IN = 100;
const CAP_OUT = 300;
let server: Server;

beforeAll(async () => {
  server = await startServer({
    environment: {
      TURNSTONE_QUOTA_TOKENS_IN: `${CAP_IN}`,
      TURNSTONE_QUOTA_TOKENS_OUT: `${CAP_OUT}`,
      TURNSTONE_CLOCK: '2026-05-10T12:00:00Z',
    },
  });
});
afterAll(() => server?.stop());

/** A text of so many tokens. */
const words = (tokens: number, seed = 'a'): string => {
  const text = Array.from({ length: tokens }, () => ` ${seed}`).join('');
  expect(countTokens(text)).toBe(tokens);
  return text;
};
const today = (caller: Caller): Promise<Usage> => caller.get('/usage/today');
const ingest = (caller: Caller, ...texts: string[]): Promise<Reply> =>
  caller.send('POST', '/ingestion/memory', write(texts.map(text => turn(text))));

const exceeded = (reply: Reply, kind: string, used: number, limit: number): Refusal => {
  const refusal = refused(reply, 429);
  expect(Object.keys(refusal.details ?? {}).sort()).toEqual([
    'error',
    'kind',
    'limit',
    'message',
    'period',
    'period_start',
    'used',
  ]);
  expect(refusal.details).toMatchObject({
    error: 'quota_exceeded',
    kind,
    used,
    limit,
    period: 'day_utc',
    message: expect.stringMatching(/\S/),
  });
  expect(Date.parse(String(refusal.details?.period_start))).toBe(Date.parse('2026-05-10T00:00:00Z'));
  expect(refusal.details?.period_start).toMatch(/^2026-05-10T00:00:00(\.000)?(Z|[+]00:00)$/);
  const after = Number(reply.headers.get('retry-after'));
  expect(after).toBeLessThanOrEqual(12 * 3600);
  expect(after).toBeGreaterThan(12 * 3600 - 300);
  return refusal;
};

describe('tokens_in', () => {
  test('up to the cap: 202; a token more: 429 with all members, nothing stored or billed', async () => {
    const caller = await signUp(server.url);
    expect((await ingest(caller, words(CAP_IN))).status).toBe(202);
    expect((await today(caller)).tokens_in).toBe(CAP_IN);
    exceeded(await ingest(caller, 'pomegranate'), 'tokens_in_daily', CAP_IN, CAP_IN);
    exceeded(await caller.send('POST', '/recall', query('a')), 'tokens_in_daily', CAP_IN, CAP_IN);
    expect(await today(caller)).toMatchObject({ tokens_in: CAP_IN, tokens_out: 0 });
    expect((await ingest(caller, words(CAP_IN))).status).toBe(202);
    expect(await caller.get('/usage/summary')).toMatchObject({ tokens_in: CAP_IN });
  });

  test('a call that would pass the cap is refused whole, a smaller one is not', async () => {
    const caller = await signUp(server.url);
    await ingest(caller, words(60));
    exceeded(await ingest(caller, words(20, 'b'), words(21, 'c')), 'tokens_in_daily', 60, CAP_IN);
    exceeded(await caller.send('POST', '/recall', query(words(41, 'd'))), 'tokens_in_daily', 60, CAP_IN);
    expect((await caller.recall(query('b'))).hits.turns.filter(hit => hit.text.includes(' b'))).toEqual([]);
    expect((await ingest(caller, words(20, 'b'))).status).toBe(202);
    const { tokens_in } = await today(caller);
    expect(tokens_in).toBe(60 + 1 + 20);
  });

  test('more than the cap in one call: 429 on a day without usage', async () => {
    const caller = await signUp(server.url);
    exceeded(await ingest(caller, words(CAP_IN + 1)), 'tokens_in_daily', 0, CAP_IN);
  });

  test('what is known costs nothing at a full cap, and what is twice counts once', async () => {
    const caller = await signUp(server.url);
    const text = words(50);
    expect((await ingest(caller, text, text, text)).status).toBe(202);
    expect((await ingest(caller, text, words(50, 'b'))).status).toBe(202);
    expect((await ingest(caller, words(50, 'b'), text)).status).toBe(202);
    exceeded(await ingest(caller, text, 'x'), 'tokens_in_daily', CAP_IN, CAP_IN);
  });

  test('all at once never pass the cap', async () => {
    const caller = await signUp(server.url);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        ingest(caller, words(9, String.fromCharCode(97 + (i % 26))) + '!'.repeat(i < 26 ? 0 : 1)),
      ),
    );
    const taken = answers
      .filter(answer => answer.status === 202)
      .map(answer => answer.as<{ usage: Usage }>().usage.tokens_in);
    expect(answers.every(answer => [202, 429].includes(answer.status))).toBe(true);
    const sum = taken.reduce((a, b) => a + b);
    expect(sum).toBeLessThanOrEqual(CAP_IN);
    expect(sum).toBeGreaterThan(CAP_IN - 12);
    expect((await today(caller)).tokens_in).toBe(sum);
  });

  test('400 and 422 come before 429, and 403 before them', async () => {
    const caller = await signUp(server.url);
    await ingest(caller, words(CAP_IN));
    refused(await caller.send('POST', '/ingestion/memory', {}), 400);
    refused(await caller.send('POST', '/recall', query('')), 422);
    const reader = await colleague(caller, { roles: ['memory:read'] });
    refused(await ingest(reader, 'x'), 403);
  });

  test('of one organization is not that of another; principals of one share it', async () => {
    const [caller, stranger] = [await signUp(server.url), await signUp(server.url)];
    const writer = await colleague(caller, { roles: ['memory:write'], user_id: 'w' });
    await ingest(caller, words(60));
    exceeded(await ingest(writer, words(41)), 'tokens_in_daily', 60, CAP_IN);
    expect((await ingest(stranger, words(CAP_IN))).status).toBe(202);
  });
});

describe('tokens_out', () => {
  /** Recalls until the cap is reached, and tells what was used. */
  const exhaust = async (caller: Caller): Promise<number> => {
    await ingest(caller, words(30, 'fig'));
    let used = 0;
    while (used < CAP_OUT) {
      const { usage } = await caller.recall(query('fig', { top_k: 30, kinds: ['turn'] }));
      expect(usage.tokens_out).toBeGreaterThan(0);
      used += usage.tokens_out;
    }
    return used;
  };

  test('used up: recalls are refused, ingestion and usage are not', async () => {
    const caller = await signUp(server.url);
    const used = await exhaust(caller);
    expect(used).toBeGreaterThanOrEqual(CAP_OUT);
    const before = await today(caller);
    expect(before.tokens_out).toBe(used);
    exceeded(await caller.send('POST', '/recall', query('fig')), 'tokens_out_daily', used, CAP_OUT);
    exceeded(
      await caller.send('POST', '/recall', query('nothing is found', { kinds: ['entity'] })),
      'tokens_out_daily',
      used,
      CAP_OUT,
    );
    expect(await today(caller)).toMatchObject({ tokens_in: before.tokens_in, tokens_out: used });
    expect((await ingest(caller, 'still taken')).status).toBe(202);
  });
});

test('/me and /usage/today tell the caps', async () => {
  const caller = await signUp(server.url);
  const limits = { tokens_in: CAP_IN, tokens_out: CAP_OUT };
  expect(await caller.get('/me')).toMatchObject({ limits });
  expect(await caller.get('/usage/today')).toMatchObject({
    limits,
    start: expect.stringMatching(/^2026-05-10T00:00:00/),
    end: expect.stringMatching(/^2026-05-11T00:00:00/),
  });
});

test("an operator's caps count within a second, by the command line, for one organization", async () => {
  const caller = await signUp(server.url);
  await ingest(caller, words(CAP_IN));
  exceeded(await ingest(caller, 'x y z'), 'tokens_in_daily', CAP_IN, CAP_IN);
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [MAIN, 'orgs', ...args], {
      env: { ...cleanEnvironment(), TURNSTONE_DATA_DIR: server.dataDir },
    });
  const { stdout } = await run('set-limits', '--help');
  const name = stdout.match(/--\S*in\b/)?.[0];
  expect(name).toBeDefined();
  await run('set-limits', caller.org, name!, `${CAP_IN + 3}`);
  await expect
    .poll(async () => (await caller.get<{ limits: Usage }>('/me')).limits.tokens_in, { timeout: 2000 })
    .toBe(CAP_IN + 3);
  expect((await ingest(caller, 'x y z')).status).toBe(202);
  exceeded(await ingest(caller, 'q'), 'tokens_in_daily', CAP_IN + 3, CAP_IN + 3);
  expect((await (await signUp(server.url)).get<{ limits: Usage }>('/me')).limits.tokens_in).toBe(CAP_IN);
});

describe('near midnight', () => {
  const clock = stopClock('2026-02-28T23:59:20Z');
  let late: Server;
  let caller: Caller;
  beforeAll(async () => {
    late = await startServer({
      environment: { ...clock.environment, TURNSTONE_QUOTA_TOKENS_IN: '10', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
    });
  });
  afterAll(() => late?.stop());

  test('Retry-After leads to 00:00 UTC, and there the day begins anew', async () => {
    caller = await signUp(late.url);
    expect((await ingest(caller, words(10))).status).toBe(202);
    const reply = await ingest(caller, 'x');
    refused(reply, 429);
    expect(reply.headers.get('retry-after')).toBe('40');
    clock.pass(Date.parse('2026-03-01T00:00:00Z'));
    expect((await ingest(caller, words(10, 'b'))).status).toBe(202);
    expect((await ingest(caller, words(10))).status).toBe(202);
    refused(await ingest(caller, 'x'), 429);
  });

  test('the months are apart, and a cap of 0 is none', async () => {
    const month = async (name: string): Promise<Usage> =>
      (await caller.send('GET', `/usage/summary?month=${name}`)).as<Usage>();
    expect((await month('2026-02')).tokens_in).toBe(10);
    expect((await month('2026-03')).tokens_in).toBe(10);
    expect((await month('2026-04')).tokens_in).toBe(0);
    expect((await caller.send('GET', '/usage/today')).as<Usage>().tokens_in).toBe(10);
  });
});

describe('caps of 0', () => {
  let open: Server;
  beforeAll(async () => {
    open = await startServer({
      environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
    });
  });
  afterAll(() => open?.stop());

  test('are no caps', async () => {
    const caller = await signUp(open.url);
    for (let i = 0; i < 3; i++) expect((await ingest(caller, words(500, 'abc'.charAt(i)))).status).toBe(202);
    const { usage } = await caller.recall(query('a', { top_k: 30 }));
    expect((await today(caller)).tokens_in).toBe(1500 + usage.tokens_in);
    expect((await caller.recall(query('b'))).hits.turns.length).toBeGreaterThan(0);
  });
});
