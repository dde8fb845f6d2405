/**
 * Names that a rule merges are set apart, merged again and labelled anew: what every answer tells. The same
 * in both modes.
 */
import { expect } from 'vitest';
import type { EntityItem, TurnDetails } from '../../schemas/http/items.ts';
import type { Entities, Facts, Observations, Sessions } from '../../schemas/http/lists.ts';
import { type Client, expectStatus, settled } from '../support/http/client.ts';

const scope = { user_id: 'ada', session_id: 'home' };
const said = (month: number, text: string, subject: string, value: string) => ({
  role: 'user',
  text,
  timestamp: `2026-0${month}-05T09:30:00Z`,
  observations: [{ text: `${subject} lives in ${value}.`, subject, attribute: 'home', value }],
});

const entitiesOf = async (client: Client): Promise<EntityItem[]> =>
  expectStatus(await client.request<Entities>('GET', '/memory/entities?user_id=ada'), 200).entities;

const people = async (client: Client) =>
  (await entitiesOf(client))
    .filter(({ label }) => /^(?:Mel|Nell)/.test(label))
    .map(({ label, aliases }) => [label, aliases.map(alias => alias.label)]);

const homes = async (client: Client) =>
  expectStatus(await client.request<Facts>('GET', '/memory/facts?user_id=ada&attribute=home&holds=ever'), 200)
    .facts.map(({ subject, value, valid_until }) => [subject.label, value, valid_until === null])
    .filter(([label]) => /^(?:Mel|Nell)/.test(String(label)))
    .sort();

const recalled = async (client: Client, q: string) => {
  const { hits, context } = await client.recall({
    q,
    scope: { user_id: 'ada' },
    top_k: 30,
    include_context: true,
  });
  return {
    old: hits.turns.filter(({ superseded_by }) => superseded_by !== undefined).map(({ content }) => content),
    people: hits.entities
      .map(({ label }) => label)
      .filter(label => /^(?:Mel|Nell)/.test(label))
      .sort(),
    context: context ?? '',
  };
};

const QUESTION = 'Where do Mel and Melanie live?';
const OLD = 'Mel lives in Lyon.';

/** Says it, and corrects it: split, merged again, labelled. */
export const correctNames = async (url: string, client: Client): Promise<void> => {
  await client.ingest({
    scope,
    turns: [
      said(1, OLD, 'Mel', 'Lyon'),
      said(6, 'Melanie lives in Porto.', 'Melanie', 'Porto'),
      { role: 'user', text: 'I asked Melanie about the garden.', timestamp: '2026-07-05T09:30:00Z' },
    ] as never,
  });
  await settled(url);
  const id = async (label: string): Promise<string> => {
    const all = (await entitiesOf(client)).flatMap(entity => [entity, ...entity.aliases]);
    return all.find(one => one.label === label)!.id;
  };
  const correct = async (label: string, body: object) =>
    expectStatus(
      await client.request<EntityItem>('PATCH', `/memory/entities/${await id(label)}?user_id=ada`, body),
      200,
    );
  expect(await people(client)).toEqual([['Melanie', ['Mel']]]);
  expect(await recalled(client, QUESTION)).toMatchObject({ old: [OLD], people: ['Melanie'] });

  const split = await correct('Melanie', { split: [await id('Mel')] });
  expect(split).toMatchObject({ label: 'Melanie', aliases: [] });
  // The answer is true at once.
  expect(await people(client)).toEqual([
    ['Mel', []],
    ['Melanie', []],
  ]);
  expect(await homes(client)).toEqual([
    ['Mel', 'Lyon', true],
    ['Melanie', 'Porto', true],
  ]);
  expect(await recalled(client, QUESTION)).toMatchObject({ old: [], people: ['Mel', 'Melanie'] });

  await correct('Mel', { merge_into: await id('Melanie') });
  expect(await homes(client)).toEqual([
    ['Melanie', 'Lyon', false],
    ['Melanie', 'Porto', true],
  ]);
  await correct('Melanie', { label: 'Nell' });
  expectStatus(
    await client.request('PATCH', '/memory/sessions/home?user_id=ada', { title: 'Who lives where' }),
    200,
  );
  await sayOwnNames(url, client);
};

/** Two people who are called Kim, in two sessions, and a user who is called Priya in one of them. */
const sayOwnNames = async (url: string, client: Client): Promise<void> => {
  const homesIn = (session_id: string, role: string, value: string) =>
    client.ingest({
      scope: { user_id: 'ada', session_id },
      turns: [
        {
          role,
          text: `I live in ${value}. Kim lives in ${value} as well.`,
          timestamp: '2026-03-01T09:30:00Z',
        },
      ] as never,
    });
  await homesIn('chat', 'user', 'Bonn');
  await homesIn('slack', 'Priya', 'Kiel');
  await settled(url);
  const kim = (await entitiesOf(client)).find(({ label }) => label === 'Kim')!;
  expectStatus(
    await client.request('PATCH', `/memory/entities/${kim.id}?user_id=ada`, {
      split: [{ session_id: 'slack', label: 'Kim Novak' }],
    }),
    200,
  );
  expect(
    expectStatus(await client.request('PUT', '/memory/users/ada', { names: ['Priya'] }), 200),
  ).toMatchObject({ names: ['Priya'] });
};

const expectOwnNames = async (client: Client): Promise<void> => {
  expect(expectStatus(await client.request('GET', '/memory/users/ada'), 200)).toMatchObject({
    names: ['Priya'],
  });
  const { facts } = expectStatus(
    await client.request<Facts>('GET', '/memory/facts?user_id=ada&attribute=home&holds=ever'),
    200,
  );
  const of = (label: string) =>
    facts.flatMap(({ subject, value }) => (subject.label === label ? [value] : [])).sort();
  expect([of('Priya'), of('Kim'), of('Kim Novak'), of('The user')]).toEqual([
    ['Bonn', 'Kiel'],
    ['Bonn'],
    ['Kiel'],
    [],
  ]);
};

export const expectCorrected = async (client: Client): Promise<void> => {
  await expectOwnNames(client);
  expect(await people(client)).toEqual([['Nell', ['Mel']]]);
  expect(await homes(client)).toEqual([
    ['Nell', 'Lyon', false],
    ['Nell', 'Porto', true],
  ]);
  const now = await recalled(client, 'Where does Nell live?');
  expect(now).toMatchObject({ people: ['Nell'] });
  expect(now.context).toContain('Porto');
  const { observations } = expectStatus(
    await client.request<Observations>('GET', '/memory/observations?user_id=ada&source=client'),
    200,
  );
  expect(new Set(observations.map(({ subject }) => subject?.label))).toEqual(new Set(['Nell']));
  const turn = expectStatus(
    await client.request<TurnDetails>('GET', `/memory/turns/${observations[0]!.turn_id}`),
    200,
  );
  expect(turn.observations.some(({ subject }) => subject?.label === 'Nell')).toBe(true);
  const { sessions } = expectStatus(
    await client.request<Sessions>('GET', '/memory/sessions?user_id=ada'),
    200,
  );
  expect(sessions.flatMap(({ title }) => title ?? [])).toEqual(['Who lives where']);
};
