/**
 * Each kind of what is made of a turn's words, for each way in which the turn goes: nothing tells the words
 * any more. The same in both modes.
 */
import { expect } from 'vitest';
import type { EntityItem } from '../../schemas/http/items.ts';
import type { Entities, Observations } from '../../schemas/http/lists.ts';
import { accessToken, type Client, connect, expectStatus, settled } from '../support/http/client.ts';
import { openEvents } from '../support/http/event-stream.ts';
import type { HeldClock } from '../support/processes/clock.ts';

export interface World {
  url: string;
  apiKey: string;
  clock: HeldClock;
}

/** The turn itself, and all that is made of it. */
const KINDS = ['said', 'observed', 'corrected', 'correctedagain', 'titled', 'retitled', 'merged'] as const;
type Kind = (typeof KINDS)[number];

const WAYS = ['hidden', 'observation', 'expired', 'erased'] as const;
type Way = (typeof WAYS)[number];

/** A word that nothing else has; names begin with a capital. */
const word = (kind: Kind, way: Way | 'kept'): string => (kind === 'merged' ? `Zor${way}` : `${kind}qx${way}`);

/** The kinds that stay: one observation of a turn is hidden alone. */
const LEFT: Readonly<Record<Way, readonly Kind[]>> = {
  hidden: [],
  observation: ['said', 'merged'],
  expired: [],
  erased: [],
};

const HOUR_MS = 3_600_000;
const LAST = 'That was all of it.';
const scopeOf = (way: Way, session = 'gone') => ({ user_id: way, session_id: session });
const on = (day: number) => ({ role: 'user', timestamp: `2026-01-0${day}T09:30:00Z` });

const observed = async (client: Client, way: Way): Promise<string> => {
  const { observations } = expectStatus(
    await client.request<Observations>('GET', `/memory/observations?user_id=${way}&source=client`),
    200,
  );
  return observations.find(({ text }) => text.includes(word('observed', way)))!.id;
};

const entityOf = async (client: Client, user: string, label: string): Promise<EntityItem> => {
  const { entities } = expectStatus(
    await client.request<Entities>('GET', `/memory/entities?user_id=${user}`),
    200,
  );
  return entities.find(one => one.label === label)!;
};

const patch = async (client: Client, path: string, body: object): Promise<{ id: string }> =>
  expectStatus(await client.request<{ id: string }>('PATCH', path, body), 200);

interface Written {
  turn: string;
  observation: string;
  receipt: string;
  expires: number;
}

/** Says it in two sessions, of which one stays, and makes of it whatever can be made. */
const write = async ({ url, clock }: World, client: Client, way: Way): Promise<Written> => {
  const expires = clock.now() + HOUR_MS;
  const options = way === 'expired' ? { expires_at: new Date(expires).toISOString() } : {};
  await client.ingest({
    scope: scopeOf(way, 'kept'),
    turns: [{ ...on(1), text: `Bea${way} lives in Oslo, with a keptqx.` }],
  });
  const { active_fragment_ids } = await client.ingest({
    scope: scopeOf(way),
    turns: [
      {
        ...on(2),
        text: `I keep a ${word('said', way)}. ${word('merged', way)} lives in Oslo.`,
        observations: [{ text: `The user keeps an ${word('observed', way)}.` }],
      },
    ],
    options,
  });
  await settled(url);
  const observation = await observed(client, way);
  const path = `/memory/observations/${observation}`;
  await patch(client, path, { text: `The user keeps a ${word('corrected', way)}.` });
  await patch(client, path, { text: `The user keeps a ${word('correctedagain', way)}.` });
  const session = `/memory/sessions/gone?user_id=${way}`;
  await patch(client, session, { title: `About the ${word('titled', way)}` });
  await patch(client, session, { title: `About the ${word('retitled', way)}` });
  const bea = await entityOf(client, way, `Bea${way}`);
  const other = await entityOf(client, way, word('merged', way));
  await patch(client, `/memory/entities/${bea.id}?user_id=${way}`, { merge_into: other.id });
  const { receipt_id } = await client.recall({
    q: 'What does the user keep, and who lives in Oslo?',
    scope: { user_id: way },
    top_k: 30,
    include_context: true,
    receipt: true,
  });
  return { turn: active_fragment_ids[0]!, observation, receipt: receipt_id!, expires };
};

const go: Readonly<Record<Way, (world: World, client: Client, written: Written) => Promise<void>>> = {
  hidden: async (_, client, { turn }) => {
    expectStatus(await client.request('DELETE', `/memory/turns/${turn}`), 204);
  },
  observation: async (_, client, { observation }) => {
    expectStatus(await client.request('DELETE', `/memory/observations/${observation}`), 204);
  },
  expired: async ({ clock }, __, { expires }) => clock.pass(expires),
  erased: async (_, client) => {
    const scope = { org_id: 'x', ...scopeOf('erased') };
    expectStatus(await client.request('DELETE', '/memory', { scope }), 200);
  },
};

/** Everything that can be asked of a user, as text. */
const everything = async (client: Client, way: Way, { receipt }: Written): Promise<string> => {
  const answers: unknown[] = [];
  for (const mode of ['active', 'deep'] as const)
    for (const scope of [{ user_id: way }, scopeOf(way), scopeOf(way, 'kept')])
      for (const q of ['What does the user keep?', `Where does Bea${way} live?`])
        answers.push(
          await client.recall({ q, scope, mode, top_k: 50, include_timeline: true, include_context: true }),
        );
  const ofUser = `user_id=${way}`;
  for (const path of [
    `/memory/users/${way}`,
    ...['sessions', 'turns', 'observations', 'entities'].map(list => `/memory/${list}?${ofUser}`),
    `/memory/facts?holds=ever&${ofUser}`,
    `/recalls/${receipt}`,
  ])
    answers.push([path, (await client.request('GET', path)).body]);
  return JSON.stringify(answers);
};

/** An organization's export and its feed, of all users. */
const streamed = async (url: string, apiKey: string): Promise<string> => {
  const token = await accessToken(url, apiKey);
  const exported = await fetch(`${url}/export`, { headers: { authorization: `Bearer ${token}` } });
  const texts = [await exported.text()];
  const stream = await openEvents(url, token);
  for await (const event of stream.events()) {
    texts.push(JSON.stringify(event));
    if (texts.at(-1)!.includes(LAST)) break;
  }
  stream.close();
  return texts.join('\n');
};

export type Gone = ReadonlyMap<Way, Written>;

/** Makes all kinds for all ways, and lets them go. */
export const letGo = async (world: World): Promise<Gone> => {
  const client = await connect(world);
  const gone = new Map<Way, Written>();
  for (const way of WAYS) gone.set(way, await write(world, client, way));
  await client.ingest({ scope: { user_id: 'last' }, turns: [{ ...on(9), text: LAST }] });
  await settled(world.url);
  const told = await wordsTold(world, gone);
  for (const way of WAYS) for (const kind of KINDS) expect(told).toContain(`${way}: ${kind} in answers`);
  for (const [way, written] of gone) await go[way](world, client, written);
  return gone;
};

/** Returns the words that are told, and where. */
const wordsTold = async (world: World, gone: Gone): Promise<string[]> => {
  const client = await connect(world);
  const inStreams = await streamed(world.url, world.apiKey);
  const told: string[] = [];
  for (const [way, written] of gone) {
    const answers = await everything(client, way, written);
    for (const [place, text] of Object.entries({ answers, inStreams })) {
      // The other session is as it was.
      expect(text).toContain(`Bea${way}`);
      for (const kind of KINDS) if (text.includes(word(kind, way))) told.push(`${way}: ${kind} in ${place}`);
    }
  }
  return told;
};

/** Expects what has gone to be told by nothing, and what was not meant to be told as before. */
export const expectGone = async (world: World, gone: Gone): Promise<void> => {
  const left = WAYS.flatMap(way =>
    LEFT[way].flatMap(kind => ['answers', 'inStreams'].map(place => `${way}: ${kind} in ${place}`)),
  );
  expect((await wordsTold(world, gone)).sort()).toEqual(left.sort());
};

/** A retention ends a turn: what it was corrected to ends with it, however much later that was said. */
export const outliveRetention = async (world: World): Promise<void> => {
  const { clock, url } = world;
  const way = 'hidden';
  const client = await connect(world);
  expectStatus(await client.request('PUT', '/me/retention', { days: 2 }), 200);
  clock.advance(25 * HOUR_MS);
  const later = await connect(world);
  await later.ingest({
    scope: { user_id: 'kept', session_id: 'gone' },
    turns: [
      {
        ...on(2),
        text: 'I keep it.',
        observations: [{ text: `The user keeps an ${word('observed', way)}.` }],
      },
    ],
  });
  await settled(url);
  const { observations } = expectStatus(
    await later.request<Observations>('GET', '/memory/observations?user_id=kept&source=client'),
    200,
  );
  clock.advance(40 * HOUR_MS);
  const corrector = await connect(world);
  const text = `The user keeps a ${word('corrected', 'kept')}.`;
  await patch(corrector, `/memory/observations/${observations[0]!.id}`, { text });
  await settled(url);
  const told = async () => {
    const reader = await connect(world);
    const { body } = await reader.request('GET', '/memory/observations?user_id=kept');
    const { hits } = await reader.recall({ q: 'What does the user keep?', scope: { user_id: 'kept' } });
    const token = await accessToken(url, world.apiKey);
    const exported = await fetch(`${url}/export`, { headers: { authorization: `Bearer ${token}` } });
    const texts = { list: JSON.stringify(body), hits: JSON.stringify(hits), exported: await exported.text() };
    return Object.entries(texts).flatMap(([place, told]) =>
      told.includes(word('corrected', 'kept')) ? [place] : [],
    );
  };
  expect(await told()).toEqual(['list', 'hits', 'exported']);
  clock.advance(10 * HOUR_MS);
  expect(await told()).toEqual([]);
};
