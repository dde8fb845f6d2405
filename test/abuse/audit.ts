/**
 * The audit log, looked at from outside: which operations leave an entry, that a caller can't fill it, that
 * it holds no words, and that it can be paged and filtered. Shared by both modes.
 */
import { expect } from 'vitest';
import type { AuditEntry, AuditPage } from '../../schemas/http/audit.ts';
import { operations } from '../../schemas/http/contract.ts';
import { RIGHTS, type Right } from '../../schemas/http/rights.ts';
import { type Client, connect, expectStatus, send } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { untilDefined } from '../support/wait.ts';

type Id = keyof typeof RIGHTS;

/** By what an operation does: the contract says which of them leave an entry, and the table may not drift. */
const LEAVE: Record<Exclude<Right['noted'], 'refusals'>, string> = {
  acts: 'correct retractTurn retractObservation nameUser correctEntity titleSession erase setRetention setScreening askDeletion confirmDeletion withdrawDeletion createApiKey rotateApiKey revokeApiKey createWebhook resumeWebhook deleteWebhook',
  reads: 'readReceipt feed export readAudit',
};

export const tableIsTheContractOfAudit = (): void => {
  const of = (noted: Right['noted']): string[] =>
    Object.entries<Right>(RIGHTS).flatMap(([id, right]) => (right.noted === noted ? [id] : []));
  for (const [noted, ids] of Object.entries(LEAVE))
    expect(of(noted as Right['noted']).sort(), noted).toEqual(ids.split(' ').sort());
  const changing = Object.entries(operations).filter(
    ([id, { method, access }]) => method !== 'get' && access !== undefined && of('refusals').includes(id),
  );
  // All that is said and asked is metered, and is no matter of an audit; nor is what an answer was worth.
  expect(changing.map(([id]) => id).sort()).toEqual(['giveFeedback', 'ingest', 'recall', 'say']);
};

export interface World {
  url: string;
  apiKey: string;
  /** Runs an operator's command on the organization of the key. */
  operator: (...args: string[]) => Promise<void>;
  org: string;
}

const WORDS = 'marigolds';
const SAID = `I like ${WORDS} from Quimper.`;
const scope = { org_id: 'any', user_id: 'ada', session_id: 'garden' };

const allOf = async (client: Client, query = ''): Promise<AuditEntry[]> => {
  const found: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/audit?limit=200${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: AuditPage = expectStatus(await client.request<AuditPage>('GET', path), 200);
    found.push(...page.entries);
    cursor = page.next_cursor;
  }
  return found;
};

/** The entries once there is one that fits. */
const untilEntry = async (
  client: Client,
  what: string,
  fits: (entry: AuditEntry) => boolean,
): Promise<AuditEntry> => untilDefined(`an entry of ${what}`, async () => (await allOf(client)).find(fits));

interface Newcomer {
  id: string;
  api_key: string;
}

const newKey = async (owner: Client, body: object): Promise<Newcomer> =>
  expectStatus(await owner.request<Newcomer>('POST', '/me/api-keys', { name: WORDS, ...body }), 201);

const asKey = (url: string, apiKey: string, method: string, path: string, body?: unknown) =>
  fetch(url + path, {
    method,
    headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).then(async response => {
    const id = response.headers.get('x-correlation-id');
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : await response.text();
    return { status: response.status, id, text };
  });

/** The kinds of things that operations make, whose ids are in their answers. */
const MADE: Partial<Record<Id, string>> = { createApiKey: 'key', createWebhook: 'webhook' };

/** Reads are repeated: the walk says of each operation of the contract what it leaves. */
export const everyOperationLeavesItsEntry = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  await owner.ingest({
    scope,
    turns: [
      { role: 'user', text: SAID, timestamp: '2026-01-05T10:00:00Z', observations: [`Likes ${WORDS}.`] },
      { role: 'user', text: `Ada grows ${WORDS} in Quimper.`, timestamp: '2026-01-05T10:01:00Z' },
    ],
  } as never);
  const listed = async <T>(path: string): Promise<T> =>
    untilDefined(`something at ${path}`, async () => {
      const { body } = await owner.request<Record<string, T[]>>('GET', path);
      return Object.values(body).find(Array.isArray)?.[0] as T | undefined;
    });
  const observation = await listed<{ id: string }>('/memory/observations?user_id=ada');
  const turn = await listed<{ id: string }>('/memory/turns?user_id=ada');
  const entity = await listed<{ id: string }>('/memory/entities?user_id=ada');
  const { receipt_id: receipt } = expectStatus(
    await owner.request<{ receipt_id: string }>('POST', '/recall', { scope, q: `${WORDS}?`, receipt: true }),
    200,
  );
  const { org_id } = expectStatus(await owner.request<{ org_id: string }>('GET', '/me'), 200);
  const spare = await newKey(owner, { roles: ['memory:read'] });
  const hook = { url: 'https://example.com/', events: ['erased'] };
  const { id: webhook } = expectStatus(
    await owner.request<{ id: string }>('POST', '/me/webhooks', hook),
    201,
  );
  const rotated = await newKey(owner, { roles: ['memory:read'] });
  const caller = await newKey(owner, {});
  const clerk = await newKey(owner, { roles: ['usage:read'] });

  /** One call each, in this order: what takes away comes last. */
  const calls: Record<Id, { path?: string; body?: unknown; target?: object | null; status?: number }> = {
    me: {},
    retention: {},
    usageToday: {},
    usageMonth: {},
    usageDaily: {},
    usageStatement: { path: '/usage/statement?month=2999-01', status: 422 },
    listApiKeys: {},
    listUsers: {},
    listSessions: {},
    listTurns: {},
    listObservations: {},
    listEntities: { path: '/memory/entities?user_id=ada' },
    listFacts: { path: '/memory/facts?user_id=ada' },
    readStats: {},
    readUser: { path: '/memory/users/ada' },
    readTurn: { path: `/memory/turns/${turn.id}` },
    job: { path: '/ingestion/jobs/job_6db74e8b13c9ebc98e44dde372aa24c1', status: 404 },
    ingest: { body: { scope, turns: [{ role: 'user', text: SAID, timestamp: '2026-01-06T10:00:00Z' }] } },
    say: { body: { scope, text: `She has ${WORDS}.` } },
    recall: { body: { scope, q: WORDS } },
    readReceipt: { path: `/recalls/${receipt}`, target: { kind: 'recall', id: receipt, user_id: null } },
    giveFeedback: { path: `/recalls/${receipt}/feedback`, body: { hit_id: turn.id, verdict: 'helpful' } },
    feed: { path: '/events', target: { kind: 'organization', id: null, user_id: null } },
    export: { target: { kind: 'organization', id: null, user_id: null } },
    readAudit: { target: { kind: 'organization', id: null, user_id: null } },
    correct: {
      path: `/memory/observations/${observation.id}`,
      body: { text: `Loves ${WORDS}.` },
      target: { kind: 'observation', id: observation.id, user_id: null },
    },
    nameUser: {
      path: '/memory/users/ada',
      body: { names: ['Wilhelmina'] },
      target: { kind: 'user', id: 'ada', user_id: 'ada' },
    },
    correctEntity: {
      path: `/memory/entities/${entity.id}?user_id=ada`,
      body: { label: `${WORDS} and more` },
      target: { kind: 'entity', id: entity.id, user_id: 'ada' },
    },
    titleSession: {
      path: '/memory/sessions/garden?user_id=ada',
      body: { title: `About ${WORDS}` },
      target: { kind: 'session', id: 'garden', user_id: 'ada' },
    },
    retractObservation: {
      path: `/memory/observations/${observation.id}`,
      target: { kind: 'observation', id: observation.id, user_id: null },
    },
    retractTurn: { path: `/memory/turns/${turn.id}`, target: { kind: 'turn', id: turn.id, user_id: null } },
    erase: { body: { scope }, target: { kind: 'session', id: 'garden', user_id: 'ada' } },
    setRetention: { body: { days: 900 }, target: { kind: 'organization', id: null, user_id: null } },
    screening: {},
    setScreening: { body: { screen: 'secrets' }, target: { kind: 'organization', id: null, user_id: null } },
    deletion: {},
    askDeletion: { body: { org_id }, target: { kind: 'organization', id: null, user_id: null } },
    // Too early: nothing is deleted.
    confirmDeletion: { body: { org_id }, status: 409 },
    withdrawDeletion: { target: { kind: 'organization', id: null, user_id: null } },
    createApiKey: { body: { name: WORDS } },
    listWebhooks: {},
    createWebhook: { body: hook },
    listWebhookDeliveries: { path: `/me/webhooks/${webhook}/deliveries` },
    resumeWebhook: {
      path: `/me/webhooks/${webhook}/resume`,
      target: { kind: 'webhook', id: webhook, user_id: null },
    },
    deleteWebhook: {
      path: `/me/webhooks/${webhook}`,
      target: { kind: 'webhook', id: webhook, user_id: null },
    },
    rotateApiKey: {
      path: `/me/api-keys/${rotated.id}/rotate`,
      target: { kind: 'key', id: rotated.id, user_id: null },
    },
    revokeApiKey: {
      path: `/me/api-keys/${spare.id}`,
      target: { kind: 'key', id: spare.id, user_id: null },
    },
  };
  const expected: { id: Id; request: string; entry: object }[] = [];
  const silent: { id: Id; request: string }[] = [];
  for (const [id, { path, body, target, status }] of Object.entries(calls) as [Id, (typeof calls)[Id]][]) {
    const { method, path: template, answer } = operations[id]!;
    const of = (key: string) => asKey(url, key, method.toUpperCase(), path ?? template, body);
    const done = await of(caller.api_key);
    expect(done.status, `${id}: ${done.text}`).toBe(status ?? answer.status);
    const kind = MADE[id];
    const made = kind === undefined ? undefined : (JSON.parse(done.text) as Newcomer).id;
    const { action, noted, access }: Right = RIGHTS[id];
    const actor = (key: Newcomer) => ({ kind: 'key', key_id: key.id, user_id: 'owner', address: 'loopback' });
    if (noted === 'refusals' || done.status >= 400) silent.push({ id, request: done.id! });
    else
      expected.push({
        id,
        request: done.id!,
        entry: {
          actor: actor(caller),
          action,
          outcome: 'done',
          target: made === undefined ? target : { kind, id: made, user_id: null },
        },
      });
    if (access.length === 0 || access.includes('usage:read')) continue;
    const refused = await of(clerk.api_key);
    expect(refused.status, id).toBe(403);
    expected.push({
      id,
      request: refused.id!,
      entry: { actor: actor(clerk), action, outcome: 'refused', target: null },
    });
  }
  const entries = await untilDefined('the entry of the last call', async () => {
    const all = await allOf(owner);
    return all.some(entry => entry.request_id === expected.at(-1)!.request) ? all : undefined;
  });
  const byRequest = Map.groupBy(entries, ({ request_id }) => request_id);
  const refusedBefore = new Set<string>();
  for (const { id, request, entry } of expected) {
    const found = (byRequest.get(request) ?? []).filter(({ action }) => action !== 'keys.first_use');
    const { action, outcome } = entry as AuditEntry;
    // Some operations are of one action, of which an hour has one refusal.
    const name = `${action} ${outcome}`;
    if (outcome === 'refused' && refusedBefore.has(name)) expect(found, id).toEqual([]);
    else expect(found, id).toEqual([expect.objectContaining(entry)]);
    if (outcome === 'refused') refusedBefore.add(name);
  }
  for (const { id, request } of silent)
    expect(
      (byRequest.get(request) ?? []).filter(({ action }) => action !== 'keys.first_use'),
      id,
    ).toEqual([]);
  // Newest first, and nothing that anybody said, named or was given as a secret.
  const times = entries.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  const all = JSON.stringify(entries);
  for (const word of [WORDS, 'Quimper', 'Wilhelmina', 'ts_', '127.0.0.1', '::1', caller.api_key.slice(-20)])
    expect(all.toLowerCase(), word).not.toContain(word.toLowerCase());
};

/** Sign-ins, first uses, sign-ins of a revoked key, and an operator's calls. */
export const comingsAndGoings = async ({ url, apiKey, operator, org }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  const key = await newKey(owner, {});
  const target = { kind: 'key', id: key.id, user_id: null };
  const signIn = () => send(`${url}/auth/token-exchange`, 'POST', { api_key: key.api_key });
  expect((await signIn()).status).toBe(200);
  expect((await signIn()).status).toBe(200);
  await untilEntry(
    owner,
    'the first use',
    ({ action, target }) => action === 'keys.first_use' && target?.id === key.id,
  );
  expect((await owner.request('DELETE', `/me/api-keys/${key.id}`)).status).toBe(204);
  await untilDefined('the key is revoked', async () => ((await signIn()).status === 403 ? true : undefined));
  const refused = await untilEntry(
    owner,
    'a refused sign-in',
    ({ action, outcome, target }) => action === 'sign_in' && outcome === 'refused' && target?.id === key.id,
  );
  expect(refused).toMatchObject({ target, actor: { kind: 'key', key_id: key.id, address: 'loopback' } });
  const own = (await allOf(owner)).filter(entry => entry.target?.id === key.id);
  expect(own.map(({ action, outcome }) => `${action} ${outcome}`).sort()).toEqual([
    'keys.create done',
    'keys.first_use done',
    'keys.revoke done',
    'sign_in done',
    'sign_in refused',
  ]);

  await operator('orgs', 'set-limits', org, '--tokens-in', '900000000');
  const set = await untilEntry(owner, "an operator's limits", ({ action }) => action === 'limits.set');
  expect(set).toMatchObject({
    actor: { kind: 'operator', key_id: null, user_id: null, address: null },
    target: { kind: 'organization', id: null, user_id: null },
    outcome: 'done',
  });
};

/** One entry a key, action, target and hour; a hundred targets, then one for all others. */
export const readsAreNoFreeAppend = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  const hour = () => Math.floor(Date.now() / 3_600_000);
  const reader = await newKey(owner, { roles: ['audit:read'] });
  const eraser = await newKey(owner, { roles: ['*'] });
  const ofKey = async (key: Newcomer, action: string): Promise<AuditEntry[]> =>
    (await allOf(owner, `&actor=${key.id}&action=${action}`)).filter(entry => entry.action === action);
  const began = hour();
  for (let i = 0; i < 30; i++) {
    expect((await asKey(url, reader.api_key, 'GET', '/audit')).status).toBe(200);
    expect((await asKey(url, reader.api_key, 'POST', '/recall', { q: 'x' })).status).toBe(403);
    expect((await asKey(url, reader.api_key, 'PUT', `/memory/users/u${i}`, { names: [] })).status).toBe(403);
  }
  // They erase nobody, and append nothing else.
  for (let i = 0; i < 130; i++)
    expect((await asKey(url, eraser.api_key, 'DELETE', `/memory?user_id=nobody-${i}`)).status).toBe(200);
  const others = await untilDefined('the entry of all other targets', async () =>
    (await ofKey(eraser, 'memory.erase')).find(({ target }) => target === null),
  );
  expect(others).toMatchObject({ outcome: 'unchanged' });
  if (hour() !== began) return;
  expect(await ofKey(eraser, 'memory.erase')).toHaveLength(101);
  expect(await ofKey(reader, 'audit.read')).toHaveLength(1);
  expect(await ofKey(reader, 'memory.recall')).toHaveLength(1);
  expect(await ofKey(reader, 'names.user')).toHaveLength(1);
};

/** `turnstone audit`, with the same filters and the same rights as `GET /audit`. */
export const commandShowsEntries = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  const maker = await newKey(owner, {});
  const client = await connect({ url, apiKey: maker.api_key });
  const made = await newKey(client, { user_id: 'eve\u001b[31m' });
  await untilEntry(owner, 'the key', ({ target }) => target?.id === made.id);
  const shown = (...args: string[]) =>
    runCommand(['audit', ...args], { TURNSTONE_URL: url, TURNSTONE_API_KEY: apiKey });
  const table = await shown('--actor', maker.id, '--action', 'keys.create');
  expect(table).toMatchObject({ status: 0, stderr: '' });
  const [head, row, ...rest] = table.stdout.trimEnd().split('\n');
  expect(head).toMatch(/^UTC +action +outcome +actor +from +target$/);
  expect(row).toMatch(
    new RegExp(`^\\d{4}-.{14} +keys[.]create +done +key ${maker.id} \\(owner\\) +loopback +key ${made.id}$`),
  );
  expect(rest).toEqual([]);
  const json = await shown('--actor', maker.id, '--action', 'keys.create', '--json');
  expect(JSON.parse(json.stdout).entries).toEqual(
    await allOf(owner, `&actor=${maker.id}&action=keys.create`),
  );
  expect((await shown('--limit', '1')).stdout.trimEnd().split('\n')).toHaveLength(2);
  expect((await shown('--action', 'keys.create', '--until', '2020-01-01')).stdout).toBe(
    'Nothing is noted.\n',
  );
  expect((await shown('--since', 'yesterday')).status).toBe(2);
  const strict = await newKey(owner, { roles: ['memory:read'] });
  const refused = await runCommand(['audit'], { TURNSTONE_URL: url, TURNSTONE_API_KEY: strict.api_key });
  expect(refused).toMatchObject({ status: 77, stdout: '' });
};

/** The documented rule: ids stay, as the record that it was done. */
export const erasureLeavesEntries = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  const user = 'gone-user';
  const of = { ...scope, user_id: user };
  await owner.ingest({
    scope: of,
    turns: [{ role: 'user', text: SAID, timestamp: '2026-01-05T10:00:00Z' }],
  } as never);
  const path = `/memory/sessions/garden?user_id=${user}`;
  expect((await owner.request('PATCH', path, { title: `About ${WORDS}` })).status).toBe(200);
  const about = async (): Promise<AuditEntry[]> =>
    (await allOf(owner)).filter(({ target }) => target?.user_id === user);
  const before = await untilDefined('the entry of the title', async () => {
    const found = await about();
    return found.length > 0 ? found : undefined;
  });
  expect((await owner.request('DELETE', `/memory?user_id=${user}`)).status).toBe(200);
  const erased = await untilEntry(
    owner,
    'the erasure',
    ({ action, target }) => action === 'memory.erase' && target?.id === user,
  );
  const after = await about();
  expect(after.map(({ id }) => id)).toEqual([erased.id, ...before.map(({ id }) => id)]);
  expect(erased).toMatchObject({ outcome: 'done', target: { kind: 'user', id: user, user_id: user } });
  expect(JSON.stringify(after)).not.toContain(WORDS);
};

export const pagesAndFilters = async ({ url, apiKey }: World): Promise<void> => {
  const owner = await connect({ url, apiKey });
  const actor = await newKey(owner, {});
  const client = await connect({ url, apiKey: actor.api_key });
  const made: string[] = [];
  for (let i = 0; i < 7; i++) made.push((await newKey(client, {})).id);
  const query = `&actor=${actor.id}&action=keys.create`;
  const all = await untilDefined('all seven', async () => {
    const found = await allOf(owner, query);
    return found.length === 7 ? found : undefined;
  });
  expect(all.map(({ target }) => target?.id)).toEqual(made.toReversed());
  const paged: AuditEntry[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const path = `/audit?limit=3${query}${cursor && `&cursor=${cursor}`}`;
    const page: AuditPage = expectStatus(await owner.request<AuditPage>('GET', path), 200);
    paged.push(...page.entries);
    cursor = page.next_cursor;
  }
  expect(pages).toBe(3);
  expect(paged).toEqual(all);
  const within = `&since=${all[4]!.at}&until=${all[2]!.at}`;
  const times = (await allOf(owner, query + within)).map(({ at }) => at);
  // `until` is not within.
  expect(times).toEqual(all.map(({ at }) => at).filter(at => at >= all[4]!.at && at < all[2]!.at));
  for (const wrong of [
    'since=yesterday',
    'until=2026-13-01',
    'since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z',
    'cursor=none',
    'limit=201',
    'limit=0',
    'action=',
    `action=${'x'.repeat(65)}`,
    'actor=',
    'action=a&action=b',
  ])
    expect((await owner.request('GET', `/audit?${wrong}`)).status, wrong).toBe(422);
  // Its own organization's alone.
  const ids = new Set((await allOf(owner)).map(({ id }) => id));
  expect(ids.size).toBeGreaterThan(7);
};
