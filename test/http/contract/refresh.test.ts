import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer, temporaryFolder } from '../../support/processes/server.ts';
import { claimsOf, headOf, now, old, other, pair, pem, rs256 } from './jwt.ts';
import { type Caller, call, exchange, newKey, ok, refused, signUp, type Tokens } from './kit.ts';

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

describe('refresh', () => {
  const refresh = (refresh_token: string, headers?: Record<string, string>) =>
    call(server.url, 'POST', '/auth/refresh', { body: { refresh_token }, headers });

  test('gives the four members with fresh tokens', async () => {
    const first = await exchange(server.url, owner.apiKey);
    const next = ok<Tokens>(await refresh(first.refresh_token));
    expect(Object.keys(next).sort()).toEqual(['access_token', 'expires_in', 'refresh_token', 'token_type']);
    expect(next).toMatchObject({ token_type: 'bearer', expires_in: 86_400 });
    expect(next.refresh_token).not.toBe(first.refresh_token);
    expect(claimsOf(next.access_token)).toMatchObject({
      org_id: owner.org,
      user_id: owner.user,
      roles: ['*'],
      type: 'access',
    });
    ok(await call(server.url, 'GET', '/me', { token: next.access_token }));
    ok(await call(server.url, 'GET', '/me', { token: first.access_token }));
  });

  test('a used token gives the same successor again', async () => {
    const first = await exchange(server.url, owner.apiKey);
    const next = ok<Tokens>(await refresh(first.refresh_token));
    for (let i = 0; i < 3; i++)
      expect(ok<Tokens>(await refresh(first.refresh_token)).refresh_token).toBe(next.refresh_token);
    ok(await refresh(next.refresh_token));
  });

  test('ten times at once gives one successor, and it works', async () => {
    const first = await exchange(server.url, owner.apiKey);
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh_token)));
    const successors = new Set(answers.map(answer => ok<Tokens>(answer).refresh_token));
    expect(successors.size).toBe(1);
    for (const answer of answers)
      ok(await call(server.url, 'GET', '/me', { token: answer.as<Tokens>().access_token }));
    ok(await refresh([...successors][0]!));
  });

  test('a used token, once its successor was used, revokes the whole family', async () => {
    const first = await exchange(server.url, owner.apiKey);
    const second = ok<Tokens>(await refresh(first.refresh_token));
    const third = ok<Tokens>(await refresh(second.refresh_token));
    refused(await refresh(first.refresh_token), 401);
    for (const dead of [first, second, third]) refused(await refresh(dead.refresh_token), 401);
    ok(await call(server.url, 'GET', '/me', { token: third.access_token }));
    ok(await refresh((await exchange(server.url, owner.apiKey)).refresh_token));
  });

  test('a family that is revoked leaves the other families of the key', async () => {
    const [one, two] = [await exchange(server.url, owner.apiKey), await exchange(server.url, owner.apiKey)];
    const next = ok<Tokens>(await refresh(one.refresh_token));
    ok(await refresh(next.refresh_token));
    refused(await refresh(one.refresh_token), 401);
    ok(await refresh(two.refresh_token));
  });

  test('with what is no refresh token: 401', async () => {
    const { tokens } = owner;
    const [head, claims] = [headOf(tokens.refresh_token), claimsOf(tokens.refresh_token)];
    const wrong = [
      '',
      'x',
      'a.b.c',
      tokens.access_token,
      owner.apiKey,
      tokens.refresh_token.slice(0, -6),
      rs256(head, claims, other.privateKey),
      rs256({ ...head, alg: 'none' }, claims),
      rs256(head, { ...claims, exp: now() - 60 }),
      rs256(head, { ...claims, type: 'access' }),
      rs256(head, { ...claims, org_id: victim.org }),
      rs256(head, { ...claims, jti: '__proto__' }),
      'x'.repeat(100_000),
    ];
    for (const [i, token] of wrong.entries()) {
      const reply = await refresh(token);
      expect(token === '' || token.length === 100_000 ? [401, 413, 422] : [401], `number ${i}`).toContain(
        reply.status,
      );
    }
    ok(await refresh(tokens.refresh_token));
  });

  test('with a token of a revoked key: 401', async () => {
    const key = await newKey(owner);
    const tokens = await exchange(server.url, key.api_key);
    const next = ok<Tokens>(await refresh(tokens.refresh_token));
    expect((await owner.send('DELETE', `/me/api-keys/${key.id}`)).status).toBe(204);
    refused(await refresh(next.refresh_token), 401);
    refused(await refresh(tokens.refresh_token), 401);
  });

  test('keeps the user, the session and the roles of the key', async () => {
    const key = await newKey(owner, { roles: ['memory:read'], user_id: 'ada', session_id: 'monday' });
    const next = ok<Tokens>(await refresh((await exchange(server.url, key.api_key)).refresh_token));
    expect(claimsOf(next.access_token)).toMatchObject({
      user_id: 'ada',
      session_id: 'monday',
      roles: ['memory:read'],
    });
  });
});
