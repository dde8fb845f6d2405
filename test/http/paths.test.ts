import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/http/app.ts';
import { expectRefusal } from '../support/http/refusal.ts';
import { until } from '../support/wait.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

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
      await until(
        'the requests are logged',
        () => app.logged.filter(line => line.request_id === id).length >= 6,
      );
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
