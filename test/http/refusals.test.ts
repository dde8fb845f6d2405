import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError, unavailable } from '../../core/errors.ts';
import { startApp, type TestApp } from '../support/http/app.ts';
import { expectRefusal } from '../support/http/refusal.ts';
import { until } from '../support/wait.ts';

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
    ['no Host', 'GET /healthz HTTP/1.1\r\na: b\r\nConnection: close\r\n\r\n', 400, 'Host'],
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
  ])('%s: the contract answers all the same', async (_what, text, status, loc?: string) => {
    const answer = await speak(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
      error: `HTTP ${status}`,
      details: status === 400 ? { errors: [{ loc: [expect.any(String), ...(loc ? [loc] : [])] }] } : null,
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
  await until('the last request is logged', () =>
    app.logged.some(line => line.route === '/me/api-keys/:id' && line.status === 405),
  );
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
