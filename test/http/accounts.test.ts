import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startApp, type TestApp, type TestAppOptions } from '../support/http/app.ts';

let app: TestApp;
const restart = async (options: TestAppOptions): Promise<void> => {
  await app.close();
  app = await startApp(options);
};
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, headers, token: null });

test('from sign-up to a revoked key', async () => {
  const signedUp = await post('/signup', { org_id: 'globex', name: 'Globex', email: 'a@example.org' });
  expect(signedUp.status).toBe(201);
  expect(signedUp.json).toEqual({ org_id: 'globex', user_id: 'owner', api_key: expect.any(String) });
  expect((await post('/signup', { org_id: 'globex' })).status).toBe(409);

  const exchanged = await post('/auth/token-exchange', { api_key: signedUp.json.api_key });
  expect(exchanged.status).toBe(200);
  expect(exchanged.json).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    token_type: 'bearer',
    expires_in: 86_400,
  });
  expect(exchanged.headers.get('cache-control')).toBe('no-store');
  const token: string = exchanged.json.access_token;

  const me = await app.call('GET', '/me', { token });
  expect(me.json).toEqual({
    org_id: 'globex',
    user_id: 'owner',
    session_id: null,
    strict: false,
    roles: ['*'],
    plan: 'free',
    limits: { tokens_in: 1_000_000, tokens_out: 5_000_000 },
    created_at: '2026-03-10T12:00:30.250Z',
  });

  const made = await app.call('POST', '/me/api-keys', {
    token,
    body: { name: 'reader', roles: ['memory:read'] },
  });
  expect(made.status).toBe(201);
  expect(made.json).toMatchObject({
    name: 'reader',
    roles: ['memory:read'],
    user_id: 'owner',
    last_used_at: null,
  });
  const listed = await app.call('GET', '/me/api-keys', { token });
  expect(listed.json.api_keys.map((key: { name: string }) => key.name).sort()).toEqual([
    'first key',
    'reader',
  ]);
  expect(listed.text).not.toContain(made.json.api_key);

  const reader = await post('/auth/token-exchange', { api_key: made.json.api_key });
  const revoked = await app.call('DELETE', `/me/api-keys/${made.json.id}`, { token });
  expect([revoked.status, revoked.text]).toEqual([204, '']);
  expect((await app.call('DELETE', `/me/api-keys/${made.json.id}`, { token })).status).toBe(404);
  expect((await app.call('GET', '/me', { token: reader.json.access_token })).status).toBe(403);
  expect((await post('/auth/token-exchange', { api_key: made.json.api_key })).status).toBe(403);
  expect((await post('/auth/refresh', { refresh_token: reader.json.refresh_token })).status).toBe(401);
});

test('the events of a call carry its correlation id', async () => {
  const id = '6f1c9a52-0f2b-4c6e-9d3a-1b2c3d4e5f60';
  await post('/signup', { org_id: 'globex' }, { 'x-correlation-id': id });
  expect(app.store.events.at(-1)).toMatchObject({ type: 'org.signed_up', correlation_id: id });
});

test('refresh rotates, and a refresh token opens nothing else', async () => {
  const { json } = await post('/auth/token-exchange', { api_key: app.apiKey });
  expect((await app.call('GET', '/me', { token: json.refresh_token })).status).toBe(401);
  expect((await post('/auth/refresh', { refresh_token: json.access_token })).status).toBe(401);
  const next = await post('/auth/refresh', { refresh_token: json.refresh_token });
  expect(next.status).toBe(200);
  expect(next.json).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
  expect(next.json.refresh_token).not.toBe(json.refresh_token);
  expect((await app.call('GET', '/me', { token: next.json.access_token })).status).toBe(200);
  app.pass(61_000);
  expect((await post('/auth/refresh', { refresh_token: json.refresh_token })).status).toBe(401);
  expect((await post('/auth/refresh', { refresh_token: next.json.refresh_token })).status).toBe(401);
});

test('an access token verifies against the published keys', async () => {
  const jwks = await app.call('GET', '/.well-known/jwks.json', { token: null });
  expect(jwks.headers.get('cache-control')).toBe('public, max-age=300');
  const { payload } = await jwtVerify(app.token, createLocalJWKSet(jwks.json), {
    algorithms: ['RS256'],
    currentDate: new Date(app.now()),
  });
  expect(payload).toMatchObject({ org_id: 'acme', user_id: 'owner', roles: ['*'], type: 'access' });
});

test('closed sign-up is a 403, whatever the body', async () => {
  await restart({ signup: 'closed' });
  expect((await post('/signup', { org_id: 'globex' })).status).toBe(403);
  expect((await post('/signup', { org_id: 7 })).status).toBe(403);
});

describe('failed exchanges', () => {
  const fail = (forwarded?: string) =>
    post('/auth/token-exchange', { api_key: 'x' }, forwarded ? { 'x-forwarded-for': forwarded } : {});

  test('of one address are a 429 from a number on, with a body that says so', async () => {
    await restart({ authFailuresPerMinute: 3 });
    for (let i = 0; i < 3; i++) expect((await fail()).status).toBe(401);
    const limited = await fail();
    expect(limited.status).toBe(429);
    expect(limited.json).toMatchObject({ error: 'HTTP 429', details: { error: 'rate_limited' } });
    expect(Number(limited.headers.get('retry-after'))).toBe(60);
    app.pass(60_000);
    expect((await fail()).status).toBe(401);
  });

  test('nobody gets another address by a header', async () => {
    await restart({ authFailuresPerMinute: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await fail(`192.0.2.${i}`)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });

  test('a trusted proxy tells the address; what the client wrote before it does not count', async () => {
    await restart({ authFailuresPerMinute: 3, trustedProxies: ['127.0.0.0/8', '10.0.0.1'] });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await fail(`203.0.113.${i}, 192.0.2.1, 10.0.0.1`)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await fail('192.0.2.2')).status).toBe(401);
  });
});
