import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../../../support/processes/command-line.ts';
import { temporaryFolder } from '../../../../../support/processes/server.ts';

/** A stand-in for the service, for what the real one does not show on demand. */
interface Stub {
  url: string;
  /** Method, path without its query, and the query or the body. */
  seen: { method: string; path: string; query: URLSearchParams; body: string }[];
}

interface Reply {
  status?: number;
  body: unknown;
  headers?: Record<string, string>;
}

const ENGINES = { log: { ok: true, detail: 'answers' }, enricher: { ok: true, detail: 'runs' } };
const OWNER = { org_id: 'acme', user_id: 'owner', session_id: null, strict: false, roles: ['*'] };
const SCRAPE = [
  'turnstone_build_info{version="0.1.0",mode="embedded",role="all"} 1',
  'nodejs_version_info{version="v24.1.0",major="24",minor="1",patch="0"} 1',
  'turnstone_projector_lag_events 0',
  'turnstone_projector_events 7',
].join('\n');

const usual = (method: string, path: string): Reply => {
  switch (`${method} ${path}`) {
    case 'GET /readyz':
      return { body: { ready: true, degraded: [], engines: ENGINES } };
    case 'GET /metrics':
      return { body: SCRAPE };
    case 'GET /me':
      return { body: OWNER };
    case 'GET /usage/today':
      return { body: { tokens_in: 10, tokens_out: 0, limits: { tokens_in: 1_000, tokens_out: 0 } } };
    case 'POST /ingestion/memory':
      return {
        status: 202,
        body: {
          job_id: 'job',
          active_fragment_ids: ['trn_1'],
          passive_job_id: null,
          usage: { tokens_in: 9, tokens_out: 0 },
        },
      };
    case 'POST /recall':
      return { body: { hits: { turns: [{ id: 'trn_1' }] }, usage: { tokens_in: 8, tokens_out: 9 } } };
    case 'DELETE /memory':
      return { body: { erased: { turns: 1 } } };
    case 'DELETE /memory/turns/trn_1':
      return { status: 204, body: '' };
    default:
      return { status: 404, body: { error: 'HTTP 404', message: 'no such path' } };
  }
};

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** `changed`: by method and path, what is answered instead. */
const start = async (changed: Record<string, Reply | (() => Reply)> = {}): Promise<Stub> => {
  const seen: Stub['seen'] = [];
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://stub');
    const method = request.method!;
    seen.push({ method, path: pathname, query: searchParams, body: await textOf(request) });
    const own = changed[`${method} ${pathname}`];
    const {
      status = 200,
      body,
      headers,
    } = (typeof own === 'function' ? own() : own) ?? usual(method, pathname);
    const isText = typeof body === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
    response.end(isText ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};

const KEY = 'ts_s3cret';

const doctor = (url: string, environment: Record<string, string> = {}, ...args: string[]) =>
  runCommand(['doctor', ...args], {
    TURNSTONE_URL: url,
    TURNSTONE_API_KEY: KEY,
    TURNSTONE_DATA_DIR: `${temporaryFolder()}/none`,
    ...environment,
  });

/** The line of a check, without its name's padding. */
const line = (stdout: string, name: string): string | undefined =>
  stdout
    .split('\n')
    .map(one => one.replace(/ {2,}/g, ' '))
    .find(one => one.split(' ').slice(1).join(' ').startsWith(`${name} `));

const written = ({ seen }: Stub) => seen.filter(({ path }) => path === '/ingestion/memory');

describe('turnstone doctor', () => {
  it('says of a service that is well that it is, a line a check, and ends with 0', async () => {
    const stub = await start();
    const { status, stdout, stderr } = await doctor(stub.url);
    expect([status, stderr]).toEqual([0, '']);
    for (const name of [
      'server',
      'clock',
      'engine log',
      'engine enricher',
      'version',
      'projector lag',
      'key',
      'quota',
    ])
      expect(line(stdout, name), name).toMatch(/^ok /);
    expect(line(stdout, 'write')).toMatch(/^ok write a turn in \d+ ms, 9 tokens billed$/);
    expect(line(stdout, 'recall')).toMatch(/^ok recall it is found in \d+ ms, 17 tokens billed$/);
    expect(line(stdout, 'taken away')).toMatch(/^ok taken away erased in \d+ ms$/);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('12 ok, 1 to look at, 0 failed');
    expect(stdout).not.toContain(KEY);
  });

  it('writes, asks and erases in one scope that nobody else has', async () => {
    const stub = await start();
    await doctor(stub.url);
    await doctor(stub.url);
    const scopes = stub.seen.flatMap(({ path, query, body }) => {
      if (path === '/memory') return [{ user_id: query.get('user_id'), session_id: query.get('session_id') }];
      return path === '/recall' || path === '/ingestion/memory' ? [JSON.parse(body).scope] : [];
    });
    const names = scopes.map(({ user_id, session_id }) => [user_id, session_id]);
    expect(names).toHaveLength(6);
    for (const own of names.flat()) expect(own).toMatch(/^turnstone-doctor-[0-9a-f]{16}$/);
    expect(new Set(names.slice(0, 3).flat()).size).toBe(1);
    expect(new Set(names.flat()).size).toBe(2);
    const { body } = written(stub)[0]!;
    const { options } = JSON.parse(body);
    expect(options.write_passive).toBe(false);
    expect(Date.parse(options.expires_at) - Date.now()).toBeLessThan(3_600_001);
  });

  it('prints JSON with the same checks', async () => {
    const stub = await start({ 'GET /me': { status: 401, body: { message: 'unknown key' } } });
    const { status, stdout } = await doctor(stub.url, {}, '--json');
    const { ok, checks } = JSON.parse(stdout);
    expect([status, ok]).toEqual([1, false]);
    expect(checks).toContainEqual({
      name: 'key',
      status: 'fail',
      message: 'the server answered 401: unknown key',
      action: expect.stringContaining('TURNSTONE_API_KEY'),
    });
    expect(checks.map(({ name }: { name: string }) => name)).not.toContain('write');
  });

  it('writes nothing with --no-write', async () => {
    const stub = await start();
    expect(await doctor(stub.url, {}, '--no-write')).toMatchObject({ status: 0 });
    expect(stub.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('has wrong usage end with 2, and one line', async () => {
    const { status, stderr } = await runCommand(['doctor', '--fast']);
    expect(status).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('a server', () => {
  it('that nobody reaches is one line that failed', async () => {
    const { url } = await start();
    server!.close();
    await once(server!, 'close');
    const { status, stdout } = await doctor(url);
    expect(status).toBe(1);
    const failed = stdout.split('\n').filter(one => one.startsWith('fail'));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain(`no answer from ${url}, ECONNREFUSED: turnstone serve starts a server`);
  });

  it('that is none of ours is one line that failed', async () => {
    const stub = await start({ 'GET /readyz': { body: '<html>Welcome</html>' } });
    const { status, stdout } = await doctor(stub.url);
    expect([status, line(stdout, 'server')]).toEqual([1, expect.stringContaining('not as Turnstone does')]);
    expect(stub.seen).toHaveLength(1);
  });

  it('whose address is no address is one line that failed', async () => {
    const { status, stdout } = await doctor('ftp://memory.example');
    expect(status).toBe(1);
    expect(line(stdout, 'server')).toContain('TURNSTONE_URL must be an http or https URL');
  });

  it('that is not ready fails with the engine that is not well', async () => {
    const engines = { ...ENGINES, log: { ok: false, detail: 'catching up with the log' } };
    const body = { error: 'HTTP 503', ready: false, degraded: ['log'], engines };
    const stub = await start({ 'GET /readyz': { status: 503, body } });
    const { status, stdout } = await doctor(stub.url, {}, '--no-write');
    expect(status).toBe(1);
    expect(line(stdout, 'server')).toMatch(/^fail server .*not ready/);
    expect(line(stdout, 'engine log')).toMatch(/^fail engine log catching up with the log: /);
    expect(line(stdout, 'engine enricher')).toBe('ok engine enricher runs');
  });

  it('whose model is away is to be looked at', async () => {
    const enricher = { ok: true, detail: 'waits for the language model: HTTP 429' };
    const stub = await start({
      'GET /readyz': { body: { ready: true, degraded: [], engines: { ...ENGINES, enricher } } },
    });
    const { status, stdout } = await doctor(stub.url, {}, '--no-write');
    expect([status, line(stdout, 'engine enricher')]).toEqual([
      0,
      expect.stringMatching(/^warn engine enricher waits for/),
    ]);
  });

  it.each([
    ['behind', -60_000],
    ['ahead of', 60_000],
  ])('whose clock is %s this one is to be looked at', async (words, by) => {
    const date = new Date(Date.now() + by).toUTCString();
    const stub = await start({
      'GET /readyz': { body: { ready: true, degraded: [], engines: {} }, headers: { date } },
    });
    const { stdout } = await doctor(stub.url, {}, '--no-write');
    expect(line(stdout, 'clock')).toMatch(
      new RegExp(`^warn clock the server's clock is (59|60|61) s ${words} this machine's`),
    );
  });

  it('of another release is to be looked at', async () => {
    const stub = await start({ 'GET /metrics': { body: SCRAPE.replace('0.1.0', '9.9.9') } });
    const { stdout } = await doctor(stub.url, {}, '--no-write');
    expect(line(stdout, 'version')).toMatch(/^warn version 9\.9\.9, and this command is 0\.1\.0/);
  });

  it('that hides its metrics leaves the positions unknown', async () => {
    const stub = await start({ 'GET /metrics': { status: 401, body: {} } });
    const { status, stdout } = await doctor(stub.url, {}, '--no-write');
    expect([status, line(stdout, 'positions')]).toEqual([0, expect.stringMatching(/^warn .*METRICS_TOKEN/)]);
  });
});

describe('a projector that is behind', () => {
  const scrapes = (...lags: [lag: number, events: number][]) => {
    let at = 0;
    return (): Reply => {
      const [lag, events] = lags[Math.min(at++, lags.length - 1)]!;
      return { body: `turnstone_projector_lag_events ${lag}\nturnstone_projector_events ${events}` };
    };
  };

  it.each([
    ['is well when it goes on', scrapes([50, 100], [40, 200]), 'ok projector lag 40 events behind the log'],
    ['is well when as much comes as it does', scrapes([50, 100], [50, 200]), 'ok projector lag 50'],
    [
      'is to be looked at when it is far behind',
      scrapes([50_000, 1], [49_000, 2]),
      'warn projector lag 49,000',
    ],
    ['fails when it stands still', scrapes([50, 100], [50, 100]), 'fail projector lag 50'],
  ])('%s', async (_, metrics, said) => {
    const stub = await start({ 'GET /metrics': metrics });
    const { stdout } = await doctor(stub.url, {}, '--no-write');
    expect(line(stdout, 'projector lag')).toMatch(new RegExp(`^${said}`));
  });
});

describe('the settings', () => {
  it('that are faulty fail, a line each, and nobody is asked anything', async () => {
    const stub = await start();
    const { status, stdout } = await doctor(stub.url, { TURNSTONE_PORT: 'x', TURNSTONE_SIGNUP: 'y' });
    const failed = stdout.split('\n').filter(one => one.startsWith('fail'));
    expect([status, failed.length, stub.seen.length]).toEqual([1, 2, 0]);
    expect(failed[0]).toMatch(/settings +TURNSTONE_PORT must be/);
  });

  it.each([
    [{ TURNSTONE_PROT: '1' }, 'nothing reads TURNSTONE_PROT'],
    [{ TURNSTONE_REDIS_URL: 'redis://r' }, 'TURNSTONE_REDIS_URL has no effect: TURNSTONE_MODE is embedded'],
    [{ TURNSTONE_LLM_API_KEY: KEY }, 'TURNSTONE_LLM_API_KEY has no effect: TURNSTONE_EXTRACTOR is rules'],
    [
      { TURNSTONE_EMBEDDINGS_MODEL: 'e5' },
      'TURNSTONE_EMBEDDINGS_MODEL has no effect: TURNSTONE_EMBEDDINGS_BASE_URL is not set',
    ],
    [
      { TURNSTONE_RERANK_MODEL: 'r' },
      'TURNSTONE_RERANK_MODEL has no effect: TURNSTONE_RERANK_BASE_URL is not set',
    ],
  ])('that nothing reads are to be looked at: %j', async (environment, said) => {
    const stub = await start();
    const { status, stdout } = await doctor(stub.url, environment as Record<string, string>, '--no-write');
    expect(status).toBe(0);
    expect(line(stdout, 'settings')).toMatch(/^warn settings /);
    expect(line(stdout, 'settings')).toContain(said);
    expect(stdout).not.toContain(KEY);
  });
});

describe('a key', () => {
  const owned = (owner: object) => start({ 'GET /me': { body: { ...OWNER, ...owner } } });

  it('that is missing fails', async () => {
    const stub = await start();
    const { status, stdout } = await doctor(stub.url, { TURNSTONE_API_KEY: '' });
    expect([status, line(stdout, 'key')]).toEqual([1, expect.stringMatching(/^fail key no API key/)]);
    expect(written(stub)).toEqual([]);
  });

  it.each([
    ['may not write', { roles: ['memory:read'] }, /^warn write not tried: the key lacks memory:write/],
    [
      'never leaves a session',
      { strict: true, session_id: 'chat' },
      /^warn write not tried: the key never leaves the session chat/,
    ],
  ])('that %s writes nothing', async (_, owner, said) => {
    const stub = await owned(owner);
    const { status, stdout } = await doctor(stub.url);
    expect([status, line(stdout, 'write')]).toEqual([0, expect.stringMatching(said)]);
    expect(stub.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('that may name its own user alone writes to a session of its own, and erases that', async () => {
    const stub = await owned({ roles: ['memory:write', 'memory:read', 'memory:erase'] });
    expect(await doctor(stub.url)).toMatchObject({ status: 0 });
    const { scope } = JSON.parse(written(stub)[0]!.body);
    expect(scope.user_id).toBeUndefined();
    expect(scope.session_id).toMatch(/^turnstone-doctor-/);
    const [erased] = stub.seen.filter(({ method }) => method === 'DELETE');
    expect([...erased!.query]).toEqual([['session_id', scope.session_id]]);
  });

  it.each([
    [['memory:curate'], '/memory/turns/trn_1', /^ok taken away hidden for good; .* it expires in an hour$/],
    [[], undefined, /^warn taken away the key may neither erase nor hide the turn, so it expires in an hour/],
  ])('without memory:erase leaves the rest to the expiry: %j', async (roles, path, said) => {
    const stub = await owned({ roles: ['memory:write', 'memory:read', ...roles] });
    const { status, stdout } = await doctor(stub.url);
    expect([status, line(stdout, 'taken away')]).toEqual([0, expect.stringMatching(said)]);
    expect(stub.seen.find(({ method }) => method === 'DELETE')?.path).toBe(path);
  });

  it('whose organization has nearly used its tokens is to be looked at', async () => {
    const body = { tokens_in: 950, tokens_out: 0, limits: { tokens_in: 1_000, tokens_out: 0 } };
    const stub = await start({ 'GET /usage/today': { body } });
    const { stdout } = await doctor(stub.url, {}, '--no-write');
    expect(line(stdout, 'quota')).toMatch(/^warn quota 95 % /);
  });
});

it('a turn that is not found fails, and is taken away all the same', async () => {
  const stub = await start({
    'POST /recall': { body: { hits: { turns: [] }, usage: { tokens_in: 8, tokens_out: 0 } } },
  });
  const { status, stdout } = await doctor(stub.url);
  expect([status, line(stdout, 'recall')]).toEqual([1, expect.stringMatching(/^fail recall .*is not found/)]);
  expect(line(stdout, 'taken away')).toMatch(/^ok /);
});

it('words of a server can not change what the terminal shows', async () => {
  const engines = { log: { ok: true, detail: 'answers\u001b[2J\nok    everything' } };
  const stub = await start({ 'GET /readyz': { body: { ready: true, degraded: [], engines } } });
  const { stdout } = await doctor(stub.url, {}, '--no-write');
  expect(stdout).not.toContain('\u001b');
  expect(stdout.split('\n').filter(one => one.startsWith('ok    everything'))).toEqual([]);
});
