/** Secrets in everything that a client may send: nothing that is stored has them. The same in both modes. */
import { expect } from 'vitest';
import type { IngestAnswer } from '../../schemas/http/ingestion.ts';
import type { Entities, Observations, Sessions, Turns } from '../../schemas/http/lists.ts';
import { connect, expectStatus, settled } from '../support/http/client.ts';
import { SECRETS } from '../unit/domain/screening/secrets.ts';

interface World {
  url: string;
  apiKey: string;
}

interface Screening {
  screen: string;
  own: boolean;
  rules: string;
}

const CARD = '4111 1111 1111 1111';
const TOKEN = SECRETS['github-token']![0]!;
const PASSWORD = 'zyxhunter9qx';
/** Words that no file may have. */
export const SECRET_WORDS = [TOKEN.slice(4), PASSWORD];

const IS_CARD = '(secret: card-number)';
const IS_TOKEN = '(secret: github-token)';
const AT = { role: 'user', timestamp: '2026-03-01T09:00:00Z' };
const scope = { user_id: 'ada', session_id: 'monday' };

/** Checks who may set it, what may be set, and that it takes effect at once. */
export const setScreening = async (world: World): Promise<void> => {
  const client = await connect(world);
  const set = (screen: unknown) => client.request<Screening>('PUT', '/me/screening', { screen });
  const get = async () => expectStatus(await client.request<Screening>('GET', '/me/screening'), 200);
  const off = { screen: 'off', own: false, rules: 'secrets-1' };
  expect(await get()).toEqual(off);
  for (const wrong of ['on', 7, null, undefined]) expect((await set(wrong)).status).toBe(400);
  const written = await client.ingest({ scope, turns: [{ ...AT, text: `My card is ${CARD}.` }] });
  expect(written).not.toHaveProperty('screened');

  expect(expectStatus(await set('secrets'), 200)).toEqual({
    screen: 'secrets',
    own: true,
    rules: 'secrets-1',
  });
  expect(expectStatus(await set('secrets'), 200)).toEqual({
    screen: 'secrets',
    own: true,
    rules: 'secrets-1',
  });
  const screened = await client.ingest({ scope, turns: [{ ...AT, text: 'Nothing to hide.' }] });
  expect(screened.screened).toEqual({});
  expect(expectStatus(await set('off'), 200)).toEqual({ screen: 'off', own: true, rules: 'secrets-1' });
  expect(expectStatus(await set('default'), 200)).toEqual(off);
  expect(await get()).toEqual(off);

  const made = await client.request<{ api_key: string }>('POST', '/me/api-keys', {
    name: 'n',
    roles: ['memory:read', 'memory:write', 'memory:curate', 'keys:manage'],
  });
  const other = await connect({ url: world.url, apiKey: expectStatus(made, 201).api_key });
  expectStatus(await other.request('PUT', '/me/screening', { screen: 'secrets' }), 403);
  expectStatus(await other.request('GET', '/me/screening'), 200);
};

/** Sends secrets wherever words go, twice; checks the answers, what is billed, and what is read of it. */
export const expectScreened = async (world: World): Promise<void> => {
  const client = await connect(world);
  expectStatus(await client.request('PUT', '/me/screening', { screen: 'secrets' }), 200);
  const write = {
    scope: { user_id: 'bob', session_id: 'monday' },
    turns: [
      { ...AT, text: `Pay with ${CARD} or ${CARD}, and push with ${TOKEN}.` },
      { ...AT, text: 'My brother Robert lives in Oslo.' },
      {
        ...AT,
        text: 'See what I noted.',
        observations: [
          `The database is postgres://app:${PASSWORD}@db/main`,
          {
            text: `The card of Bob is ${CARD}`,
            subject: 'Bob',
            attribute: 'card',
            value: CARD,
            about: TOKEN,
          },
        ],
      },
    ],
    metadata: { note: TOKEN, deep: [{ role: PASSWORD, url: `https://u:${PASSWORD}@h` }], order: 7 },
    options: { session_title: `About ${TOKEN}` },
  };
  // A name in the metadata is no role: only what is known to be an address stays as it is.
  write.metadata.deep[0]!.role = TOKEN;
  const first: IngestAnswer = await client.ingest(write);
  expect(first.screened).toEqual({ 'card-number': 4, 'github-token': 5, 'password-in-url': 2 });
  const again = await client.ingest(write);
  expect([again.active_fragment_ids, again.usage.tokens_in]).toEqual([first.active_fragment_ids, 0]);
  expect(again.screened).toEqual(first.screened);

  // The same as if the client had sent placeholders: one turn, nothing more to bill.
  const said = `Pay with ${IS_CARD} or ${IS_CARD}, and push with ${IS_TOKEN}.`;
  const placeholders = await client.ingest({
    ...write,
    metadata: { order: 7 } as never,
    turns: [{ ...AT, text: said }],
  });
  expect(placeholders).toMatchObject({
    active_fragment_ids: first.active_fragment_ids.slice(0, 1),
    usage: { tokens_in: 0 },
    screened: {},
  });

  const stated = await client.request<{ id: string; text: string; value: string; screened: object }>(
    'POST',
    '/memory/observations',
    { scope: { org_id: 'any', ...write.scope }, text: `Key ${TOKEN}`, attribute: 'key', value: TOKEN },
  );
  const { id, ...observation } = expectStatus(stated, 201);
  expect(observation).toMatchObject({
    text: `Key ${IS_TOKEN}`,
    value: IS_TOKEN,
    screened: { 'github-token': 2 },
  });
  await settled(world.url);
  const corrected = await client.request<{ text: string }>('PATCH', `/memory/observations/${id}`, {
    value: CARD,
  });
  expect(expectStatus(corrected, 200)).toMatchObject({
    text: `Key ${IS_CARD}`,
    screened: { 'card-number': 1 },
  });
  await settled(world.url);
  const user = 'user_id=bob';
  const get = async <T>(path: string): Promise<T> => expectStatus(await client.request<T>('GET', path), 200);
  const patch = async (path: string, body: object): Promise<unknown> =>
    expectStatus(await client.request('PATCH', path, body), 200);
  const { sessions } = await get<Sessions>(`/memory/sessions?${user}`);
  expect(sessions[0]!.title).toBe(`About ${IS_TOKEN}`);
  expect(await patch(`/memory/sessions/monday?${user}`, { title: `Now ${TOKEN}` })).toMatchObject({
    title: `Now ${IS_TOKEN}`,
  });
  const { entities } = await get<Entities>(`/memory/entities?${user}`);
  const bob = entities.find(({ label }) => label === 'Oslo')!;
  expect(await patch(`/memory/entities/${bob.id}?${user}`, { label: `Oslo ${TOKEN}` })).toMatchObject({
    label: `Oslo ${IS_TOKEN}`,
  });
  const named = await client.request('PUT', '/memory/users/bob', { names: [`Robert ${TOKEN}`] });
  expect(expectStatus(named, 200)).toMatchObject({ names: [`Robert ${IS_TOKEN}`] });

  // A question's receipt keeps the question, and it is looked for as the turn is.
  const question = { scope: write.scope, q: `Who pays with ${CARD} and ${TOKEN}?` };
  const { hits, receipt_id } = await client.recall({ ...question, receipt: true });
  expect(hits.turns[0]!.content).toBe(said);
  await settled(world.url);
  const receipt = await get<{ q: string }>(`/recalls/${receipt_id}`);
  expect(receipt.q).toBe(`Who pays with ${IS_CARD} and ${IS_TOKEN}?`);

  const exported = expectStatus(await client.request<string>('GET', '/export'), 200);
  const read = [
    await get<Turns>(`/memory/turns?${user}`),
    await get<Observations>(`/memory/observations?${user}`),
    await get<Entities>(`/memory/entities?${user}`),
    await get<Sessions>(`/memory/sessions?${user}`),
  ];
  for (const word of [...SECRET_WORDS, CARD]) expect(JSON.stringify(read)).not.toContain(word);
  for (const word of SECRET_WORDS) expect(exported).not.toContain(word);
  const metadata = {
    note: IS_TOKEN,
    deep: [{ role: IS_TOKEN, url: 'https://u:(secret: password-in-url)@h' }],
    order: 7,
  };
  expect(exported).toContain(JSON.stringify(metadata));

  // A title that is longer with its placeholders than it may be is refused, and says so.
  const long = `db://u:p@h ${'x'.repeat(190)}`;
  const refused = await client.request<{ details: { errors: object[] } }>(
    'PATCH',
    `/memory/sessions/monday?${user}`,
    { title: `${long}${'x'.repeat(50)}` },
  );
  expect(expectStatus(refused, 422).details.errors).toEqual([
    expect.objectContaining({ loc: ['body', 'title'], type: 'too_long' }),
  ]);
  await client.request('PUT', '/me/screening', { screen: 'default' });
};

/** An installation that screens, and an organization that doesn't. */
export const expectInstallation = async (world: World): Promise<void> => {
  const client = await connect(world);
  const turns = [{ ...AT, text: `My card is ${CARD}.` }];
  const write = { scope, turns };
  expect((await client.ingest(write)).screened).toEqual({ 'card-number': 1 });
  const set = (screen: string) => client.request<Screening>('PUT', '/me/screening', { screen });
  expect(expectStatus(await set('off'), 200)).toMatchObject({ screen: 'off', own: true });
  expect(await client.ingest(write)).not.toHaveProperty('screened');
  expect(expectStatus(await set('default'), 200)).toMatchObject({ screen: 'secrets', own: false });
};
