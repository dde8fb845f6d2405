import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/server.ts';
import { until } from '../../support/wait.ts';
import {
  type ApiKey,
  type Caller,
  call,
  callerWith,
  colleague,
  exchange,
  type Ingested,
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
  server = await startServer({ environment: { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000' } });
  owner = await signUp(server.url, 'mine');
  stranger = await signUp(server.url, 'theirs');
});
afterAll(() => server?.stop());

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

test('/me tells the six members', async () => {
  const me = await owner.get<Record<string, unknown>>('/me');
  expect(Object.keys(me).sort()).toEqual(['created_at', 'limits', 'org_id', 'plan', 'roles', 'user_id']);
  expect(me).toMatchObject({
    org_id: owner.org,
    user_id: owner.user,
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
    expect(listed.text).not.toContain(made.api_key.split('_').at(-1));
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

describe('roles', () => {
  const asks: [needs: string, method: string, path: string, body?: object][] = [
    ['memory:write', 'POST', '/ingestion/memory', write([turn('of a role')])],
    ['memory:read', 'POST', '/recall', query('role')],
    ['usage:read', 'GET', '/usage/today'],
    ['usage:read', 'GET', '/usage/summary'],
    ['keys:manage', 'GET', '/me/api-keys'],
    ['keys:manage', 'POST', '/me/api-keys', { name: 'x' }],
    ['keys:manage', 'DELETE', '/me/api-keys/none'],
  ];
  test.for(['memory:write', 'memory:read', 'usage:read', 'keys:manage'])(
    '%s opens its own endpoints and no other',
    async role => {
      const caller = await colleague(owner, { roles: [role] });
      for (const [needs, method, path, body] of asks) {
        const reply = await caller.send(method, path, body);
        if (needs === role)
          expect([200, 201, 202, 404], `${method} ${path} ${reply.text}`).toContain(reply.status);
        else refused(reply, 403);
      }
      expect(await caller.get('/me')).toMatchObject({ roles: [role] });
    },
  );

  test('a job is open to either memory role', async () => {
    const job = await owner.ingest(write([turn('a job for roles')]));
    for (const [role, status] of [
      ['memory:read', 200],
      ['memory:write', 200],
      ['usage:read', 403],
      ['keys:manage', 403],
    ] as const) {
      const reply = await (await colleague(owner, { roles: [role] })).send(
        'GET',
        `/ingestion/jobs/${job.job_id}`,
      );
      expect(reply.status, role).toBe(status);
    }
  });

  test('403 comes before 400 and 422', async () => {
    const caller = await colleague(owner, { roles: ['usage:read'] });
    for (const body of [{}, write([]), query('')])
      refused(await caller.send('POST', '/ingestion/memory', body), 403);
    refused(await caller.send('POST', '/recall', {}), 403);
    refused(
      await (await colleague(owner, { roles: ['memory:read'] })).send('GET', '/usage/summary?month=x'),
      403,
    );
  });

  test('no key gets a role that its creator lacks', async () => {
    const creator = await colleague(owner, { roles: ['keys:manage', 'memory:read'] });
    for (const roles of [['*'], ['memory:write'], ['memory:read', 'usage:read'], ['keys:manage', '*']])
      refused(await creator.send('POST', '/me/api-keys', { name: 'more', roles }), 403);
    expect((await newKey(creator)).roles.sort()).toEqual(['keys:manage', 'memory:read']);
    expect((await newKey(creator, { roles: ['memory:read'] })).roles).toEqual(['memory:read']);
    expect((await newKey(owner, { roles: ['memory:read', 'memory:read'] })).roles).toContain('memory:read');
  });

  test('nor does a creator without * reach another user by a key of its making', async () => {
    await owner.ingest({
      scope: { org_id: 'x', user_id: 'boss' },
      turns: [turn('the boss keeps a secret plan')],
    });
    const creator = await colleague(owner, { roles: ['keys:manage', 'memory:read'], user_id: 'clerk' });
    const reply = await creator.send('POST', '/me/api-keys', { name: 'boss', user_id: 'boss' });
    if (reply.status === 201) {
      const thief = await callerWith(server.url, reply.as<ApiKey>().api_key);
      expect((await thief.recall(query('secret plan'))).hits.turns).toEqual([]);
    } else refused(reply, 403);
  });
});

describe('tenancy', () => {
  const SECRET = 'the vault opens with a xylophone melody';
  let bound: Caller;
  let written: Ingested;

  beforeAll(async () => {
    written = await owner.ingest({
      scope: { org_id: owner.org, user_id: 'ada', session_id: 'vault' },
      turns: [turn(SECRET, { observations: ['Ada owns the xylophone vault'] })],
    });
    bound = await colleague(owner, {
      roles: ['memory:write', 'memory:read'],
      user_id: 'bob',
      session_id: 'bobs',
    });
  });

  test('org_id of a body decides nothing', async () => {
    const asked = await stranger.recall({
      scope: { org_id: owner.org, user_id: 'ada', session_id: 'vault' },
      q: SECRET,
    });
    expect(asked.hits).toEqual({ turns: [], observations: [], entities: [] });
    const own = await owner.recall({ scope: { org_id: stranger.org }, q: SECRET });
    expect(own.hits.turns.map(hit => hit.id)).toContain(written.active_fragment_ids[0]);
    const wrote = await stranger.ingest({
      scope: { org_id: owner.org, user_id: 'ada', session_id: 'vault' },
      turns: [turn(SECRET)],
    });
    expect(wrote.usage.tokens_in).toBeGreaterThan(0);
    expect(wrote.active_fragment_ids).not.toEqual(written.active_fragment_ids);
    expect(wrote.job_id).not.toBe(written.job_id);
  });

  test('a job of another organization is 404', async () => {
    for (const id of [written.job_id, written.passive_job_id])
      refused(await stranger.send('GET', `/ingestion/jobs/${id}`), 404);
    for (const id of ['x', '__proto__', 'job_', '%00', 'a'.repeat(3000)])
      refused(await owner.send('GET', `/ingestion/jobs/${id}`), 404);
  });

  test('usage of another organization is not counted here', async () => {
    const quiet = await signUp(server.url, 'quiet');
    expect(await quiet.get('/usage/today')).toMatchObject({ tokens_in: 0, tokens_out: 0 });
    await owner.recall(query('noise'));
    expect(await quiet.get('/usage/summary')).toMatchObject({ tokens_in: 0, tokens_out: 0 });
  });

  test('a principal without * names only itself', async () => {
    for (const user_id of ['ada', owner.user, 'BOB', 'bob ', '*', '__proto__']) {
      refused(await bound.send('POST', '/recall', { scope: { org_id: 'x', user_id }, q: 'x' }), 403);
      refused(
        await bound.send('POST', '/ingestion/memory', {
          scope: { org_id: 'x', user_id },
          turns: [turn('x')],
        }),
        403,
      );
    }
    await bound.recall({ scope: { org_id: 'x', user_id: 'bob' }, q: 'x' });
    await bound.ingest({ scope: { org_id: 'x', user_id: 'bob' }, turns: [turn('bob was here')] });
  });

  test('a principal without * finds only its own, named or not, in any session, by any kind', async () => {
    for (const scope of [
      { org_id: 'x' },
      { org_id: 'x', session_id: 'vault' },
      { org_id: 'x', user_id: 'bob', session_id: 'vault' },
    ]) {
      const { hits } = await bound.recall({ scope, q: SECRET, mode: 'deep', top_k: 50 });
      const found = JSON.stringify(hits);
      expect(found).not.toContain('xylophone');
      for (const hit of hits.turns) expect(hit.user_id).toBe('bob');
    }
  });

  test('an entity of another user stays unseen', async () => {
    await owner.ingest({
      scope: { org_id: 'x', user_id: 'ada' },
      turns: [turn('Zebulon Quark visited Reykjavik with Grace Hopper.')],
    });
    await expect
      .poll(
        async () =>
          (await owner.recall({ scope: { org_id: 'x' }, q: 'Zebulon Quark', kinds: ['entity'] })).hits
            .entities.length,
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0);
    const { hits, confidence } = await bound.recall({
      scope: { org_id: 'x' },
      q: 'Zebulon Quark Reykjavik',
      kinds: ['entity'],
    });
    expect([hits.entities, confidence]).toEqual([[], 0]);
  });

  test('a job of another user is not told to a principal without *', async () => {
    const reply = await bound.send('GET', `/ingestion/jobs/${written.job_id}`);
    expect([403, 404], 'see the ambiguities').toContain(reply.status);
  });

  test('a key of a user and a session writes and reads there by default', async () => {
    const { active_fragment_ids } = await bound.ingest(write([turn('bound marmalade sandwich')]));
    const hit = (await owner.recall(query('marmalade sandwich'))).hits.turns.find(
      each => each.id === active_fragment_ids[0],
    );
    expect(hit).toMatchObject({ user_id: 'bob', session_id: 'bobs' });
    await bound.ingest({
      scope: { org_id: 'x', session_id: 'elsewhere' },
      turns: [turn('marmalade sandwich elsewhere')],
    });
    const sessions = (await bound.recall(query('marmalade sandwich'))).hits.turns.map(
      each => each.session_id,
    );
    expect(new Set(sessions)).toEqual(new Set(['bobs']));
    const there = await bound.recall({
      scope: { org_id: 'x', session_id: 'elsewhere' },
      q: 'marmalade sandwich',
    });
    expect(new Set(there.hits.turns.map(each => each.session_id))).toEqual(new Set(['elsewhere']));
  });

  test('without a session claim: written to default-session, read from all', async () => {
    const one = await owner.ingest(write([turn('periwinkle default')]));
    const two = await owner.ingest({
      scope: { org_id: 'x', session_id: 'named', user_id: 'eve' },
      turns: [turn('periwinkle named')],
    });
    const hits = (await owner.recall(query('periwinkle'))).hits.turns;
    expect(hits.find(hit => hit.id === one.active_fragment_ids[0])).toMatchObject({
      user_id: owner.user,
      session_id: 'default-session',
    });
    expect(hits.map(hit => hit.id)).toContain(two.active_fragment_ids[0]);
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
  });
});
