import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError, unavailable } from '../../services/errors.ts';
import { eventually, type Reply, startApp, type TestApp } from '../support/app.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LIMIT = 4 * 1024 * 1024;

const turn = { role: 'user', text: 'hello', timestamp: '2026-01-31T10:00:00Z' };
const ingest = { scope: { org_id: 'acme' }, turns: [turn] };
const recall = { scope: { org_id: 'acme' }, q: 'where?' };

let app: TestApp;
let asked = 0;
beforeAll(async () => {
  app = await startApp({
    useCases: {
      recall: async (_principal, { q }) => {
        asked++;
        if (q === 'break') throw new TypeError('people said hello');
        if (q === 'outage') throw unavailable('The index is out of reach.');
        if (q === 'quota') {
          throw new ServiceError('quota_exceeded', 'The cap is reached.', {
            details: { error: 'quota_exceeded', kind: 'tokens_in_daily' },
            retryAfter: 60,
          });
        }
        return new Promise(() => {});
      },
    },
    deadlineMs: 200,
  });
});
afterAll(() => app.close());

/** Every refusal has the contract's body, a correlation id, and no trace of what serves it. */
const expectRefusal = (reply: Reply, status: number): void => {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Object.keys(reply.json).sort()).toEqual(['details', 'error', 'message', 'request_id', 'timestamp']);
  expect(reply.json).toMatchObject({ error: `HTTP ${status}`, message: expect.any(String) });
  expect(reply.json.timestamp).toBe(new Date(reply.json.timestamp).toISOString());
  expect(reply.json.request_id).toBe(reply.headers.get('x-correlation-id'));
  expect(reply.headers.get('x-powered-by')).toBeNull();
  expect(reply.text).not.toMatch(/<html|node_modules|\\n +at |\.ts\b/);
};

describe('a path', () => {
  test.each([
    '/',
    '/nothing',
    '/recall/',
    '/Recall',
    '/recall/x',
    '/me/api-keys/a/b',
    '/ingestion',
    '/%zz',
    '/%00',
    '//recall',
    '/..%2frecall',
    '/__proto__',
    '/.env',
  ])('%s is a 404, with a token or without', async path => {
    expectRefusal(await app.call('GET', path), 404);
    expectRefusal(await app.call('POST', path, { body: {}, token: null }), 404);
  });

  test.each([
    ['/recall', 'GET', 'POST, OPTIONS'],
    ['/recall', 'HEAD', 'POST, OPTIONS'],
    ['/ingestion/memory', 'PUT', 'POST, OPTIONS'],
    ['/ingestion/jobs/x', 'POST', 'GET, HEAD, OPTIONS'],
    ['/auth/token-exchange', 'GET', 'POST, OPTIONS'],
    ['/auth/refresh', 'DELETE', 'POST, OPTIONS'],
    ['/usage/today', 'POST', 'GET, HEAD, OPTIONS'],
    ['/usage/summary', 'PATCH', 'GET, HEAD, OPTIONS'],
    ['/signup', 'GET', 'POST, OPTIONS'],
    ['/me', 'DELETE', 'GET, HEAD, OPTIONS'],
    ['/me/api-keys', 'PUT', 'GET, HEAD, POST, OPTIONS'],
    ['/me/api-keys/x', 'GET', 'DELETE, OPTIONS'],
    ['/healthz', 'POST', 'GET, HEAD, OPTIONS'],
    ['/.well-known/jwks.json', 'POST', 'GET, HEAD, OPTIONS'],
  ])('%s does not take %s', async (path, method, allow) => {
    const reply = await app.call(method, path, { token: null });
    expect(reply.headers.get('allow')).toBe(allow);
    if (method === 'HEAD') expect(reply.status).toBe(405);
    else expectRefusal(reply, 405);
    const options = await app.call('OPTIONS', path, { token: null });
    expect([options.status, options.text, options.headers.get('allow')]).toEqual([204, '', allow]);
  });

  test('that can not be decoded is a 400', async () => {
    expectRefusal(await app.call('DELETE', '/me/api-keys/%zz'), 400);
    expectRefusal(await app.call('GET', '/ingestion/jobs/%ff'), 400);
  });

  test('answers HEAD as GET, without a body', async () => {
    const get = await app.call('GET', '/healthz');
    const head = await app.call('HEAD', '/healthz');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });
});

describe('a correlation id', () => {
  test.each(['6f1c9a52-0f2b-4c6e-9d3a-1b2c3d4e5f60', '6F1C9A52-0F2B-1C6E-0D3A-1B2C3D4E5F60'])(
    '%s is echoed on every answer and in the log',
    async id => {
      const headers = { 'x-correlation-id': id };
      for (const reply of [
        await app.call('GET', '/healthz', { headers }),
        await app.call('GET', '/me', { headers }),
        await app.call('GET', '/me', { headers, token: null }),
        await app.call('POST', '/recall', { headers, body: '{' }),
        await app.call('GET', '/nothing', { headers }),
        await app.call('PUT', '/me', { headers }),
      ]) {
        expect(reply.headers.get('x-correlation-id')).toBe(id);
        if (reply.status >= 400) expect(reply.json.request_id).toBe(id);
      }
      await eventually(() => app.logged.filter(line => line.request_id === id).length >= 6);
    },
  );

  test.each([
    '',
    'x',
    '6f1c9a52',
    '6f1c9a52-0f2b-4c6e-9d3a-1b2c3d4e5f6z',
    '{6f1c9a52-0f2b-4c6e-9d3a-1b2c3d4e5f60}',
  ])('%j is replaced by one of ours', async id => {
    const reply = await app.call('GET', '/healthz', { headers: { 'x-correlation-id': id } });
    expect(reply.headers.get('x-correlation-id')).toMatch(UUID);
    expect(reply.headers.get('x-correlation-id')).not.toBe(id);
  });

  test('is another one for each request', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await app.call('GET', '/healthz')).headers.get('x-correlation-id')),
    );
    expect(new Set(ids).size).toBe(3);
  });
});

describe('a body', () => {
  const faults = (reply: Reply): [string, string][] =>
    reply.json.details.errors.map(({ loc, type }: { loc: string[]; type: string }) => [loc.join('.'), type]);

  test.each([
    ['empty', '', 'json'],
    ['blank', '  ', 'json'],
    ['broken', '{"scope":', 'json'],
    ['with a comma too many', '{"q":"a",}', 'json'],
    ['of words', 'hello', 'json'],
    ['of NaN', 'NaN', 'json'],
    ['two of them', '{}{}', 'json'],
    ['with a raw newline in a string', '{"q":"a\nb"}', 'json'],
    ['cut within a character', new Uint8Array([...Buffer.from('{"q":"'), 0xf0, 0x9f, 0x22, 0x7d]), 'utf8'],
    ['of Latin-1', Buffer.from('{"q":"é"}', 'latin1'), 'utf8'],
    ['of UTF-16', Buffer.from('{"q":"e"}', 'utf16le'), 'json'],
    ['with an encoded surrogate', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), 'utf8'],
    ['deeply nested and open', '['.repeat(LIMIT), 'json'],
  ])('%s is a 400', async (_what, body, type) => {
    const reply = await app.call('POST', '/recall', { body });
    expectRefusal(reply, 400);
    expect(faults(reply)).toEqual([['body', type]]);
    expect(reply.text).not.toContain('hello');
  });

  test('that is none is a 400 too', async () => {
    expectRefusal(await app.call('POST', '/recall'), 400);
  });

  test.each([
    ['deeply nested', '['.repeat(LIMIT / 2) + ']'.repeat(LIMIT / 2), 400],
    ['deeply nested where nobody looks', `{"x":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`, 400],
    [
      'with deeply nested metadata',
      `${JSON.stringify(ingest).slice(0, -1)},"metadata":{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}`,
      422,
    ],
    [
      'of objects in objects',
      `${JSON.stringify(ingest).slice(0, -1)},"metadata":${'{"a":'.repeat(600_000)}1${'}'.repeat(600_000)}}`,
      422,
    ],
  ])('%s is refused', async (_what, body, status) => {
    expectRefusal(await app.call('POST', '/ingestion/memory', { body }), status);
  });

  test('with faults of form and of value lists them all as a 400', async () => {
    const reply = await app.call('POST', '/ingestion/memory', {
      body: { scope: { org_id: '' }, turns: [{ role: 'u', timestamp: 'soon' }] },
    });
    expectRefusal(reply, 400);
    expect(faults(reply)).toEqual(
      expect.arrayContaining([
        ['body.scope.org_id', 'too_short'],
        ['body.turns.0.text', 'missing'],
        ['body.turns.0.timestamp', 'timestamp'],
      ]),
    );
  });

  test('with faults of value alone is a 422', async () => {
    const reply = await app.call('POST', '/recall', { body: { ...recall, top_k: 51 } });
    expectRefusal(reply, 422);
    expect(reply.json.details).toEqual({
      errors: [{ loc: ['body', 'top_k'], type: 'out_of_range', message: 'must be at most 50' }],
    });
  });

  test('may begin with a byte order mark and name a member twice: the last one counts', async () => {
    const body = `\ufeff{"scope":{"org_id":""},"scope":{"org_id":"a"},"turns":${JSON.stringify([turn])}}`;
    expect((await app.call('POST', '/ingestion/memory', { body })).status).toBe(202);
  });

  test('of 4 MiB is taken, one byte more is a 413', async () => {
    const empty = JSON.stringify({ ...ingest, pad: '' });
    const body = JSON.stringify({ ...ingest, pad: 'x'.repeat(LIMIT - empty.length) });
    expect(Buffer.byteLength(body)).toBe(LIMIT);
    expect((await app.call('POST', '/ingestion/memory', { body })).status).toBe(202);
    expectRefusal(await app.call('POST', '/ingestion/memory', { body: `${body} ` }), 413);
  });

  test('whose length nobody told is cut off at 4 MiB', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let left = (LIMIT + 2 * 1024 * 1024) / chunk.length;
    const stream = new ReadableStream({
      pull: controller => {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const response = await fetch(`${app.url}/recall`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: 'HTTP 413' });
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/jsonp'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['json'],
  ])('of type %s is a 415', async type => {
    const reply = await app.call('POST', '/recall', {
      body: JSON.stringify(recall),
      headers: { 'content-type': type },
    });
    expectRefusal(reply, 415);
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('of type %s is taken', async type => {
    const reply = await app.call('POST', '/ingestion/memory', {
      body: JSON.stringify(ingest),
      headers: { 'content-type': type },
    });
    expect(reply.status).toBe(202);
  });

  test('that is compressed is a 415, however little it becomes', async () => {
    const body = gzipSync(JSON.stringify(recall));
    expectRefusal(await app.call('POST', '/recall', { body, headers: { 'content-encoding': 'gzip' } }), 415);
    const asIs = { body: ingest, headers: { 'content-encoding': 'identity' } };
    expect((await app.call('POST', '/ingestion/memory', asIs)).status).toBe(202);
  });

  test('that breaks off is no error of ours', async () => {
    const errors = app.logged.filter(line => Number(line.level) >= 40).length;
    const request = httpRequest(`${app.url}/recall`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/json',
        'content-length': 1_000,
        'x-correlation-id': '00000000-0000-4000-8000-00000000dead',
      },
    });
    request.on('error', () => {});
    request.write('{"scope":');
    await once(request, 'socket');
    await new Promise(resolve => request.socket?.write('', resolve));
    request.destroy();
    await eventually(() =>
      app.logged.some(
        line => line.request_id === '00000000-0000-4000-8000-00000000dead' && line.status === 499,
      ),
    );
    expect(app.logged.filter(line => Number(line.level) >= 40)).toHaveLength(errors);
  });
});

describe('the order of refusal', () => {
  const bad = { body: '{', headers: { 'content-type': 'text/plain' } };

  test('a missing token comes before everything in the body', async () => {
    for (const path of ['/recall', '/ingestion/memory', '/me/api-keys']) {
      const reply = await app.call('POST', path, { ...bad, token: null });
      expectRefusal(reply, 401);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expectRefusal(await app.call('GET', '/usage/summary?month=x', { token: null }), 401);
    expectRefusal(await app.call('GET', '/usage/summary?month=x'), 422);
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Token abc',
    'Bearer a b',
    'bearer,x',
    'Bearer abc.def.ghi',
  ])('Authorization: %j is a 401', async authorization => {
    expectRefusal(await app.call('GET', '/me', { token: null, headers: { authorization } }), 401);
  });

  test('the scheme may be written in any letters', async () => {
    const headers = { authorization: `bearer  ${app.token}` };
    expect((await app.call('GET', '/me', { token: null, headers })).status).toBe(200);
  });

  test('a role that is lacking comes before the body', async () => {
    const made = await app.call('POST', '/me/api-keys', { body: { name: 'k', roles: ['usage:read'] } });
    const { json } = await app.call('POST', '/auth/token-exchange', { body: { api_key: made.json.api_key } });
    const token: string = json.access_token;
    for (const path of ['/recall', '/ingestion/memory', '/me/api-keys']) {
      expectRefusal(await app.call('POST', path, { ...bad, token }), 403);
    }
    expectRefusal(await app.call('GET', '/ingestion/jobs/x', { token }), 403);
    expectRefusal(await app.call('GET', '/me/api-keys', { token }), 403);
    expectRefusal(await app.call('DELETE', '/me/api-keys/x', { token }), 403);
    expect((await app.call('GET', '/usage/today', { token })).status).toBe(200);
    expect((await app.call('GET', '/me', { token })).status).toBe(200);
  });

  test('what is refused reaches no use case', async () => {
    const before = asked;
    await app.call('POST', '/recall', { body: { ...recall, top_k: 0 } });
    await app.call('POST', '/recall', { body: recall, token: null });
    expect(asked).toBe(before);
  });
});

describe('trouble behind HTTP', () => {
  const ask = (q: string) => app.call('POST', '/recall', { body: { ...recall, q } });

  test('a fault of ours is a 500 that tells nothing, and a line in the log that does', async () => {
    const reply = await ask('break');
    expectRefusal(reply, 500);
    expect(reply.text).not.toContain('people said hello');
    const line = app.logged.find(one => one.request_id === reply.json.request_id && one.level === 50);
    expect(line).toMatchObject({ route: '/recall', err: { type: 'TypeError' } });
  });

  test('an outage is a 503 with Retry-After', async () => {
    const reply = await ask('outage');
    expectRefusal(reply, 503);
    expect(reply.headers.get('retry-after')).toBe('1');
  });

  test('a cap is a 429 with its details and Retry-After', async () => {
    const reply = await ask('quota');
    expectRefusal(reply, 429);
    expect(reply.headers.get('retry-after')).toBe('60');
    expect(reply.json.details).toEqual({ error: 'quota_exceeded', kind: 'tokens_in_daily' });
  });

  test('what never answers is a 503 in time', async () => {
    const reply = await ask('for ever');
    expectRefusal(reply, 503);
    expect(reply.headers.get('retry-after')).toBe('1');
  });
});

describe('what is no HTTP', () => {
  const speak = async (text: string): Promise<string> => {
    const socket = connect(app.port, '127.0.0.1');
    socket.end(text);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    return answer;
  };

  test.each([
    ['words', 'hello\r\n\r\n', 400],
    ['a bad header', 'GET /healthz HTTP/1.1\r\nHost: a\r\na b: c\r\n\r\n', 400],
    [
      'two lengths',
      'POST /recall HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx',
      400,
    ],
    [
      'a length and chunks',
      'POST /recall HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers of 100 KB', `GET /healthz HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
  ])('%s: the contract answers all the same', async (_what, text, status) => {
    const answer = await speak(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
      error: `HTTP ${status}`,
      details: null,
    });
  });
});

test('one line a request is logged, and no line holds a token, a key or what people said', async () => {
  const words = 'the quick brown fox';
  await app.call('POST', '/ingestion/memory', { body: { ...ingest, turns: [{ ...turn, text: words }] } });
  await app.call('POST', '/ingestion/memory', {
    body: { ...ingest, turns: [{ ...turn, role: `[${words}]` }] },
  });
  await app.call('POST', '/auth/token-exchange', { body: { api_key: app.apiKey } });
  await app.call('GET', `/usage/summary?month=${encodeURIComponent(words)}`);
  await app.call('GET', '/me/api-keys/nothing?secret=abcdef');
  await eventually(() => app.logged.some(line => line.route === '/me/api-keys/:id' && line.status === 405));
  const line = app.logged.find(one => one.route === '/ingestion/memory' && one.status === 202);
  expect(line).toMatchObject({
    level: 30,
    method: 'POST',
    org_id: 'acme',
    msg: 'request',
    ms: expect.any(Number),
  });
  const all = JSON.stringify(app.logged);
  for (const secret of [words, app.token, app.apiKey, 'abcdef']) expect(all).not.toContain(secret);
});
