import { createHash, createHmac, createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer, temporaryFolder } from '../../support/processes/server.ts';
import { claimsOf, encode, headOf, now, old, other, type Part, pair, pem, rs256 } from './jwt.ts';
import {
  type Caller,
  call,
  exchange,
  newKey,
  ok,
  parsed,
  refused,
  signUp,
  speak,
  type Tokens,
  UUID,
} from './kit.ts';

let server: Server;
let owner: Caller;
let victim: Caller;

beforeAll(async () => {
  const keys = join(temporaryFolder(), 'keys.pem');
  writeFileSync(keys, pem(pair.privateKey) + pem(old.privateKey), { mode: 0o600 });
  server = await startServer({
    environment: { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000', TURNSTONE_SIGNING_KEYS: keys },
  });
  owner = await signUp(server.url, 'attacker');
  victim = await signUp(server.url, 'victim');
});
afterAll(() => server?.stop());

const jwks = async (): Promise<JSONWebKeySet> => ok(await call(server.url, 'GET', '/.well-known/jwks.json'));

describe('exchange', () => {
  test('gives the four members, and tokens with the claims of the contract', async () => {
    const reply = await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key: owner.apiKey } });
    const tokens = ok<Tokens>(reply);
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expires_in).toBe(86_400);
    expect(reply.headers.get('cache-control')).toMatch(/no-store/);
    expect(headOf(tokens.access_token).alg).toBe('RS256');
    const claims = claimsOf(tokens.access_token);
    expect(claims).toMatchObject({ org_id: owner.org, user_id: owner.user, roles: ['*'], type: 'access' });
    expect(claims.exp as number).toBe((claims.iat as number) + 86_400);
    expect(Math.abs((claims.iat as number) - now())).toBeLessThan(30);
    const renewal = claimsOf(tokens.refresh_token);
    expect(renewal.type).not.toBe('access');
    expect(renewal.exp as number).toBe((renewal.iat as number) + 7 * 86_400);
    expect(JSON.stringify([claims, renewal])).not.toContain(owner.apiKey.split('_').at(-1));
  });

  test('needs no Authorization header and ignores a broken one', async () => {
    const body = { api_key: owner.apiKey };
    ok(
      await call(server.url, 'POST', '/auth/token-exchange', {
        body,
        headers: { authorization: 'Bearer x' },
      }),
    );
  });

  test('gives other tokens each time', async () => {
    const [one, two] = [await exchange(server.url, owner.apiKey), await exchange(server.url, owner.apiKey)];
    expect(one.access_token).not.toBe(two.access_token);
    expect(one.refresh_token).not.toBe(two.refresh_token);
  });

  test('with a key that is not one: 401, whatever it is', async () => {
    const key = owner.apiKey;
    const wrong = [
      'x',
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      `${key} `,
      key.toUpperCase(),
      `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      'ts__',
      'ts_a_b',
      'ts_0000000000000000_AAAA',
      `${key}\0`,
      `${key}\n`,
      '__proto__',
      'ts___proto___x',
      'é'.repeat(50),
      'x'.repeat(100_000),
      owner.token,
      `'; DROP TABLE keys; --`,
      `${victim.apiKey.slice(0, 20)}${key.slice(20)}`,
    ];
    for (const api_key of wrong) {
      const reply = await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key } });
      // No more than 16 KiB are read of a call without a token.
      const allowed = api_key.length > 16_384 ? [401, 413, 422] : [401, 422];
      expect(allowed, JSON.stringify(api_key.slice(0, 90))).toContain(reply.status);
      refused(reply, reply.status);
      expect(reply.text).not.toContain(key.slice(-20));
    }
  });

  test('with an empty key: 401 or 422', async () => {
    const reply = await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key: '' } });
    expect([401, 422]).toContain(reply.status);
  });

  test('with a revoked key: 403', async () => {
    const key = await newKey(owner);
    expect((await owner.send('DELETE', `/me/api-keys/${key.id}`)).status).toBe(204);
    refused(await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key: key.api_key } }), 403);
    const guess = `${key.api_key.slice(0, -3)}AAA`;
    refused(await call(server.url, 'POST', '/auth/token-exchange', { body: { api_key: guess } }), 401);
  });
});

describe('the JWKS', () => {
  test('verifies both tokens by jose, remotely and from a copy', async () => {
    const { tokens } = owner;
    const remote = createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`));
    const local = createLocalJWKSet(await jwks());
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      expect((await jwtVerify(token, remote, { algorithms: ['RS256'] })).payload.org_id).toBe(owner.org);
      await jwtVerify(token, local);
    }
  });

  test('has both keys with a kid each, the first signs, and no private part is shown', async () => {
    const { keys } = await jwks();
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig', kid: expect.stringMatching(/\S/) });
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
    }
    const signing = keys.find(key => key.kid === headOf(owner.token).kid);
    expect(signing?.n).toBe(pair.publicKey.export({ format: 'jwk' }).n);
  });

  test('a token that the old key signed is still good', async () => {
    const { keys } = await jwks();
    const kid = keys.find(key => key.n === old.publicKey.export({ format: 'jwk' }).n)?.kid;
    ok(
      await call(server.url, 'GET', '/me', {
        token: rs256({ ...headOf(owner.token), kid }, claimsOf(owner.token), old.privateKey),
      }),
    );
  });
});

describe('product endpoints refuse with 401', () => {
  const head = (): Part => headOf(owner.token);
  const claims = (): Part => claimsOf(owner.token);
  const [publicPem, publicDer, publicJwk] = [
    pair.publicKey.export({ type: 'spki', format: 'pem' }),
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    JSON.stringify(pair.publicKey.export({ format: 'jwk' })),
  ];
  const hmac = (key: string | Buffer, alg = 'HS256'): string => {
    const signed = `${encode({ ...head(), alg })}.${encode(claims())}`;
    return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
  };
  const resigned = (changes: Part): string => rs256(head(), { ...claims(), ...changes });
  const lacking = (name: string): string => {
    const { [name]: _, ...rest } = claims();
    return rs256(head(), rest);
  };
  const parts = (): string[] => owner.token.split('.');
  const forged: [string, () => string][] = [
    ['alg none', () => `${encode({ ...head(), alg: 'none' })}.${parts()[1]}.`],
    ['alg None and the signature', () => `${encode({ ...head(), alg: 'None' })}.${parts()[1]}.${parts()[2]}`],
    ['alg empty', () => `${encode({ ...head(), alg: '' })}.${parts()[1]}.${parts()[2]}`],
    ['no alg', () => `${encode({ kid: head().kid })}.${parts()[1]}.${parts()[2]}`],
    ['HS256 with the public PEM', () => hmac(publicPem as string)],
    ['HS256 with the public DER', () => hmac(publicDer as Buffer)],
    ['HS256 with the JWK', () => hmac(publicJwk)],
    ['HS256 with an empty key', () => hmac('')],
    [
      'RS512 with the right key',
      () => rs256({ ...head(), alg: 'RS512' }, claims(), pair.privateKey, 'sha512'),
    ],
    ['RS256 that is SHA-512', () => rs256(head(), claims(), pair.privateKey, 'sha512')],
    ['PS256 in name', () => rs256({ ...head(), alg: 'PS256' }, claims())],
    ['another key', () => rs256(head(), claims(), other.privateKey)],
    [
      'another key, in the header',
      () => rs256({ ...head(), jwk: other.publicKey.export({ format: 'jwk' }) }, claims(), other.privateKey),
    ],
    [
      'a jku',
      () => rs256({ ...head(), kid: 'x', jku: 'http://127.0.0.1:9/jwks.json' }, claims(), other.privateKey),
    ],
    ['an unknown kid', () => rs256({ ...head(), kid: 'x' }, claims())],
    [
      'the other kid',
      () => rs256({ ...head(), kid: createHash('sha256').update('x').digest('base64url') }, claims()),
    ],
    [
      'a kid that is a path',
      () => rs256({ ...head(), kid: '../../../../dev/null' }, claims(), other.privateKey),
    ],
    ['a kid __proto__', () => rs256({ ...head(), kid: '__proto__' }, claims(), other.privateKey)],
    ['a kid constructor', () => rs256({ ...head(), kid: 'constructor' }, claims(), other.privateKey)],
    ['a kid that is a number', () => rs256({ ...head(), kid: 7 }, claims())],
    ['a kid with a quote', () => rs256({ ...head(), kid: "' OR 1=1 --" }, claims(), other.privateKey)],
    ['an unknown critical extension', () => rs256({ ...head(), crit: ['x'], x: 1 }, claims())],
    ['b64 false', () => rs256({ ...head(), crit: ['b64'], b64: false }, claims())],
    [
      'another organization in the payload',
      () => `${parts()[0]}.${encode({ ...claims(), org_id: victim.org })}.${parts()[2]}`,
    ],
    [
      'roles in the payload',
      () => `${parts()[0]}.${encode({ ...claims(), roles: ['*', 'x'] })}.${parts()[2]}`,
    ],
    ['expired by a minute', () => resigned({ iat: now() - 90_000, exp: now() - 60 })],
    ['an exp that is a string', () => resigned({ exp: String(now() + 1000) })],
    ['no exp', () => lacking('exp')],
    ['no type', () => lacking('type')],
    ['no org_id', () => lacking('org_id')],
    ['no user_id', () => lacking('user_id')],
    ['type refresh', () => resigned({ type: 'refresh' })],
    ['type Access', () => resigned({ type: 'Access' })],
    ['not yet', () => resigned({ nbf: now() + 3600 })],
    ['another service', () => resigned({ iss: 'elsewhere' })],
    ['another audience', () => resigned({ aud: 'elsewhere' })],
    ['org_id an object', () => resigned({ org_id: { $ne: '' } })],
    ['org_id empty', () => resigned({ org_id: '' })],
    ['claims null', () => rs256(head(), 'null')],
    ['claims an array', () => rs256(head(), [])],
    ['claims no JSON', () => rs256(head(), '{')],
    ['a head that is no JSON', () => `${encode('{')}.${parts()[1]}.${parts()[2]}`],
    ['no signature', () => `${parts()[0]}.${parts()[1]}.`],
    ['two parts', () => `${parts()[0]}.${parts()[1]}`],
    ['four parts', () => `${owner.token}.x`],
    ['five parts', () => 'a.b.c.d.e'],
    ['a signature cut short', () => owner.token.slice(0, -8)],
    ['a refresh token', () => owner.tokens.refresh_token],
    ['an API key', () => owner.apiKey],
    ['dots', () => '..'],
    ['60 KB', () => 'x'.repeat(12_000)],
  ];
  test.for(forged)('%s', async ([, make]) => {
    const token = make();
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/usage/today'],
      ['POST', '/recall'],
      ['POST', '/ingestion/memory'],
      ['GET', '/me/api-keys'],
    ] as const) {
      const reply = await call(server.url, method, path, { token, body: method === 'POST' ? {} : undefined });
      refused(reply, 401);
    }
  });

  test('a signed token whose key or organization nobody knows', async () => {
    for (const changes of [
      { key_id: 'ffffffffffffffff' },
      { org_id: 'nobody-knows' },
      { org_id: '__proto__' },
    ]) {
      const reply = await call(server.url, 'GET', '/me/api-keys', { token: resigned(changes) });
      expect([401, 403, 404], JSON.stringify(changes)).toContain(reply.status);
    }
  });

  test('a signed token with roles that are no list grants nothing', async () => {
    for (const roles of ['*', { 0: '*' }, null, 7, [['*']]]) {
      const reply = await call(server.url, 'GET', '/usage/today', { token: resigned({ roles }) });
      expect([401, 403], JSON.stringify(roles)).toContain(reply.status);
    }
  });

  test.for([
    '',
    'Bearer',
    'Bearer ',
    'Basic eDp5',
    'Token x',
    'Bearer x',
    'Bearer null',
    'Bearer undefined',
    'x',
  ])('the header %j', async authorization => {
    refused(await call(server.url, 'GET', '/me', { headers: { authorization } }), 401);
  });

  test('the token outside the header', async () => {
    refused(await call(server.url, 'GET', `/me?access_token=${owner.token}&token=${owner.token}`), 401);
    refused(
      await call(server.url, 'GET', '/me', {
        headers: { cookie: `access_token=${owner.token}`, 'x-access-token': owner.token },
      }),
      401,
    );
  });

  test('two tokens in one header, or two headers', async () => {
    refused(
      await call(server.url, 'GET', '/me', {
        headers: { authorization: `Bearer ${owner.token}, Bearer ${victim.token}` },
      }),
      401,
    );
    refused(
      await call(server.url, 'GET', '/me', {
        headers: { authorization: `Bearer ${owner.token} ${victim.token}` },
      }),
      401,
    );
    const lines = [`Authorization: Bearer ${owner.token}`, `Authorization: Bearer ${victim.token}`].join(
      '\r\n',
    );
    const reply = parsed(
      await speak(server.url, `GET /me HTTP/1.1\r\nHost: x\r\n${lines}\r\nConnection: close\r\n\r\n`),
    );
    expect([200, 400, 401]).toContain(reply.status);
    expect(reply.text).not.toContain(victim.org);
  });

  test('and says how to ask', async () => {
    const reply = await call(server.url, 'GET', '/me');
    refused(reply, 401);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });
});

test.for(['bearer', 'BEARER', 'Bearer'])('the scheme %s', async scheme => {
  ok(await call(server.url, 'GET', '/me', { headers: { authorization: `${scheme} ${owner.token}` } }));
});

test('the keys of the file sign here: the tests prove what they think they do', async () => {
  const token = rs256(headOf(owner.token), claimsOf(owner.token));
  ok(await call(server.url, 'GET', '/me', { token }));
  expect(createPublicKey(pair.privateKey).equals(pair.publicKey)).toBe(true);
  expect((await call(server.url, 'GET', '/me')).headers.get('x-correlation-id')).toMatch(UUID);
});
