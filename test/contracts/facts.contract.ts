import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SaidFact } from '../../schemas/facts.ts';
import type { Query } from '../../schemas/http/lists.ts';
import { extracted, retracted, statement, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { type ListingWorld, listingWorld, type OpenListing, principal } from './openers/listing.ts';

/** Tests what a fact says beside its value, and what holds by it, in every index. */
export const describeFacts = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`facts: ${name}`, () => {
    let world: ListingWorld;
    beforeEach(async () => {
      world = await listingWorld(await open());
    });
    afterEach(() => world.close());

    const said = (n: number, fact: Omit<SaidFact, 'subject'>, role = 'Ada') => {
      const turn = turnRecorded(n, { text: `Ada says ${n}.`, role });
      const text = `Ada: ${fact.attribute} ${fact.value} ${n}.`;
      return [turn, extracted(n, turn, { observations: [{ text, fact: { subject: 'Ada', ...fact } }] })];
    };
    const facts = async (query: Partial<Query<'facts'>> = {}) =>
      (await world.lists.facts(principal(), { user_id: 'ada', ...query })).facts;
    const values = async (query: Partial<Query<'facts'>> = {}) =>
      (await facts(query)).map(({ value }) => value).sort();

    it('are kept with all that they say, in every generation', async () => {
      await world.write(
        ...said(1, {
          attribute: 'rent',
          about: 'garage',
          value: '€40',
          valid_from: '2019-05-04T00:00:00.000Z',
          stance: 'changed',
          certainty: 0.9,
        }),
        ...said(2, { attribute: 'rent', about: 'Flat', value: '900' }),
      );
      const check = async () =>
        expect(await facts()).toMatchObject([
          {
            about: 'garage',
            value: '€40',
            stance: 'changed',
            certainty: 0.9,
            valid_from: '2019-05-04T00:00:00.000Z',
            valid_until: null,
            disputed_by: [],
          },
          { about: 'Flat', value: '900', stance: 'holds', certainty: 1, valid_from: null },
        ]);
      await check();
      const { observations } = await world.lists.observations(principal(), { user_id: 'ada' });
      expect(observations.map(({ about, stance, certainty }) => [about, stance, certainty])).toEqual(
        expect.arrayContaining([
          ['garage', 'changed', 0.9],
          ['Flat', 'holds', 1],
        ]),
      );
      await world.promote();
      await check();
    });

    it('hold by when they stand, whatever began when', async () => {
      await world.write(
        ...said(1, { attribute: 'employer', value: 'Initech', valid_from: '2024-11-01T00:00:00.000Z' }),
        ...said(2, {
          attribute: 'employer',
          value: 'Acme',
          valid_from: '2023-04-01T00:00:00.000Z',
          stance: 'changed',
        }),
        ...said(3, { attribute: 'employer', value: 'Bosch', stance: 'was' }),
        ...said(4, { attribute: 'employer', value: 'Audi', valid_from: '2999-01-01T00:00:00.000Z' }),
      );
      expect(await values()).toEqual(['Initech']);
      const ever = (await facts({ holds: 'ever' })).map(({ value, valid_until, stance }) => [
        value,
        valid_until?.slice(0, 7) ?? null,
        stance,
      ]);
      expect(ever.filter(([value]) => value !== 'Bosch')).toEqual([
        ['Acme', '2024-11', 'changed'],
        ['Initech', null, 'holds'],
        ['Audi', null, 'plan'],
      ]);
      expect(ever).toHaveLength(4);
    });

    it('of likes and dislikes end each other, also from the tail, and come back', async () => {
      const hate = said(2, { attribute: 'dislikes', value: 'coffee' });
      await world.write(...said(1, { attribute: 'likes', value: 'drinking coffee' }), ...hate);
      expect(await values()).toEqual(['coffee']);
      expect(await values({ attribute: 'likes' })).toEqual([]);
      await world.write(retracted(3, hate[0]! as ReturnType<typeof turnRecorded>));
      expect(await values()).toEqual(['drinking coffee']);
      const stated = statement(9, {
        text: 'Ada hates coffee.',
        fact: { subject: 'Ada', attribute: 'dislikes', value: 'coffee' },
      });
      world.tail.push(tailTurn(stated));
      expect(await values()).toEqual(['coffee']);
    });

    it('that another says stand beside what somebody said, each with the other', async () => {
      await world.write(
        ...said(1, { attribute: 'home', value: 'Lyon' }),
        ...said(2, { attribute: 'home', value: 'Porto' }, 'Ben'),
      );
      const found = await facts();
      const idOf = new Map(found.map(({ value, id }) => [value, id]));
      expect(Object.fromEntries(found.map(({ value, disputed_by }) => [value, disputed_by]))).toEqual({
        Lyon: [idOf.get('Porto')],
        Porto: [idOf.get('Lyon')],
      });
    });
  });
};
