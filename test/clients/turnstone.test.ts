/** Tests what the table of behaviours can't say, since each client says it in its own language. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Turnstone } from '@turnstone/client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type MisbehavingServer, startMisbehavingServer } from './misbehaving-server.ts';

const turn = (text: string) => ({ role: 'user', text, timestamp: '2026-01-05T09:30:00Z' });

let server: MisbehavingServer;
beforeAll(async () => {
  server = await startMisbehavingServer();
});
afterAll(() => server.close());
afterEach(() => void vi.unstubAllEnvs());

const makeClient = (): Turnstone => new Turnstone({ baseUrl: server.url, apiKey: 'ts_key' });

describe('a client', () => {
  it('finds its server and its key in the environment', async () => {
    vi.stubEnv('TURNSTONE_URL', `${server.url}/`);
    vi.stubEnv('TURNSTONE_API_KEY', 'ts_of_environment\n');
    server.script({ answers: { 'GET /me': [{ body: { user_id: 'ada' } }] } });
    expect(await new Turnstone().me()).toEqual({ user_id: 'ada' });
    expect(server.seen()[0]).toMatchObject({ headers: { 'x-api-key': 'ts_of_environment' } });
  });

  describe('beside a server', () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnstone-client-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const besideServer = (url: string): void => {
      writeFileSync(join(folder, 'url'), `${url}\n`);
      writeFileSync(join(folder, 'api-key'), 'ts_of_folder\n');
      vi.stubEnv('TURNSTONE_URL', '');
      vi.stubEnv('TURNSTONE_API_KEY', '');
      vi.stubEnv('TURNSTONE_DATA_DIR', folder);
    };

    it('needs neither an address nor a key', async () => {
      besideServer(server.url);
      server.script({ answers: { 'GET /me': [{ body: { user_id: 'ada' } }] } });
      expect(await new Turnstone().me()).toEqual({ user_id: 'ada' });
      expect(server.seen()[0]).toMatchObject({ headers: { 'x-api-key': 'ts_of_folder' } });
    });

    it.each(['https://memory.example.com', 'http://127.0.0.1.example.com', 'http://10.0.0.1:8080'])(
      'gives its key to no other machine: %s',
      baseUrl => {
        besideServer(server.url);
        expect(() => new Turnstone({ baseUrl })).toThrow('There is no API key');
        besideServer(baseUrl);
        expect(() => new Turnstone()).toThrow('There is no API key');
      },
    );
  });

  it('waits for a job as long as it is told, and no longer', async () => {
    const queued = { body: { job_id: 'job_1', status: 'queued' } };
    server.script({ answers: { 'GET /ingestion/jobs/enr_1': Array.from({ length: 20 }, () => queued) } });
    const written = { job_id: 'job_1', passive_job_id: 'enr_1' };
    await expect(makeClient().wait(written, { withinMs: 250 })).rejects.toMatchObject({ code: 'timeout' });
    // At once, after 100 ms, and at the end, of which a timer may come a moment early.
    expect([3, 4]).toContain(server.seen().length);
  });

  it.each([
    [{ apiKey: 'k' }, 'TURNSTONE_URL'],
    [{ baseUrl: 'http://127.0.0.1:1' }, 'TURNSTONE_API_KEY'],
    [{ apiKey: ' \n', baseUrl: 'http://127.0.0.1:1' }, 'TURNSTONE_API_KEY'],
    [{ apiKey: 'ts_hunter2 é', baseUrl: 'http://127.0.0.1:1' }, 'The API key contains'],
    [{ apiKey: 'ts_a\nts_hunter2', baseUrl: 'http://127.0.0.1:1' }, 'The API key contains'],
    [{ apiKey: 'k', baseUrl: 'memory.example.com' }, 'must be a URL'],
    [{ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', timeoutMs: 0 }, 'timeoutMs must be'],
    [{ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', totalTimeoutMs: Number.NaN }, 'totalTimeoutMs must be'],
    [{ apiKey: 'k', baseUrl: 'ftp://memory.example.com' }, 'http or https'],
    [{ apiKey: 'k', baseUrl: 'https://ada:hunter2@memory.example.com' }, 'without a user'],
  ])('says what is missing or wrong, and repeats no secret: %j', (options, says) => {
    vi.stubEnv('TURNSTONE_URL', '');
    vi.stubEnv('TURNSTONE_API_KEY', '');
    vi.stubEnv('TURNSTONE_DATA_DIR', '/nowhere');
    let error: unknown;
    try {
      new Turnstone(options);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({
      name: 'TurnstoneError',
      code: 'configuration',
      message: expect.stringContaining(says),
    });
    expect(inspect(error)).not.toContain('hunter2');
  });

  it('erases nothing without a user, and sends no date that is none', async () => {
    server.script({ answers: {} });
    await expect(makeClient().forget({ user: '' })).rejects.toMatchObject({ code: 'invalid' });
    const undated = makeClient().remember({ role: 'user', text: 'a', timestamp: new Date('never') });
    await expect(undated).rejects.toMatchObject({ code: 'invalid' });
    expect(server.seen()).toEqual([]);
  });

  it('sends nothing for a caller that had given up before', async () => {
    server.script({ answers: {} });
    const why = new Error('enough');
    const given = makeClient().me({ signal: AbortSignal.abort(why) });
    await expect(given).rejects.toMatchObject({ code: 'aborted', cause: why });
    await expect(
      makeClient()
        .events({ signal: AbortSignal.abort(why) })
        .next(),
    ).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(server.seen()).toEqual([]);
  });

  it('may be told to have all the time there is', async () => {
    server.script({ answers: { 'GET /me': [{ delay_ms: 30, body: {} }] } });
    const { url: baseUrl } = server;
    const patient = { timeoutMs: Number.POSITIVE_INFINITY, totalTimeoutMs: Number.POSITIVE_INFINITY };
    expect(await new Turnstone({ baseUrl, apiKey: 'ts_key', ...patient }).me()).toEqual({});
  });

  it('tells what has no JSON as such, also in a batch', async () => {
    server.script({ answers: {} });
    const metadata = { many: 1n };
    await expect(makeClient().remember(turn('a'), { metadata })).rejects.toMatchObject({ code: 'invalid' });
    const batch = makeClient().batch({ metadata });
    await batch.add(turn('a'));
    await expect(batch.close()).rejects.toMatchObject({
      details: { failed: [{ index: 0, code: 'invalid' }] },
    });
    expect(server.seen().filter(({ path }) => path === '/ingestion/memory')).toEqual([]);
  });

  it('waits half a second before it tries again', async () => {
    server.script({ answers: { 'GET /me': [{ status: 503 }, { body: {} }] } });
    const began = performance.now();
    await makeClient().me();
    expect(performance.now() - began).toBeGreaterThan(490);
  });

  it('lets go of a wait when its caller gives up', { timeout: 30_000 }, async () => {
    server.script({ answers: { 'GET /me': [{ status: 503, headers: { 'retry-after': '60' } }] } });
    await expect(makeClient().me({ signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('ends a stream of events when its caller gives up, and leaves no connection', async () => {
    server.script({
      // biome-ignore lint/suspicious/noThenProperty: the script's word for how a stream ends
      answers: { 'GET /events': [{ stream: [{ text: 'id: p1\ndata: {}\n\n' }], then: 'hold' }] },
    });
    const following = new AbortController();
    const events = makeClient().events({ signal: following.signal });
    expect(await events.next()).toEqual({ done: false, value: { position: 'p1', data: {} } });
    expect(server.streams()).toBe(1);
    const next = events.next();
    following.abort();
    await expect(next).rejects.toMatchObject({ code: 'aborted' });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    await expect.poll(() => server.streams()).toBe(0);
  });
});
