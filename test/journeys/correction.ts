/**
 * Facts that are said without a turn and corrected: what any answer tells of them. The same in both modes.
 */
import { expect } from 'vitest';
import type { StatedObservation } from '../../schemas/http/curation.ts';
import type { TurnDetails } from '../../schemas/http/items.ts';
import type { Facts, Observations } from '../../schemas/http/lists.ts';
import { type Client, connect, expectStatus, settled } from '../support/http/client.ts';

const scope = { org_id: 'any', user_id: 'ada', session_id: 's' };
const said = (text: string, month: number) => ({
  role: 'user',
  text,
  timestamp: `2026-0${month}-05T09:30:00Z`,
});

const say = async (client: Client, body: object): Promise<StatedObservation> =>
  expectStatus(
    await client.request<StatedObservation>('POST', '/memory/observations', { scope, ...body }),
    201,
  );
const correct = async (client: Client, id: string, body: object): Promise<StatedObservation> =>
  expectStatus(await client.request<StatedObservation>('PATCH', `/memory/observations/${id}`, body), 200);

const ALLERGY = {
  text: 'Ada is allergic to walnuts.',
  subject: 'Ada',
  attribute: 'allergy',
  value: 'walnuts',
};

const observationsOf = async (client: Client): Promise<Observations['observations']> =>
  expectStatus(await client.request<Observations>('GET', '/memory/observations?user_id=ada'), 200)
    .observations;

/** Returns what holds of Ada, by attribute. */
const heldOf = async (client: Client, more = ''): Promise<string[][]> => {
  const { facts } = expectStatus(await client.request<Facts>('GET', `/memory/facts?user_id=ada${more}`), 200);
  return facts.map(({ attribute, value }) => [attribute, value]).sort();
};

const HOME = '&attribute=home';

/** Says and corrects some; each is in every answer as soon as it was acknowledged. */
export const correctSome = async (url: string, client: Client): Promise<void> => {
  const write = (...turns: object[]) => client.ingest({ scope, turns: turns as never });
  await write(said('I live in Lisbon.', 1), said('I love the trams in Lisbon.', 2));
  await settled(url);
  const before = await client.today();

  const allergy = await say(client, ALLERGY);
  expect(allergy).toMatchObject({ turn_id: null, source: 'client', value: 'walnuts' });
  const again = await say(client, ALLERGY);
  expect(again).toEqual({ ...allergy, usage: { tokens_in: 0, tokens_out: 0 } });
  const nuts = await client.recall({ q: 'What is Ada allergic to?', scope });
  expect(nuts.hits.observations[0]).toMatchObject({ id: allergy.id, source_turn_ids: [] });

  const lisbon = (await observationsOf(client)).find(({ value }) => value === 'Lisbon')!;
  const lagos = await correct(client, lisbon.id, { value: 'Lagos' });
  expect(lagos).toMatchObject({ corrects: lisbon.id, value: 'Lagos', valid_from: lisbon.valid_from });
  expect(lagos.text).toBe(lisbon.text.replace('Lisbon', 'Lagos'));
  expect(await heldOf(client, HOME)).toEqual([['home', 'Lagos']]);
  // Sending it again corrects nothing anew, and naming the first one corrects what stands.
  expect(await correct(client, lisbon.id, { value: 'Lagos' })).toMatchObject({
    id: lagos.id,
    usage: { tokens_in: 0 },
  });
  const faro = await correct(client, lisbon.id, { value: 'Faro' });
  expect(faro.corrects).toBe(lagos.id);
  const back = await correct(client, lisbon.id, { value: 'Lagos' });
  expect([back.corrects, back.id === lagos.id]).toEqual([faro.id, false]);

  const billed = [allergy, lagos, faro, back].map(({ usage }) => usage.tokens_in);
  expect(Math.min(...billed)).toBeGreaterThan(0);
  const after = await client.today();
  const asked = nuts.usage.tokens_in;
  expect(after.tokens_in - before.tokens_in).toBe(billed.reduce((sum, each) => sum + each, asked));

  // The old words, said once more of the time before.
  await write(said('I live in Lisbon, as you know.', 1));
  await settled(url);
  for (const [id, body, status] of [
    [lisbon.id, {}, 422],
    [lisbon.id, { text: 'Ada lives somewhere.' }, 422],
    [lisbon.id, { value: 7 }, 400],
    [`obs_${'0'.repeat(32)}`, { value: 'Faro' }, 404],
  ] as const)
    expectStatus(await client.request('PATCH', `/memory/observations/${id}`, body), status);
  const incomplete = { scope, text: 'Ada lives.', attribute: 'home' };
  expectStatus(await client.request('POST', '/memory/observations', incomplete), 422);
  expectStatus(await client.request('POST', '/memory/observations', { text: 'Ada lives.' }), 400);
};

/** Expects corrections to hold in every answer, and what they corrected to be there for who asks for it. */
export const expectCorrected = async (world: { url: string; apiKey: string }): Promise<void> => {
  const client = await connect(world);
  // A start awaits turns, and not what was extracted from them.
  await settled(world.url);
  expect(await heldOf(client, HOME)).toEqual([['home', 'Lagos']]);
  expect(await heldOf(client, `${HOME}&holds=ever`)).toEqual([
    ['home', 'Faro'],
    ['home', 'Lagos'],
    ['home', 'Lagos'],
    ['home', 'Lisbon'],
  ]);
  expect(await heldOf(client, '&attribute=allergy')).toEqual([['allergy', 'walnuts']]);
  // A turn marks what was corrected of it, as the list does.
  const lisbon = (await observationsOf(client)).find(one => one.value === 'Lisbon' && one.superseded_by)!;
  const turn = await client.request<TurnDetails>('GET', `/memory/turns/${lisbon.turn_id}`);
  expect(expectStatus(turn, 200).observations).toContainEqual(lisbon);
  const asked = await client.recall({ q: 'Where do I live?', scope, include_context: true });
  const { observations, turns } = asked.hits;
  const [now, ...others] = observations;
  expect(now).toMatchObject({ attribute: 'home', value: 'Lagos' });
  expect(others.filter(({ attribute }) => attribute === 'home')).toEqual([]);
  const old = turns.filter(({ content }) => content.startsWith('I live in Lisbon'));
  expect(old.map(({ superseded_by }) => superseded_by)).toEqual(old.map(() => now!.id));
  expect(old.length).toBeGreaterThan(0);
  for (const { score } of old) expect(score).toBeLessThanOrEqual(now!.score);
  expect(asked.context).toContain('Lagos');
  expect(asked.context).not.toContain('live in Lisbon');
};

/** Two people correct one fact at the same time: one of the two holds, the same for everybody. */
export const correctTogether = async (url: string, client: Client): Promise<void> => {
  const job = { text: 'Ada works as a nurse.', subject: 'Ada', attribute: 'job', value: 'nurse' };
  const { id } = await say(client, job);
  await Promise.all(['medic', 'pilot', 'baker'].map(value => correct(client, id, { value })));
  await settled(url);
  const held = await heldOf(client, '&attribute=job');
  expect(held).toHaveLength(1);
  expect(['medic', 'pilot', 'baker']).toContain(held[0]![1]);
};
