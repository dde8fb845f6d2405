import { afterEach, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/http/app.ts';
import { until } from '../support/wait.ts';

let app: TestApp;
afterEach(() => app.close());

test('health, readiness and metrics need no token', async () => {
  app = await startApp();
  expect((await app.call('GET', '/healthz', { token: null })).json).toEqual({ status: 'ok' });
  const ready = await app.call('GET', '/readyz', { token: null });
  expect([ready.status, ready.json]).toEqual([
    200,
    { ready: true, degraded: [], engines: { log: { ok: true, detail: 'answers' } } },
  ]);
});

test('a service that is not ready lists its engines in a 503', async () => {
  const engines = { log: { ok: false, detail: 'catching up' } };
  app = await startApp({ useCases: { ready: async () => ({ ready: false, degraded: ['log'], engines }) } });
  const { status, headers, json } = await app.call('GET', '/readyz');
  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('1');
  expect(json).toMatchObject({
    error: 'HTTP 503',
    ready: false,
    degraded: ['log'],
    engines,
    request_id: expect.any(String),
  });
  expect((await app.call('GET', '/healthz')).status).toBe(200);
});

test('metrics count requests by route and status, and paths that nobody serves as one', async () => {
  app = await startApp();
  await app.call('GET', '/me');
  await app.call('GET', '/me', { token: null });
  await app.call('GET', '/ingestion/jobs/one');
  await app.call('GET', '/ingestion/jobs/two');
  await app.call('GET', '/guess-1');
  await app.call('GET', '/guess-2');
  let text = '';
  const count = (method: string, route: string, status: number): number => {
    const name = `turnstone_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`;
    return Number(
      text
        .split('\n')
        .find(line => line.startsWith(name))
        ?.slice(name.length) ?? 0,
    );
  };
  await until('the requests are counted', async () => {
    const reply = await app.call('GET', '/metrics', { token: null });
    expect(reply.headers.get('content-type')).toContain('text/plain');
    text = reply.text;
    return count('GET', 'unmatched', 404) === 2;
  });
  expect(count('GET', '/me', 200)).toBe(1);
  expect(count('GET', '/me', 401)).toBe(1);
  expect(count('GET', '/ingestion/jobs/:id', 200)).toBe(2);
  expect(text).toMatch(/^turnstone_http_requests_in_flight 1$/m);
  expect(text).not.toContain('guess');
});
