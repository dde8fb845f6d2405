/** Two agents of one user, told apart by the metadata of what they write. The same in both modes. */
import { expect } from 'vitest';
import type { Entities, Facts, Observations, Sessions, Turns, Users } from '../../schemas/http/lists.ts';
import type { Filter } from '../../schemas/http/queries/filter.ts';
import { accessToken, type Client, connect, expectStatus, settled } from '../support/http/client.ts';
import { openEvents } from '../support/http/event-stream.ts';

export const PLANNER: Filter = { key: 'agent_id', eq: 'planner' };
const CODER: Filter = { all: [{ key: 'agent_id', in: ['coder'] }, { not: { key: 'run.step', lt: 2 } }] };

const NOT_PLANNER: Filter = { not: { key: 'agent_id', eq: 'planner' } };

/** Words that one agent alone says, and its metadata. */
const WORDS = { planner: ['Zanthe', 'quokka', 'Rover'], coder: ['Bertold', 'wombat', 'Pixel'] };
/** The last word of each: a correction. */
const LAST = /Rover|Pixel/;
/** Words of the planner, and of a write of which no filter knows whether it is the planner's. */
const NOT_OF_OTHERS = /Zanthe|quokka|Rover|axolotl/;
/** A word of the planner's metadata. */
export const METADATA_WORD = 'okapi';

const said = (text: string, day: number, observations: object[] = []) => ({
  role: 'user',
  text,
  timestamp: `2026-03-0${day}T09:30:00Z`,
  observations,
});
const home = (value: string) => ({
  text: `Ada lives in ${value}.`,
  subject: 'Ada',
  attribute: 'home',
  value,
});

const pet = (subject: string, value: string) => ({
  text: `${subject} has a pet, ${value}.`,
  subject,
  attribute: 'pet',
  value,
});

const write = (client: Client, session_id: string, metadata: object | undefined, turns: object[]) =>
  client.ingest({ scope: { user_id: 'ada', session_id }, turns: turns as never, metadata } as never);

const query = (filter: Filter): string => encodeURIComponent(JSON.stringify(filter));

const recalled = async (client: Client, filter: Filter | undefined, q: string, more: object = {}) =>
  JSON.stringify(await client.recall({ q, scope: { user_id: 'ada' }, filter, top_k: 30, ...more } as never));

/** Writes as two agents, and as nobody in particular. */
export const writeAsAgents = async (client: Client, url: string): Promise<void> => {
  const planner = { agent_id: 'planner', run: { step: 1 }, tags: [METADATA_WORD] };
  const turns = [
    said('Zanthe told me that I live in Lyon.', 1, [home('Lyon')]),
    said('My quokka sleeps.', 2, [pet('Ada', 'Bello')]),
  ];
  await write(client, 'p', planner, turns);
  await write(client, 'c', { agent_id: 'coder', run: { step: 3 } }, [
    said('Bertold told me that I moved to Porto.', 3, [home('Porto')]),
    said('My wombat sleeps.', 4, [pet('Ben', 'Felix')]),
  ]);
  await write(client, 'n', undefined, [said('My giraffe sleeps.', 5)]);
  // Whose write this is has no room among its terms.
  const notes = Array.from({ length: 40 }, (_, n) => `${n}`.padStart(200, '.'));
  await write(client, 'l', { notes, agent_id: 'planner' }, [said('My axolotl sleeps.', 6)]);
  const titled = await client.request('PATCH', '/memory/sessions/p?user_id=ada', { title: 'My quokka' });
  expect(titled.status).toBe(200);
  for (const filter of [NOT_PLANNER, { key: 'agent_id', exists: false }])
    expect(await recalled(client, filter, 'What sleeps?')).not.toMatch(NOT_OF_OTHERS);
  // The tail obeys as the index does, which may not have it yet.
  const found = await recalled(client, PLANNER, 'What sleeps?');
  expect(found).toContain('quokka');
  expect(found).not.toMatch(/wombat|giraffe/);
  await settled(url);
  // The first copy wins.
  const again = await write(client, 'p', { agent_id: 'coder', run: { step: 9 } }, turns);
  expect(again.usage.tokens_in).toBe(0);
  await settled(url);
  await correctAsAgents(client);
  await settled(url);
};

/** Checks that a correction goes where what it corrects goes: at once, and corrected once more too. */
const correctAsAgents = async (client: Client): Promise<void> => {
  const correct = async (id: string, value: string) => {
    const { body } = await client.request<{ id: string }>('PATCH', `/memory/observations/${id}`, { value });
    return body.id;
  };
  for (const [filter, first, second] of [
    [PLANNER, 'Rex', 'Rover'],
    [CODER, 'Tom', 'Pixel'],
  ] as const) {
    const asked = `/memory/observations?filter=${query(filter)}`;
    const { body } = await client.request<Observations>('GET', asked);
    const { id } = body.observations.find(({ attribute }) => attribute === 'pet')!;
    expect(await correct(await correct(id, first), second)).toMatch(/^obs_/);
    const found = await recalled(client, filter, `What is the name of the pet, ${second}?`);
    expect(found).toContain(second);
    expect(await recalled(client, filter === PLANNER ? CODER : PLANNER, `Who is ${second}?`)).not.toContain(
      second,
    );
  }
};

/** Each agent finds its own, in every answer. */
export const expectApart = async ({ url, apiKey }: { url: string; apiKey: string }): Promise<void> => {
  const client = await connect({ url, apiKey });
  const token = await accessToken(url, apiKey);
  const get = async <T>(path: string): Promise<T> =>
    expectStatus(await client.request<T>('GET', path), 200) as T;
  const exported = async (filter: Filter): Promise<string> => {
    const authorization = `Bearer ${token}`;
    return (await fetch(`${url}/export?filter=${query(filter)}`, { headers: { authorization } })).text();
  };

  for (const [own, others, filter] of [
    [WORDS.planner, WORDS.coder, PLANNER],
    [WORDS.coder, WORDS.planner, CODER],
  ] as const) {
    const texts: string[] = [];
    for (const mode of ['active', 'deep'])
      for (const q of ['What sleeps?', 'Where do I live, and who told me?', 'Where does Ada live?'])
        texts.push(
          await recalled(client, filter, q, { mode, include_context: true, include_timeline: true }),
        );
    for (const list of ['turns', 'observations', 'entities', 'sessions', 'users'])
      texts.push(JSON.stringify(await get(`/memory/${list}?filter=${query(filter)}`)));
    texts.push(await exported(filter));
    const stream = await openEvents(url, token, { path: `/events?filter=${query(filter)}` });
    for await (const event of stream.events()) {
      texts.push(JSON.stringify(event));
      if (LAST.test(event.data.text)) break;
    }
    stream.close();
    const all = texts.join('\n');
    for (const word of own) expect(all).toContain(word);
    for (const word of others) expect(all).not.toContain(word);
    expect(all).not.toContain('giraffe');
  }

  const ofOthers = [await exported(NOT_PLANNER), await recalled(client, NOT_PLANNER, 'What sleeps?')];
  for (const list of ['turns', 'observations', 'sessions'])
    ofOthers.push(JSON.stringify(await get(`/memory/${list}?filter=${query(NOT_PLANNER)}`)));
  for (const text of ofOthers.slice(0, 2)) expect(text).toContain('giraffe');
  expect(ofOthers.join('\n')).not.toMatch(NOT_OF_OTHERS);

  const corrected = async (filter: Filter) =>
    (await get<Observations>(`/memory/observations?filter=${query(filter)}`)).observations.flatMap(
      ({ corrects, value }) => (corrects ? [value] : []),
    );
  expect([await corrected(PLANNER), await corrected(CODER)]).toEqual([
    ['Rex', 'Rover'],
    ['Tom', 'Pixel'],
  ]);
  expect(await corrected({ not: { key: 'agent_id', exists: true } })).toEqual([]);
  expect((await get<Turns>(`/memory/turns?filter=${query(PLANNER)}`)).turns).toHaveLength(2);
  expect((await get<Sessions>(`/memory/sessions?filter=${query(PLANNER)}`)).sessions).toMatchObject([
    { session_id: 'p', turns: 2 },
  ]);
  expect((await get<Users>(`/memory/users?filter=${query(CODER)}`)).users).toMatchObject([
    { user_id: 'ada', turns: 2, sessions: 1 },
  ]);
  const { observations } = await get<Observations>(`/memory/observations?filter=${query(PLANNER)}`);
  expect(observations.map(({ text }) => text)).toContain('Ada lives in Lyon.');
  expect(JSON.stringify(observations)).not.toContain('Porto');
  const { entities } = await get<Entities>(`/memory/entities?filter=${query(PLANNER)}`);
  expect(entities.map(({ label }) => label)).toContain('Lyon');
  // Decided over everything, selected afterwards.
  const facts = async (filter: Filter, holds: string) =>
    (
      await get<Facts>(
        `/memory/facts?user_id=ada&attribute=home&subject=Ada&holds=${holds}&filter=${query(filter)}`,
      )
    ).facts.map(({ value }) => value);
  expect([await facts(PLANNER, 'now'), await facts(PLANNER, 'ever'), await facts(CODER, 'now')]).toEqual([
    [],
    ['Lyon'],
    ['Porto'],
  ]);
  const none = await client.recall({
    q: 'What sleeps?',
    scope: { user_id: 'ada' },
    filter: { not: { key: 'agent_id', exists: true } },
  } as never);
  expect(none.hits.turns.map(({ text }) => text)).toEqual(['[2026-03-05] [user] My giraffe sleeps.']);
};

/** One error in the contract's shape for all that a filter may have wrong, wherever it is. */
export const expectRefused = async (client: Client): Promise<void> => {
  const refusal = async (filter: unknown) => {
    const { status, body } = await client.request<{
      details: { errors: { loc: unknown[]; type: string }[] };
    }>('POST', '/recall', { scope: { org_id: 'local' }, q: 'x', filter });
    return [status, body.details?.errors.map(({ loc, type }) => `${loc.slice(2).join('.')} ${type}`)];
  };
  const leaf = { key: 'a', eq: 1 };
  let deep: unknown = leaf;
  for (let level = 0; level < 8; level++) deep = { not: deep };
  expect(await refusal(deep)).toEqual([422, [' too_deep']]);
  expect(await refusal({ any: Array.from({ length: 33 }, () => leaf) })).toEqual([422, [' too_many']]);
  expect(await refusal({ key: 'a', like: 1 })).toEqual([400, [' unknown']]);
  expect(await refusal({ all: [{ key: 'a', gt: true }, { eq: 1 }, { key: '', in: [] }] })).toEqual([
    400,
    ['all.0.gt wrong_type', 'all.1.key missing', 'all.2.in too_few', 'all.2.key too_short'],
  ]);
  for (const path of ['/memory/turns', '/memory/facts', '/memory/users', '/events', '/export']) {
    const answers = ['{', '{"key":"a"}', '{"key":"a","in":[]}'].map(filter =>
      client.request('GET', `${path}?filter=${encodeURIComponent(filter)}`),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400, 422]);
  }
};
