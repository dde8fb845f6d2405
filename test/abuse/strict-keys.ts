/**
 * A stolen key that is strict: what it reaches in every operation of the OpenAPI document. An operation
 * without a line here fails the test, so that a new one has to be decided. Shared by both modes.
 */
import { expect } from 'vitest';
import { connect, expectStatus, send, settled } from '../support/http/client.ts';
import { openEvents } from '../support/http/event-stream.ts';
import { untilDefined } from '../support/wait.ts';

/** In the words of everybody else; no answer to the strict key may hold it. */
const SECRET = 'heliotrope';
const OWN = 'marigold';

interface Probe {
  path?: string;
  body?: unknown;
  /** 200 unless it says otherwise. */
  status?: number;
}

interface World {
  /** The strict key's own: user `ada`, session `private`. */
  own: { turn: string; observation: string; job: string };
  /** Ids of the same user in another session, and of another user. */
  others: { turn: string; observation: string; job: string }[];
  /** Ids of recalls over its own session, and over more. */
  receipts: { own: string; others: string[] };
  ownersKey: string;
  createdKey: () => Promise<string>;
}

interface Decision {
  /** Requests that it may make. Their answers may not hold other sessions' words. */
  inside?: (world: World) => Promise<Probe[]> | Probe[];
  /** Requests that it may not make: 403, or 404 for an id. */
  outside?: (world: World) => Probe[];
}

const scope = (more: object = {}) => ({ org_id: 'any', ...more });
const GRACE = { user_id: 'grace' };
const OTHER = { session_id: 'other' };
const NAMED = { user_id: 'ada', session_id: 'private' };
const turns = [{ role: 'user', text: `More ${OWN}.`, timestamp: '2026-01-05T10:00:00Z' }];
const REFUSED: Decision = { outside: () => [{}] };

const listed = (path: string, session: boolean): Decision => ({
  inside: () => [
    { path },
    { path: `${path}?user_id=ada${session ? '&session_id=private' : ''}` },
    { path: `${path}?q=sister%20lives%20${SECRET}` },
  ],
  outside: () => [
    { path: `${path}?user_id=grace` },
    ...(session
      ? [{ path: `${path}?session_id=other` }, { path: `${path}?user_id=ada&session_id=other` }]
      : []),
  ],
});

/** By operationId. */
const DECISIONS: Record<string, Decision> = {
  ingest: {
    inside: () => [
      { body: { scope: scope(), turns }, status: 202 },
      { body: { scope: scope(NAMED), turns }, status: 202 },
    ],
    outside: () =>
      [GRACE, OTHER, { user_id: 'ada', session_id: 'other' }].map(to => ({
        body: { scope: scope(to), turns },
      })),
  },
  job: {
    inside: ({ own }) => [{ path: `/ingestion/jobs/${own.job}` }],
    outside: ({ others }) => others.map(({ job }) => ({ path: `/ingestion/jobs/${job}`, status: 404 })),
  },
  recall: {
    inside: () =>
      [{}, NAMED].map(to => ({ body: { scope: scope(to), q: `${SECRET} or ${OWN}?`, top_k: 50 } })),
    outside: () => [GRACE, OTHER].map(to => ({ body: { scope: scope(to), q: SECRET } })),
  },
  erase: {
    outside: () => [
      { body: { scope: scope(GRACE) } },
      { body: { scope: scope({ user_id: 'ada', ...OTHER }) } },
      { path: '/memory?user_id=grace' },
      { path: '/memory?session_id=other' },
    ],
  },
  // A stream: see below.
  feed: {},
  export: REFUSED,
  // One user's row has its other sessions' counts.
  listUsers: REFUSED,
  listSessions: listed('/memory/sessions', false),
  listTurns: listed('/memory/turns', true),
  listObservations: listed('/memory/observations', true),
  listEntities: listed('/memory/entities', true),
  listFacts: listed('/memory/facts', true),
  // They are of all of a user's sessions.
  readStats: REFUSED,
  readTurn: {
    inside: ({ own }) => [{ path: `/memory/turns/${own.turn}` }],
    outside: ({ others }) => others.map(({ turn }) => ({ path: `/memory/turns/${turn}`, status: 404 })),
  },
  say: {
    inside: () =>
      [{}, NAMED].map(to => ({ body: { scope: scope(to), text: `The ${OWN} is hers.` }, status: 201 })),
    outside: () => [GRACE, OTHER].map(to => ({ body: { scope: scope(to), text: SECRET } })),
  },
  correct: {
    inside: ({ own }) => [
      { path: `/memory/observations/${own.observation}`, body: { text: 'Ada said so.' } },
    ],
    outside: ({ others }) =>
      others.map(({ observation }) => ({
        path: `/memory/observations/${observation}`,
        body: { text: 'Ada said so.' },
        status: 404,
      })),
  },
  readReceipt: {
    inside: async ({ receipts }) => [{ path: `/recalls/${receipts.own}` }],
    outside: ({ receipts }) => receipts.others.map(id => ({ path: `/recalls/${id}`, status: 404 })),
  },
  giveFeedback: {
    inside: ({ own, receipts }) => [
      { path: `/recalls/${receipts.own}/feedback`, body: { hit_id: own.turn, verdict: 'helpful' } },
    ],
    outside: ({ own, others, receipts }) => [
      ...receipts.others.map(id => ({
        path: `/recalls/${id}/feedback`,
        body: { hit_id: own.turn, verdict: 'wrong' },
        status: 404,
      })),
      ...others.map(({ turn }) => ({
        path: `/recalls/${receipts.own}/feedback`,
        body: { hit_id: turn, verdict: 'wrong' },
        status: 404,
      })),
    ],
  },
  retractTurn: {
    // In the order of the document: what is read below is still there.
    outside: ({ others }) => others.map(({ turn }) => ({ path: `/memory/turns/${turn}`, status: 404 })),
  },
  retractObservation: {
    inside: ({ own }) => [{ path: `/memory/observations/${own.observation}`, status: 204 }],
    outside: ({ others }) =>
      others.map(({ observation }) => ({ path: `/memory/observations/${observation}`, status: 404 })),
  },
  // A user's names are those of all of the user's sessions.
  readUser: { outside: () => [{ path: `/memory/users/${OWN}` }, { path: '/memory/users/grace' }] },
  nameUser: {
    outside: () => [
      { path: `/memory/users/${OWN}`, body: { names: [OWN] } },
      { path: '/memory/users/grace', body: { names: [OWN] } },
    ],
  },
  // An entity's label is shown in all of the user's sessions.
  correctEntity: {
    outside: () => [
      { path: '/memory/entities/ent_6b1c1f2bb4b1f9c5d7a3e0f1', body: { label: OWN } },
      { path: '/memory/entities/ent_6b1c1f2bb4b1f9c5d7a3e0f1?user_id=grace', body: { label: OWN } },
    ],
  },
  titleSession: {
    inside: () => [{ path: '/memory/sessions/private', body: { title: OWN } }],
    outside: () => [
      { path: '/memory/sessions/other', body: { title: OWN } },
      { path: '/memory/sessions/private?user_id=grace', body: { title: OWN } },
    ],
  },
  usageToday: REFUSED,
  usageMonth: REFUSED,
  usageDaily: REFUSED,
  usageStatement: REFUSED,
  me: { inside: () => [{}] },
  retention: { inside: () => [{}] },
  setRetention: { outside: () => [{ body: { days: 1 } }] },
  screening: { inside: () => [{}] },
  setScreening: { outside: () => [{ body: { screen: 'off' } }] },
  deletion: { inside: () => [{}] },
  askDeletion: { outside: () => [{ body: { org_id: 'acme' } }] },
  confirmDeletion: { outside: () => [{ body: { org_id: 'acme' } }] },
  withdrawDeletion: REFUSED,
  readAudit: REFUSED,
  listApiKeys: REFUSED,
  createApiKey: {
    inside: () => [
      { body: { name: 'n' }, status: 201 },
      { body: { name: 'n', strict: true, ...NAMED }, status: 201 },
    ],
    outside: () => [
      { body: { name: 'n', strict: false } },
      { body: { name: 'n', ...GRACE } },
      { body: { name: 'n', ...OTHER } },
    ],
  },
  // A webhook is told of all of a user's sessions.
  listWebhooks: REFUSED,
  createWebhook: {
    outside: () => [
      { body: { url: 'https://example.com/', events: ['turn'] } },
      { body: { url: 'https://example.com/', events: ['turn'], ...GRACE } },
    ],
  },
  deleteWebhook: { outside: () => [{ path: '/me/webhooks/none' }] },
  listWebhookDeliveries: { outside: () => [{ path: '/me/webhooks/none/deliveries' }] },
  resumeWebhook: { outside: () => [{ path: '/me/webhooks/none/resume' }] },
  rotateApiKey: {
    inside: async ({ createdKey }) => [{ path: `/me/api-keys/${await createdKey()}/rotate`, status: 201 }],
    outside: ({ ownersKey }) => [{ path: `/me/api-keys/${ownersKey}/rotate`, status: 404 }],
  },
  revokeApiKey: {
    inside: async ({ createdKey }) => [{ path: `/me/api-keys/${await createdKey()}`, status: 204 }],
    // A key of one user sees that user's keys alone.
    outside: ({ ownersKey }) => [{ path: `/me/api-keys/${ownersKey}`, status: 404 }],
  },
};

interface Document {
  paths: Record<string, Record<string, { operationId: string; security: object[] }>>;
}

/** Every operation that takes a credential. */
const closedOperations = async (url: string) => {
  const { paths } = expectStatus(await send<Document>(`${url}/openapi.json`, 'GET'), 200);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, id: operationId })),
  );
};

const exchange = async (url: string, api_key: string): Promise<string> =>
  expectStatus(await send<{ access_token: string }>(`${url}/auth/token-exchange`, 'POST', { api_key }), 200)
    .access_token;

/** A world of two users, and a strict key with `*` for one session of one of them. */
const strictWorld = async (url: string, apiKey: string) => {
  const owner = await connect({ url, apiKey });
  const wrote = async (user_id: string, session_id: string, word: string) => {
    const turns = [
      {
        role: 'user',
        text: `My sister ${word} lives in ${word}ville.`,
        timestamp: '2026-01-05T09:30:00Z',
        observations: [`${word} is a sister`, `${word} is a rumour`],
      },
    ];
    const made = await owner.ingest({ scope: { user_id, session_id }, turns });
    const turn = made.active_fragment_ids[0]!;
    const { observations } = expectStatus(
      await owner.request<{ observations: { id: string; text: string }[] }>('GET', `/memory/turns/${turn}`),
      200,
    );
    // The other one is read below.
    const rumour = observations.find(({ text }) => text.includes('rumour'));
    return { turn, observation: rumour!.id, job: made.job_id };
  };
  const others = [await wrote('grace', 'theirs', SECRET), await wrote('ada', 'other', SECRET)];
  const own = await wrote('ada', 'private', OWN);
  const asked = async (of: object): Promise<string> =>
    (await owner.recall({ q: `What of ${SECRET}?`, scope: of, receipt: true })).receipt_id!;
  const receipts = {
    own: (await owner.recall({ q: `What of ${OWN}?`, scope: NAMED, receipt: true })).receipt_id!,
    others: [
      await asked({ user_id: 'ada', ...OTHER }),
      await asked({ user_id: 'ada' }),
      await asked(GRACE),
      await asked({}),
    ],
  };
  const newKey = (body: object) =>
    owner.request<{ id: string; api_key: string; strict: boolean }>('POST', '/me/api-keys', {
      name: 'n',
      ...body,
    });
  const strict = { user_id: 'ada', session_id: 'private', strict: true };
  const made = expectStatus(await newKey({ roles: ['*'], ...strict }), 201);
  const keys = expectStatus(await owner.request<{ api_keys: { id: string }[] }>('GET', '/me/api-keys'), 200);
  const world: World = {
    own,
    others,
    receipts,
    ownersKey: keys.api_keys[0]!.id,
    createdKey: async () => expectStatus(await newKey(strict), 201).id,
  };
  await settled(url);
  return { owner, world, made, newKey, token: await exchange(url, made.api_key) };
};

/** Every operation, with a strict key that has the role `*`. */
export const strictKeysReach = async (url: string, apiKey: string): Promise<void> => {
  const { world, made, token, owner } = await strictWorld(url, apiKey);
  const operations = await closedOperations(url);
  expect(operations.map(({ id }) => id).filter(id => !(id in DECISIONS))).toEqual([]);
  expect(Object.keys(DECISIONS).filter(id => !operations.some(each => each.id === id))).toEqual([]);

  const left: string[] = [];
  for (const { id, method, path } of operations) {
    const { inside = () => [], outside = () => [] } = DECISIONS[id]!;
    for (const probe of outside(world)) {
      const answer = await send(url + (probe.path ?? path), method, probe.body, token);
      const expected = probe.status ?? 403;
      if (answer.status !== expected)
        left.push(`${id} ${probe.path ?? ''} ${JSON.stringify(probe.body) ?? ''}: ${answer.status}`);
    }
    for (const probe of await inside(world)) {
      const answer = await send(url + (probe.path ?? path), method, probe.body, token);
      expect(answer.status, `${id} ${probe.path ?? ''}`).toBe(probe.status ?? 200);
      if (JSON.stringify(answer.body).includes(SECRET)) left.push(`${id} ${probe.path ?? ''}: others' words`);
    }
  }
  for (const text of await fed(url, token))
    if (text.includes(SECRET)) left.push(`feed: ${text.slice(0, 60)}`);
  expect(left).toEqual([]);
  expect(made.strict).toBe(true);

  // A key that it makes is strict and of its scope, though its request doesn't say so.
  const child = expectStatus(
    await send<{ strict: boolean; user_id: string; session_id: string; api_key: string }>(
      `${url}/me/api-keys`,
      'POST',
      { name: 'n', roles: ['memory:read'] },
      token,
    ),
    201,
  );
  expect(child).toMatchObject({ strict: true, ...NAMED });
  const ofChild = await exchange(url, child.api_key);
  const away = { scope: scope(OTHER), q: SECRET };
  expect((await send(`${url}/recall`, 'POST', away, ofChild)).status).toBe(403);

  // Its erasure is of its own session alone.
  expectStatus(await send(`${url}/memory`, 'DELETE', undefined, token), 200);
  const kept = await owner.recall({ q: SECRET, top_k: 50 });
  expect(new Set(kept.hits.turns.map(hit => hit.session_id))).toEqual(new Set(['theirs', 'other']));
};

/** The first events of the feed from its beginning, until the key's own turn was among them. */
const fed = async (url: string, token: string): Promise<string[]> => {
  const stream = await openEvents(url, token);
  expect(stream.status).toBe(200);
  const texts: string[] = [];
  const events = stream.events();
  await untilDefined('the own turn and its observation came', async () => {
    const { value } = await events.next();
    texts.push(JSON.stringify(value));
    return texts.join().includes(OWN) && texts.join().includes('is a sister') ? true : undefined;
  });
  stream.close();
  return texts;
};

/** A key for a user without a session: all of that user's sessions, and nobody else's. */
export const strictForAUser = async (url: string, apiKey: string): Promise<void> => {
  const { newKey, world } = await strictWorld(url, apiKey);
  const made = expectStatus(await newKey({ roles: ['*'], user_id: 'ada', strict: true }), 201);
  const client = await connect({ url, apiKey: made.api_key });
  const recalled = await client.recall({ q: SECRET, top_k: 50 });
  expect(new Set(recalled.hits.turns.map(hit => hit.user_id))).toEqual(new Set(['ada']));
  expectStatus(await client.request('POST', '/recall', { scope: scope(OTHER), q: SECRET }), 200);
  expectStatus(await client.request('POST', '/recall', { scope: scope(GRACE), q: SECRET }), 403);
  const users = expectStatus(
    await client.request<{ users: { user_id: string }[] }>('GET', '/memory/users'),
    200,
  );
  expect(users.users.map(({ user_id }) => user_id)).toEqual(['ada']);
  expectStatus(await client.request('GET', `/memory/turns/${world.others[1]!.turn}`), 200);
  expectStatus(await client.request('GET', `/memory/turns/${world.others[0]!.turn}`), 404);
  expectStatus(await client.request('GET', '/usage/today'), 403);
  // A session of its user is a part of its scope.
  expectStatus(await client.request('POST', '/me/api-keys', { name: 'n', ...NAMED }), 201);
};
