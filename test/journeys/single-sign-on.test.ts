import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, send } from '../support/http/client.ts';
import {
  type PeoplesProvider,
  type Platform,
  signInAt,
  startPeoplesProvider,
  startPlatform,
} from '../support/http/identity-provider.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { claimsOf } from '../support/worlds/accounts.ts';

const GROUPS: Record<string, string[]> = {
  ada: ['support'],
  grace: ['admins', 'support'],
  mallory: ['sales'],
};
const SECRET = 'the secret of the client';

let people: PeoplesProvider;
let platform: Platform;
let server: Server;

beforeAll(async () => {
  const folder = temporaryFolder();
  people = await startPeoplesProvider(login => GROUPS[login] ?? [], SECRET);
  platform = await startPlatform();
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`);
  const providers = [
    {
      id: 'acme',
      name: 'Acme',
      issuer: people.issuer,
      client_id: 'turnstone',
      client_secret_file: join(folder, 'secret'),
      organization: 'local',
      user: { claim: 'email' },
      roles_of: { claim: 'groups', roles: { admins: ['*'], support: ['memory:read'] } },
    },
    {
      id: 'cluster',
      issuer: platform.issuer,
      audience: 'turnstone',
      organization: 'local',
      roles: ['memory:write'],
    },
    { id: 'gone', issuer: 'http://127.0.0.1:9', client_id: 'x', organization: 'local', roles: ['*'] },
  ];
  writeFileSync(join(folder, 'providers.json'), JSON.stringify(providers));
  server = await startServer({
    environment: {
      TURNSTONE_IDENTITY_PROVIDERS: join(folder, 'providers.json'),
      TURNSTONE_AUTH_FAILURES_PER_MINUTE: '1000',
    },
  });
  people.serve(redirectUri());
});
afterAll(async () => {
  await Promise.all([server?.kill(), people?.close(), platform?.close()]);
});

const redirectUri = (): string => `${server.url}/console/`;

interface Signed {
  access_token: string;
  token_type: string;
  expires_in: number;
}

const offered = async () =>
  await send<{ providers: { id: string; name: string; authorization_url: string }[] }>(
    `${server.url}/auth/identity-providers`,
    'GET',
  );

/** Signs in as the console does; `changed`: what of the last step is another. */
const signIn = async (login: string, changed: Record<string, string> = {}) => {
  const [provider] = (await offered()).body.providers;
  const [verifier, state, nonce] = [32, 16, 16].map(n => randomBytes(n).toString('base64url')) as [
    string,
    string,
    string,
  ];
  const url = new URL(provider!.authorization_url);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  for (const [name, value] of Object.entries({
    redirect_uri: redirectUri(),
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }))
    url.searchParams.set(name, value);
  const back = await signInAt(url, login);
  expect(back.searchParams.get('state')).toBe(state);
  const body = {
    provider: 'acme',
    code: back.searchParams.get('code')!,
    code_verifier: verifier,
    redirect_uri: redirectUri(),
    nonce,
    iss: back.searchParams.get('iss')!,
    ...changed,
  };
  const redeem = () => send<Signed & { message: string }>(`${server.url}/auth/identity-code`, 'POST', body);
  return { ...(await redeem()), redeem };
};

const asToken = (token: string) =>
  send<Signed & { message: string }>(`${server.url}/auth/identity-token`, 'POST', { token });
const call = (token: string, method: string, path: string, body?: unknown) =>
  send<Record<string, unknown>>(`${server.url}${path}`, method, body, token);

it('offers the providers that people sign in with, and leaves out one that is gone', async () => {
  const { status, body } = await offered();
  expect([status, body.providers.map(({ id, name }) => [id, name])]).toEqual([200, [['acme', 'Acme']]]);
  const { searchParams, origin } = new URL(body.providers[0]!.authorization_url);
  expect(origin).toBe(people.issuer);
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: 'turnstone',
    response_type: 'code',
    scope: 'openid email profile',
  });
});

it('signs a person in for an hour, with the roles of their groups, as an entry among the keys', async () => {
  const { status, body, redeem } = await signIn('ada');
  expect([status, body.token_type, body.expires_in]).toEqual([200, 'bearer', 3_600]);
  expect(body).not.toHaveProperty('refresh_token');
  const claims = claimsOf(body.access_token) as { iat: number; exp: number };
  expect(claims.exp - claims.iat).toBe(3_600);
  const me = await call(body.access_token, 'GET', '/me');
  expect(me.body).toMatchObject({ org_id: 'local', user_id: 'ada@acme.example', roles: ['memory:read'] });
  expect((await call(body.access_token, 'GET', '/me/api-keys')).status).toBe(403);
  // A code is good once.
  expect((await redeem()).status).toBe(401);

  // As another role tomorrow, it is the same entry.
  GROUPS.ada = ['admins'];
  const again = await signIn('ada');
  expect(await call(again.body.access_token, 'GET', '/me')).toMatchObject({ body: { roles: ['*'] } });
  const { body: listed } = await call(again.body.access_token, 'GET', '/me/api-keys');
  const entries = (listed.api_keys as { name: string; roles: string[] }[]).filter(
    ({ name }) => name === 'ada of acme',
  );
  expect(entries).toEqual([
    expect.objectContaining({ roles: [], user_id: 'ada@acme.example', expires_at: null }),
  ]);
});

it('refuses whoever has no role here, and what the provider did not vouch for', async () => {
  const mallory = await signIn('mallory');
  expect([mallory.status, mallory.body.message]).toEqual([403, 'The identity has no role here.']);
  const others: Record<string, string>[] = [
    { code_verifier: randomBytes(32).toString('base64url') },
    { nonce: randomBytes(16).toString('base64url') },
    { redirect_uri: 'http://127.0.0.1:1/console/' },
    { code: 'made-up' },
    { iss: 'http://127.0.0.1:1' },
  ];
  for (const changed of others)
    expect([changed, (await signIn('grace', changed)).status]).toEqual([changed, 401]);
  expect((await signIn('grace', { provider: 'cluster' })).status).toBe(401);
  expect((await signIn('grace', { provider: 'gone' })).status).toBe(503);
});

it('ends at once where the entry is revoked, and stays out', async () => {
  const grace = await signIn('grace');
  const admin = await connect(server);
  const keys = (await admin.request<{ api_keys: { id: string; name: string }[] }>('GET', '/me/api-keys')).body
    .api_keys;
  const { id } = keys.find(({ name }) => name === 'grace of acme')!;
  // It has no secret: to rotate it would lock her out.
  expect((await admin.request('POST', `/me/api-keys/${id}/rotate`, {})).status).toBe(409);
  expect((await signIn('grace')).status).toBe(200);
  expect((await call(grace.body.access_token, 'GET', '/me')).status).toBe(200);
  expect((await admin.request('DELETE', `/me/api-keys/${id}`)).status).toBe(204);
  expect((await call(grace.body.access_token, 'GET', '/me')).status).toBe(403);
  expect((await signIn('grace')).status).toBe(403);
});

it('takes the token that a platform gave to a program, for us alone', async () => {
  const program = { sub: 'system:serviceaccount:chat:bot', aud: 'turnstone' };
  const { status, body } = await asToken(await platform.token(program));
  expect(status).toBe(200);
  const turns = [
    { role: 'user', text: 'The quince tree stands by the well.', timestamp: '2026-03-09T09:30:00Z' },
  ];
  const scope = { org_id: 'local', user_id: program.sub, session_id: 's' };
  expect((await call(body.access_token, 'POST', '/ingestion/memory', { scope, turns })).status).toBe(202);
  expect((await call(body.access_token, 'POST', '/recall', { scope, q: 'Where?' })).status).toBe(403);
  for (const refused of [
    await platform.token({ ...program, aud: 'somebody else' }),
    await platform.token(program, '-5m'),
    await platform.forged(program),
    (await platform.token(program)).replace(/\.[^.]+$/, '.'),
    'not a token',
    // One of ours.
    body.access_token,
  ])
    expect((await asToken(refused)).status).toBe(401);
});

it('names all faults of the file at the start, and no secret', async () => {
  const file = join(temporaryFolder(), 'providers.json');
  writeFileSync(
    file,
    JSON.stringify([
      { id: 'A', issuer: 'http://id.example', organization: 'acme', client_secret: 'hush' },
      { id: 'b', issuer: 'https://id.example', organization: 'acme', roles: ['memory:all'] },
    ]),
  );
  const started = startServer({ environment: { TURNSTONE_IDENTITY_PROVIDERS: file } });
  const message = await started.then(
    () => 'it started',
    error => String(error),
  );
  expect(message).toMatch(/0\.id must be lower-case letters/);
  expect(message).toMatch(/0\.issuer must be an https URL/);
  expect(message).toMatch(/1\.roles\.0/);
  expect(message).not.toContain('hush');
});
