/** Tests batches of the TypeScript client, in addition to the table of behaviours. */
import { Turnstone, type TurnstoneOptions } from '@turnstone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MisbehavingServer, type ScriptedAnswer, startMisbehavingServer } from './misbehaving-server.ts';

const turn = (text: string) => ({ role: 'user', text, timestamp: '2026-01-05T09:30:00Z' });
const remembered = {
  status: 202,
  body: { active_fragment_ids: ['trn_1'], usage: { tokens_in: 1, tokens_out: 0 } },
};

let server: MisbehavingServer;
beforeAll(async () => {
  server = await startMisbehavingServer();
});
afterAll(() => server.close());

const makeClient = (options: TurnstoneOptions = {}): Turnstone =>
  new Turnstone({ baseUrl: server.url, apiKey: 'ts_key', ...options });
const sent = () => server.seen().filter(({ path }) => path === '/ingestion/memory').length;

describe('a batch', () => {
  it('sends what has waited for long enough, without being asked to', async () => {
    server.script({ answers: { 'POST /ingestion/memory': [remembered] } });
    const batch = makeClient().batch({ maxAgeMs: 20 });
    const { outcome } = await batch.add(turn('alone'));
    expect(await outcome).toEqual({ ok: true, id: 'trn_1' });
  });

  it('has as many requests under way as it may, and no more', async () => {
    const slow = { ...remembered, delay_ms: 300 };
    server.script({ answers: { 'POST /ingestion/memory': [slow, slow, slow] } });
    const batch = makeClient().batch({ maxInFlight: 2, maxAgeMs: 1 });
    for (const session of ['a', 'b', 'c']) await batch.add(turn('one'), { session });
    await expect.poll(sent).toBe(2);
    await batch.close();
    expect(sent()).toBe(3);
  });

  it('covers adds that still wait for room when it is closed, and takes no more', async () => {
    server.script({ answers: { 'POST /ingestion/memory': [remembered, remembered, remembered] } });
    const batch = makeClient().batch({ maxTurns: 1, maxPending: 1 });
    const adds = ['a', 'b', 'c'].map(text => batch.add(turn(text)));
    await batch.close();
    expect(sent()).toBe(3);
    expect(await Promise.all(adds)).toHaveLength(3);
    await expect(batch.add(turn('late'))).rejects.toMatchObject({ code: 'configuration' });
  });

  it('tells a failure once: the next flush has none', async () => {
    server.script({ answers: { 'POST /ingestion/memory': [{ status: 403 }, remembered] } });
    const batch = makeClient().batch();
    await batch.add(turn('a'));
    await expect(batch.flush()).rejects.toMatchObject({ code: 'not_stored', status: 403 });
    await batch.add(turn('b'));
    await batch.close();
  });

  it('tells a failure to every flush that was under way with it', async () => {
    server.script({
      answers: { 'POST /ingestion/memory': [{ status: 403 }, { delay_ms: 50, status: 403 }] },
    });
    const batch = makeClient().batch({ maxAgeMs: 0 });
    const { outcome } = await batch.add(turn('a'));
    await outcome;
    await batch.add(turn('b'));
    const flushes = await Promise.allSettled([batch.flush(), batch.flush(), batch.close()]);
    const failed = [{ index: 0 }, { index: 1 }];
    for (const flush of flushes)
      expect(flush).toMatchObject({ status: 'rejected', reason: { details: { failed } } });
    await batch.flush();
  });

  it('tells a failure to no flush that begins when it was told', async () => {
    const slow = { ...remembered, delay_ms: 200 };
    server.script({ answers: { 'POST /ingestion/memory': [{ status: 403 }, slow, slow] } });
    const batch = makeClient().batch();
    await batch.add(turn('a'));
    const first = batch.flush();
    await batch.add(turn('b'), { session: 'b' });
    const second = batch.flush();
    await expect(first).rejects.toMatchObject({ details: { failed: [{ index: 0 }] } });
    const third = batch.flush();
    await expect(second).rejects.toMatchObject({ details: { failed: [{ index: 0 }] } });
    await third;
  });
});

describe('a batch that is given up', () => {
  const why = new Error('enough');
  const givenUp = { ok: false, error: { code: 'aborted', cause: why } };

  it('sends nothing more, and tells what was not stored', async () => {
    const slow = { ...remembered, delay_ms: 200 };
    server.script({ answers: { 'POST /ingestion/memory': [slow] } });
    const giving = new AbortController();
    const batch = makeClient().batch({ maxTurns: 1, maxInFlight: 1, signal: giving.signal });
    const added = [];
    for (const session of ['a', 'a', 'b', 'b']) added.push(await batch.add(turn('one'), { session }));
    await expect.poll(sent).toBe(1);
    giving.abort(why);
    const [first, ...rest] = added.map(({ outcome }) => outcome);
    expect(await Promise.all(rest)).toMatchObject([givenUp, givenUp, givenUp]);
    // A request that was sent comes to its end: its outcome is known.
    expect(await first).toEqual({ ok: true, id: 'trn_1' });
    await expect(batch.add(turn('late'))).rejects.toMatchObject({ code: 'aborted', cause: why });
    await expect(batch.close()).rejects.toMatchObject({
      code: 'not_stored',
      details: { failed: [1, 2, 3].map(index => ({ index, code: 'aborted' })) },
    });
    expect(sent()).toBe(1);
  });

  it('lets go of those who wait for room', async () => {
    server.script({ answers: { 'POST /ingestion/memory': [{ ...remembered, delay_ms: 200 }] } });
    const giving = new AbortController();
    const batch = makeClient().batch({ maxTurns: 1, maxPending: 2, maxInFlight: 1, signal: giving.signal });
    const adds = ['a', 'b', 'c', 'd'].map(text => batch.add(turn(text)));
    await expect.poll(sent).toBe(1);
    giving.abort(why);
    const outcomes = (await Promise.all(adds)).slice(1).map(({ outcome }) => outcome);
    expect(await Promise.all(outcomes)).toMatchObject([givenUp, givenUp, givenUp]);
    await expect(batch.close()).rejects.toMatchObject({ code: 'not_stored' });
    expect(sent()).toBe(1);
  });

  it('does not look for the one turn of a request that is too large', async () => {
    server.script({ answers: { 'POST /ingestion/memory': [{ status: 413, delay_ms: 100 }] } });
    const giving = new AbortController();
    const batch = makeClient().batch({ signal: giving.signal });
    const added = [await batch.add(turn('a')), await batch.add(turn('b'))];
    const closed = batch.close();
    closed.catch(() => {});
    await expect.poll(sent).toBe(1);
    giving.abort(why);
    const outcomes = await Promise.all(added.map(({ outcome }) => outcome));
    expect(outcomes).toMatchObject([givenUp, givenUp]);
    await expect(closed).rejects.toMatchObject({ code: 'not_stored' });
    expect(sent()).toBe(1);
  });

  const answered = (status: number): ScriptedAnswer => ({ status, delay_ms: 100 });
  it.each([
    ['a refusal that may pass', answered(503), 'unavailable'],
    ['a refused key', answered(401), 'unauthenticated'],
    ['no answer in time', { silent: true } as const, 'timeout'],
  ])('does not send again what ended with %s', async (_, answer, code) => {
    server.script({ answers: { 'POST /ingestion/memory': [answer, remembered, remembered] } });
    const giving = new AbortController();
    const client = makeClient({ timeoutMs: 300, sleep: async () => {} });
    const batch = client.batch({ maxAgeMs: 1, signal: giving.signal });
    const { outcome } = await batch.add(turn('a'));
    await expect.poll(sent).toBe(1);
    const before = server.seen().length;
    giving.abort(why);
    expect(await outcome).toMatchObject({ ok: false, error: { code } });
    expect(server.seen()).toHaveLength(before);
  });

  it('waits for no retry, and tells what became of the attempt before', async () => {
    server.script({ answers: { 'POST /ingestion/memory': [{ status: 503 }, remembered] } });
    const giving = new AbortController();
    const sleep = (_: number, signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        giving.abort(why);
      });
    const batch = makeClient({ sleep, totalTimeoutMs: 2_000 }).batch({
      maxAgeMs: 1,
      signal: giving.signal,
    });
    const { outcome } = await batch.add(turn('a'));
    expect(await outcome).toMatchObject({ ok: false, error: { code: 'unavailable' } });
    expect(sent()).toBe(1);
  });

  it('takes nothing when it was given up before', async () => {
    const batch = makeClient().batch({ signal: AbortSignal.abort(why) });
    await expect(batch.add(turn('a'))).rejects.toMatchObject({ code: 'aborted', cause: why });
    await batch.close();
  });
});
