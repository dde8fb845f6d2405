/**
 * The table of rights, tried: every operation of the contract with every kind of key, as a token and as
 * X-API-Key. An operation without a probe fails, so that a new one has to be decided. Shared by both modes.
 */
import { expect } from 'vitest';
import { mayRead } from '../../core/scope.ts';
import { operations } from '../../schemas/http/contract.ts';
import { ROLES, type Role } from '../../schemas/http/parts/roles.ts';
import { RIGHTS, type Right } from '../../schemas/http/rights.ts';
import { accessToken, connect, expectStatus, send } from '../support/http/client.ts';
import { untilDefined } from '../support/wait.ts';

/** For each role what it opens, as the contract has it: the table may not drift from it unseen. */
const OPENS: Record<Exclude<Role, '*'>, string> = {
  'memory:write': 'ingest job say',
  'memory:read':
    'job recall readReceipt giveFeedback readUser readTurn listUsers listSessions listTurns listObservations listEntities listFacts readStats feed',
  'memory:curate': 'correct retractTurn retractObservation nameUser correctEntity titleSession',
  'memory:erase': 'erase',
  'usage:read': 'usageToday usageMonth usageDaily usageStatement',
  'keys:manage':
    'listApiKeys createApiKey rotateApiKey revokeApiKey listWebhooks createWebhook deleteWebhook listWebhookDeliveries resumeWebhook',
  'audit:read': 'readAudit',
};
const OPEN_TO_ANY = 'deletion me retention screening';
const OPEN_TO_ALL_ROLES = 'askDeletion confirmDeletion export setRetention setScreening withdrawDeletion';

export const tableIsTheContract = (): void => {
  const rows = Object.entries<Right>(RIGHTS);
  const withAccess = (of: (access: readonly Role[]) => boolean): string[] =>
    rows.flatMap(([id, { access }]) => (of(access) ? [id] : [])).sort();
  for (const [role, ids] of Object.entries(OPENS))
    expect(
      withAccess(access => access.includes(role as Role)),
      role,
    ).toEqual(ids.split(' ').sort());
  expect(withAccess(access => access.length === 0)).toEqual(OPEN_TO_ANY.split(' '));
  expect(withAccess(access => access.includes('*'))).toEqual(OPEN_TO_ALL_ROLES.split(' '));
  // Whatever changes memory without reading it tells nothing of it; a write's answer is about its own turns.
  const telling = rows.filter(
    ([, { access, untold }]) => !untold && access.length === 1 && !mayRead({ roles: [...access] }),
  );
  expect(
    telling.map(([id]) => id).filter(id => RIGHTS[id as Id].access.some(role => role.startsWith('memory:'))),
  ).toEqual(['ingest', 'erase']);
  const guarded = Object.entries(operations).filter(([, { access }]) => access !== undefined);
  expect(guarded.map(([id]) => id).sort()).toEqual(Object.keys(RIGHTS).sort());
  for (const [id, operation] of guarded) expect(operation, id).toMatchObject(RIGHTS[id as Id]);
};

type Id = keyof typeof RIGHTS;

interface Probe {
  path?: string;
  body?: unknown;
  /** The answer to a caller who may; default: the operation's. */
  status?: number;
  /** It names Ada, whom nobody else's key may name. */
  named?: true;
}

const ADA = { org_id: 'any', user_id: 'ada', session_id: 'private' };
const turns = [{ role: 'user', text: 'I like marigolds.', timestamp: '2026-01-05T10:00:00Z' }];
const listed = (name: string): Probe => ({ path: `/memory/${name}?user_id=ada`, named: true });
const unknown = (path: string, body?: unknown): Probe => ({ path, body, status: 404 });

/** One request each. Nobody has the ids. */
const PROBES: Record<Id, Probe> = {
  ingest: { body: { scope: ADA, turns }, named: true },
  job: unknown('/ingestion/jobs/job_6db74e8b13c9ebc98e44dde372aa24c1'),
  recall: { body: { scope: ADA, q: 'marigolds?' }, named: true },
  readReceipt: unknown('/recalls/rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042'),
  giveFeedback: unknown('/recalls/rcl_5a0f1d9c-5f0e-4f5b-9f53-0a6d1a7a2f10.0.1042/feedback', {
    hit_id: 'trn_01c1867ad1376fca818c9058dcbb892e',
    verdict: 'wrong',
  }),
  say: { body: { scope: ADA, text: 'The marigolds are hers.' }, named: true },
  correct: unknown('/memory/observations/obs_01c1867ad1376fca818c9058dcbb892e', { text: 'x' }),
  retractTurn: unknown('/memory/turns/trn_01c1867ad1376fca818c9058dcbb892e'),
  retractObservation: unknown('/memory/observations/obs_01c1867ad1376fca818c9058dcbb892e'),
  nameUser: { path: '/memory/users/ada', body: { names: ['Ada'] }, named: true },
  correctEntity: {
    ...unknown('/memory/entities/ent_6b1c1f2bb4b1f9c5d7a3e0f1?user_id=ada', { label: 'x' }),
    named: true,
  },
  titleSession: { path: '/memory/sessions/private?user_id=ada', body: { title: 'x' }, named: true },
  readUser: { path: '/memory/users/ada', named: true },
  readTurn: unknown('/memory/turns/trn_01c1867ad1376fca818c9058dcbb892e'),
  // Its users are those that the caller may see.
  listUsers: { path: '/memory/users' },
  listSessions: listed('sessions'),
  listTurns: listed('turns'),
  listObservations: listed('observations'),
  listEntities: listed('entities'),
  listFacts: listed('facts'),
  readStats: listed('stats'),
  // A position that is none, so that no stream begins.
  feed: { path: '/events?after=none', status: 422 },
  export: {},
  usageToday: {},
  usageMonth: {},
  usageDaily: {},
  usageStatement: { path: '/usage/statement?month=2999-01', status: 422 },
  me: {},
  retention: {},
  setRetention: { body: { days: null } },
  screening: {},
  setScreening: { body: { screen: 'default' } },
  deletion: {},
  // Another organization's name: nothing is asked.
  askDeletion: { body: { org_id: 'another' }, status: 422 },
  confirmDeletion: { body: { org_id: 'another' }, status: 422 },
  withdrawDeletion: {},
  readAudit: {},
  listApiKeys: {},
  createApiKey: { body: { name: 'n', user_id: 'ada' }, named: true },
  rotateApiKey: unknown('/me/api-keys/87e5481bef1a69c9/rotate', {}),
  revokeApiKey: unknown('/me/api-keys/87e5481bef1a69c9'),
  listWebhooks: {},
  // An address that may not be called is seen before the rights of its events (round.test.ts has those).
  createWebhook: {
    body: { url: 'http://localhost/', events: ['turn'], user_id: 'ada' },
    status: 422,
    named: true,
  },
  deleteWebhook: unknown('/me/webhooks/whk_87e5481bef1a69c9'),
  listWebhookDeliveries: unknown('/me/webhooks/whk_87e5481bef1a69c9/deliveries'),
  resumeWebhook: unknown('/me/webhooks/whk_87e5481bef1a69c9/resume'),
  erase: { body: { scope: ADA }, named: true },
};

interface Kind {
  name: string;
  roles: readonly Role[];
  user?: string;
  session?: string;
  strict?: true;
  /** From where it works, and from where it is called. */
  addresses?: string[];
  from?: string;
  /** Milliseconds until it expires. */
  lasts?: number;
  /** The answer to whatever it asks. */
  refused?: 401 | 403;
}

const OWN = { user: 'ada' } as const;
const ALL: Role[] = ['*'];
const KINDS: Kind[] = [
  ...ROLES.map(role => ({ name: `${role} alone`, roles: [role], ...OWN })),
  { name: 'every role but *', roles: ROLES.filter(role => role !== '*'), ...OWN },
  { name: 'strict for a session', roles: ALL, ...OWN, session: 'private', strict: true },
  { name: 'strict for a user', roles: ALL, ...OWN, strict: true },
  { name: 'strict, without reading', roles: ['memory:write', 'memory:curate'], ...OWN, strict: true },
  { name: "another user's", roles: ROLES.filter(role => role !== '*'), user: 'grace' },
  { name: 'from its addresses', roles: ALL, ...OWN, addresses: ['192.0.2.0/24'], from: '192.0.2.9' },
  {
    name: 'from a foreign address',
    roles: ALL,
    ...OWN,
    addresses: ['192.0.2.0/24', '2001:db8::/32'],
    from: '198.51.100.9',
    refused: 403,
  },
  { name: 'expired', roles: ALL, ...OWN, lasts: 4_000, refused: 401 },
];

/** The status that the table gives a caller of this kind. */
const expectedStatus = (id: Id, kind: Kind): number => {
  const { access, reach, untold }: Right = RIGHTS[id];
  const { status, named } = PROBES[id];
  const success = operations[id]!.answer.status;
  if (kind.refused) return kind.refused;
  if (access.length > 0 && !access.some(role => kind.roles.includes('*') || kind.roles.includes(role)))
    return 403;
  if (kind.strict && reach === 'organization') return 403;
  if (kind.strict && reach === 'user' && kind.session !== undefined) return 403;
  if (named && kind.user !== 'ada') return 403;
  return untold && !mayRead({ roles: [...kind.roles] }) ? success : (status ?? success);
};

type Headers = Record<string, string>;

/** By an address that a trusted proxy names. */
const call = async (url: string, method: string, body: unknown, headers: Headers): Promise<number> => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
};

/** A key of this kind, as a token and as a header. */
const credentialsOf = async (url: string, owner: Owner, kind: Kind): Promise<Headers[]> => {
  const { name, roles, user, session, strict, addresses, from = '192.0.2.1', lasts } = kind;
  const expires_at = lasts === undefined ? undefined : new Date(Date.now() + lasts).toISOString();
  const body = { name, roles, user_id: user, session_id: session, strict, addresses, expires_at };
  const { api_key } = await owner.newKey(body);
  const exchanged = await fetch(`${url}/auth/token-exchange`, {
    method: 'POST',
    // A foreign address gets no token: it uses one that was issued elsewhere.
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' },
    body: JSON.stringify({ api_key }),
  });
  expect(exchanged.status, name).toBe(200);
  const { access_token } = (await exchanged.json()) as { access_token: string };
  const address = { 'x-forwarded-for': from };
  return [
    { ...address, authorization: `Bearer ${access_token}` },
    { ...address, 'x-api-key': api_key },
  ];
};

export interface NewKey {
  id: string;
  api_key: string;
  user_id: string;
  expires_at: string | null;
  addresses: string[] | null;
}
export type Owner = Awaited<ReturnType<typeof ownerOf>>;

export const ownerOf = async (url: string, apiKey: string) => {
  const client = await connect({ url, apiKey });
  return {
    ...client,
    newKey: async (body: object): Promise<NewKey> =>
      expectStatus(await client.request<NewKey>('POST', '/me/api-keys', { name: 'n', ...body }), 201),
  };
};

/** Every row with every kind. Erasures come last: what they erase is asked for before. */
export const everyRowWithEveryKind = async (url: string, apiKey: string): Promise<void> => {
  const owner = await ownerOf(url, apiKey);
  await owner.ingest({ scope: ADA, turns });
  const callers = await Promise.all(
    KINDS.map(async kind => ({ kind, credentials: await credentialsOf(url, owner, kind) })),
  );
  for (const { kind, credentials } of callers)
    if (kind.refused)
      await untilDefined(`a key is refused that is ${kind.name}`, async () =>
        (await call(`${url}/me`, 'GET', undefined, credentials[0]!)) === kind.refused ? true : undefined,
      );
  const wrong: string[] = [];
  for (const id of Object.keys(PROBES) as Id[]) {
    const { method, path } = operations[id]!;
    const probe = PROBES[id];
    for (const { kind, credentials } of callers)
      for (const headers of credentials) {
        const status = await call(url + (probe.path ?? path), method.toUpperCase(), probe.body, headers);
        const expected = expectedStatus(id, kind);
        const by = 'x-api-key' in headers ? 'key' : 'token';
        if (status !== expected) wrong.push(`${id}, ${kind.name}, ${by}: ${status}, not ${expected}`);
      }
  }
  expect(wrong).toEqual([]);
};

/** A key that manages the keys of one user: sees, makes and revokes those alone. */
export const keysOfOneUser = async (url: string, apiKey: string): Promise<void> => {
  const owner = await ownerOf(url, apiKey);
  const clerk = await owner.newKey({ roles: ['keys:manage', 'memory:read'], user_id: 'clerk' });
  const others = await owner.newKey({ roles: ['memory:read'], user_id: 'boss' });
  const own = await owner.newKey({ roles: ['memory:read'], user_id: 'clerk' });
  const client = await connect({ url, apiKey: clerk.api_key });
  const list = async (of: typeof client) =>
    expectStatus(await of.request<{ api_keys: NewKey[] }>('GET', '/me/api-keys'), 200).api_keys;
  expect((await list(client)).map(({ id }) => id).sort()).toEqual([clerk.id, own.id].sort());
  expect((await list(owner)).map(({ id }) => id)).toEqual(
    expect.arrayContaining([clerk.id, own.id, others.id]),
  );
  const revoke = async (of: typeof client, id: string) =>
    (await of.request('DELETE', `/me/api-keys/${id}`)).status;
  // Like a key that isn't there.
  expect(await revoke(client, others.id)).toBe(404);
  expect((await client.request('POST', '/me/api-keys', { name: 'n', user_id: 'boss' })).status).toBe(403);
  expect(await revoke(client, own.id)).toBe(204);
  expect(await revoke(owner, others.id)).toBe(204);
};

/** Keys that expire, and keys of some addresses: in every way to use them, and in what they create. */
export const expiryAndAddresses = async (url: string, apiKey: string): Promise<void> => {
  const owner = await ownerOf(url, apiKey);
  const post = async (path: string, body: object, from: string) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };
  const HOME = '192.0.2.7';
  const AWAY = '198.51.100.7';

  const bound = await owner.newKey({ addresses: ['192.0.2.0/25', '2001:db8::/32'] });
  expect(bound).toMatchObject({ addresses: ['192.0.2.0/25', '2001:db8::/32'], expires_at: null });
  const issued = await post('/auth/token-exchange', { api_key: bound.api_key }, HOME);
  expect(issued.status).toBe(200);
  const { access_token, refresh_token } = issued.body;
  const refresh = (from: string) => post('/auth/refresh', { refresh_token }, from);
  for (const [from, status] of [
    [HOME, 200],
    ['::ffff:192.0.2.7', 200],
    ['2001:db8:1::9', 200],
    ['192.0.2.200', 403],
    [AWAY, 403],
    ['2001:db9::9', 403],
    ['unknown', 403],
  ] as const) {
    const as = (headers: Headers) =>
      call(`${url}/me`, 'GET', undefined, { ...headers, 'x-forwarded-for': from });
    expect(await as({ authorization: `Bearer ${access_token}` }), `token from ${from}`).toBe(status);
    expect(await as({ 'x-api-key': bound.api_key }), `key from ${from}`).toBe(status);
    expect((await post('/auth/token-exchange', { api_key: bound.api_key }, from)).status, from).toBe(status);
  }
  // Refused without using it up.
  expect((await refresh(AWAY)).status).toBe(403);
  expect((await refresh(HOME)).status).toBe(200);

  const soon = new Date(Date.now() + 3_000).toISOString();
  const brief = await owner.newKey({ expires_at: soon });
  expect(brief.expires_at).toBe(soon);
  const tokens = await post('/auth/token-exchange', { api_key: brief.api_key }, HOME);
  expect(tokens.status).toBe(200);
  const asBrief = { authorization: `Bearer ${tokens.body.access_token}` };
  await untilDefined('the key has expired', async () =>
    (await call(`${url}/me`, 'GET', undefined, asBrief)) === 401 ? true : undefined,
  );
  expect(await call(`${url}/me`, 'GET', undefined, { 'x-api-key': brief.api_key })).toBe(401);
  expect((await post('/auth/token-exchange', { api_key: brief.api_key }, HOME)).status).toBe(401);
  expect((await post('/auth/refresh', { refresh_token: tokens.body.refresh_token }, HOME)).status).toBe(401);

  // Nothing that it creates may do more.
  const hour = new Date(Date.now() + 3_600_000).toISOString();
  const parent = await owner.newKey({ expires_at: hour, addresses: ['127.0.0.0/8', '::1'] });
  const token = await accessToken(url, parent.api_key);
  const create = (body: object) => send<NewKey>(`${url}/me/api-keys`, 'POST', { name: 'n', ...body }, token);
  expect(expectStatus(await create({}), 201)).toMatchObject({
    expires_at: hour,
    addresses: ['127.0.0.0/8', '::1'],
  });
  expect(expectStatus(await create({ addresses: ['127.1.0.0/16'] }), 201).addresses).toEqual([
    '127.1.0.0/16',
  ]);
  for (const more of [
    { expires_at: new Date(Date.now() + 7_200_000).toISOString() },
    { addresses: ['0.0.0.0/0'] },
    { addresses: ['127.0.0.1', '10.0.0.1'] },
    { addresses: ['126.0.0.0/7'] },
  ])
    expect((await create(more)).status, JSON.stringify(more)).toBe(403);

  for (const wrong of [
    { addresses: [] },
    { addresses: ['home'] },
    { addresses: ['192.0.2.0/33'] },
    { addresses: ['192.0.2.0/24', '::/129'] },
    { expires_at: '2020-01-01T00:00:00Z' },
    { expires_at: 'soon' },
  ])
    expect((await create(wrong)).status, JSON.stringify(wrong)).toBe(422);
  expect((await create({ expires_at: 'soon', addresses: 'home' })).status).toBe(400);
};
