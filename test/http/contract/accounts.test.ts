import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import { until } from '../../support/wait.ts';
import {
  type ApiKey,
  type Caller,
  call,
  callerWith,
  exchange,
  newKey,
  ok,
  query,
  type Refusal,
  type Reply,
  refused,
  signUp,
  turn,
  write,
} from './kit.ts';

let server: Server;
let owner: Caller;
let stranger: Caller;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.url, 'mine');
  stranger = await signUp(server.url, 'theirs');
});

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

describe('sign-up', () => {
  const signup = (body: object) => call(server.url, 'POST', '/signup', { body });

  test('answers 201 with three members, and the key works', async () => {
    const made = ok<Record<string, string>>(
      await signup({ org_id: 'fresh-one', name: 'Fresh', email: 'a@example.org' }),
      201,
    );
    expect(Object.keys(made).sort()).toEqual(['api_key', 'org_id', 'user_id']);
    expect(made.org_id).toBe('fresh-one');
    const caller = await callerWith(server.url, made.api_key!);
    expect([caller.org, caller.user]).toEqual(['fresh-one', made.user_id]);
  });

  test('an org_id that is taken: 409, also `local`', async () => {
    ok(await signup({ org_id: 'taken' }), 201);
    refused(await signup({ org_id: 'taken' }), 409);
    refused(await signup({ org_id: 'local' }), 409);
  });

  test('twenty at once: one 201, the others 409', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signup({ org_id: 'raced' })));
    const statuses = answers.map(answer => answer.status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    for (const answer of answers.filter(each => each.status === 409)) refused(answer, 409);
  });

  test.for(['ab', '0a', 'a_-', 'constructor', '__x'.slice(2).padEnd(63, '9'), 'tostring'])(
    'the org_id %s: 201',
    async org_id => {
      expect(ok<{ org_id: string }>(await signup({ org_id }), 201).org_id).toBe(org_id);
    },
  );

  test('a body of another organization, or a token, changes nothing', async () => {
    const reply = await owner.send('POST', '/signup', {
      org_id: 'with-token',
      user_id: owner.user,
      roles: ['x'],
      plan: 'gold',
    });
    const me = (await callerWith(server.url, ok<{ api_key: string }>(reply, 201).api_key)).get<{
      plan: string;
      roles: string[];
    }>('/me');
    expect(await me).toMatchObject({ org_id: 'with-token', plan: 'free', roles: ['*'] });
  });
});

test('/me tells whose the credential is, and what it reaches', async () => {
  const me = await owner.get<Record<string, unknown>>('/me');
  const members = ['created_at', 'limits', 'org_id', 'plan', 'roles', 'session_id', 'strict', 'user_id'];
  expect(Object.keys(me).sort()).toEqual(members);
  const bound = { user_id: 'ada', session_id: 'monday', strict: true, roles: ['memory:read'] };
  const { api_key } = await newKey(owner, bound);
  expect(ok(await call(server.url, 'GET', '/me', { headers: { 'x-api-key': api_key } }))).toMatchObject(
    bound,
  );
  expect(me).toMatchObject({
    org_id: owner.org,
    user_id: owner.user,
    session_id: null,
    strict: false,
    roles: ['*'],
    plan: 'free',
    limits: { tokens_in: 1_000_000, tokens_out: 5_000_000 },
  });
  expect(me.created_at).toMatch(INSTANT);
});

describe('API keys', () => {
  test('a new key answers 201 with its secret, once', async () => {
    const made = ok<ApiKey>(await owner.send('POST', '/me/api-keys', { name: 'n'.repeat(128) }), 201);
    expect(made.name).toBe('n'.repeat(128));
    expect(made.roles).toEqual(['*']);
    expect(made.user_id).toBe(owner.user);
    expect(made.api_key.startsWith(made.prefix)).toBe(true);
    expect(made.created_at).toMatch(INSTANT);
    expect(made.last_used_at).toBeNull();
    await exchange(server.url, made.api_key);
    const listed = await owner.send('GET', '/me/api-keys');
    expect(listed.text).not.toContain(made.api_key.split('_').slice(2).join('_'));
    const one = listed.as<{ api_keys: ApiKey[] }>().api_keys.find(key => key.id === made.id)!;
    for (const name of ['id', 'name', 'prefix', 'roles', 'user_id', 'created_at', 'last_used_at'])
      expect(one).toHaveProperty(name);
    expect(one).not.toHaveProperty('api_key');
    expect(one.last_used_at).toMatch(INSTANT);
  });

  test('the list holds only keys of the own organization, and an unused one says so', async () => {
    const [mine, theirs] = [await newKey(owner), await newKey(stranger)];
    const ids = (await owner.get<{ api_keys: ApiKey[] }>('/me/api-keys')).api_keys;
    expect(ids.find(key => key.id === mine.id)?.last_used_at).toBeNull();
    expect(ids.map(key => key.id)).not.toContain(theirs.id);
  });

  test('DELETE: 204 without a body, then 404', async () => {
    const key = await newKey(owner);
    const reply = await owner.send('DELETE', `/me/api-keys/${key.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(reply.headers.get('x-correlation-id')).toBeTruthy();
    refused(await owner.send('DELETE', `/me/api-keys/${key.id}`), 404);
    expect(
      (await owner.get<{ api_keys: ApiKey[] }>('/me/api-keys')).api_keys.map(each => each.id),
    ).not.toContain(key.id);
  });

  test('ten deletions at once: one 204', async () => {
    const key = await newKey(owner);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => owner.send('DELETE', `/me/api-keys/${key.id}`)),
    );
    expect(answers.map(answer => answer.status).sort()).toEqual([
      204,
      ...Array.from({ length: 9 }, () => 404),
    ]);
  });

  test.for([
    'x',
    '0000000000000000',
    '__proto__',
    'constructor',
    'a'.repeat(5000),
    '%00',
    '%2e%2e',
    '..%2f',
    "'%20OR%201=1",
    '*',
  ])('DELETE of %s: 404', async id => {
    refused(await owner.send('DELETE', `/me/api-keys/${id}`), 404);
  });

  test('DELETE of a key of another organization: 404, and it lives', async () => {
    const key = await newKey(stranger);
    refused(await owner.send('DELETE', `/me/api-keys/${key.id}`), 404);
    await exchange(server.url, key.api_key);
  });

  test('a revoked key is refused everywhere', async () => {
    const key = await newKey(owner);
    const caller = await callerWith(server.url, key.api_key);
    expect((await owner.send('DELETE', `/me/api-keys/${key.id}`)).status).toBe(204);
    await until('the key is refused', async () => (await caller.send('GET', '/me')).status === 403);
    const asks: [string, string, unknown?][] = [
      ['GET', '/me'],
      ['GET', '/me/api-keys'],
      ['POST', '/me/api-keys', { name: 'x' }],
      ['POST', '/recall', query('x')],
      ['POST', '/ingestion/memory', write([turn('x')])],
      ['GET', '/usage/today'],
      ['GET', '/usage/summary'],
      ['GET', '/ingestion/jobs/x'],
      ['POST', '/recall', {}],
    ];
    for (const [method, path, body] of asks) refused(await caller.send(method, path, body), 403);
  });

  test('a key may revoke itself', async () => {
    const key = await newKey(owner);
    const caller = await callerWith(server.url, key.api_key);
    expect((await caller.send('DELETE', `/me/api-keys/${key.id}`)).status).toBe(204);
    refused(await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key: key.api_key } }), 403);
  });
});

describe('a server with sign-up closed and few failed exchanges', () => {
  let closed: Server;
  beforeAll(async () => {
    closed = await startServer({
      environment: { TURNSTONE_SIGNUP: 'closed', TURNSTONE_AUTH_FAILURES_PER_MINUTE: '12' },
    });
  });
  afterAll(() => closed?.stop());

  test('sign-up is 403', async () => {
    refused(await call(closed.url, 'POST', '/signup', { body: { org_id: 'late' } }), 403);
  });

  const attempt = (api_key: string, headers: Record<string, string> = {}) =>
    call(closed.url, 'POST', '/auth/token-exchange', { body: { api_key }, headers });
  const limited = (reply: Reply): Refusal => {
    const refusal = refused(reply, 429);
    expect(refusal.details).toMatchObject({ error: 'rate_limited' });
    const after = Number(reply.headers.get('retry-after'));
    expect(
      Number.isInteger(after) && after >= 1 && after <= 60,
      `Retry-After ${reply.headers.get('retry-after')}`,
    ).toBe(true);
    return refusal;
  };

  test('good exchanges are not counted', async () => {
    for (let i = 0; i < 20; i++) await exchange(closed.url, closed.apiKey);
  });

  test('a third of the failures for one key id: 429, whatever X-Forwarded-For says; then all for the address', async () => {
    const wrong = `${closed.apiKey.slice(0, -4)}AAAA`;
    for (let i = 0; i < 4; i++) refused(await attempt(wrong, { 'x-forwarded-for': `10.0.0.${i}` }), 401);
    limited(await attempt(wrong, { 'x-forwarded-for': '10.1.0.1' }));
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) {
      const reply = await attempt(`ts_${i.toString(16).padStart(16, '0')}_${'A'.repeat(43)}`, {
        'x-forwarded-for': `10.2.0.${i}`,
      });
      statuses.push(reply.status);
      if (reply.status === 429) limited(reply);
    }
    const first = statuses.indexOf(429);
    expect(first).toBeGreaterThanOrEqual(5);
    expect(first).toBeLessThanOrEqual(8);
    expect(statuses.slice(first)).toEqual(statuses.slice(first).map(() => 429));
    refused(await call(closed.url, 'POST', '/auth/token-exchange', { body: {} }), 400);
    await exchange(closed.url, closed.apiKey);
  });
});
