import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observationId } from '../../domain/identity/identity.ts';
import { extracted, memoryErased, retracted, turnRecorded } from '../support/worlds/builders.ts';
import { type ListingWorld, listingWorld, type OpenListing, principal } from './openers/listing.ts';

const home = (value: string) => ({ subject: 'Ada', attribute: 'home', value });

/**
 * Tests what is left of a turn or an observation that was retracted, whatever is written before, after or
 * once more.
 */
export const describeRetraction = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`retraction: ${name}`, () => {
    let world: ListingWorld;
    beforeEach(async () => {
      world = await listingWorld(await open());
    });
    afterEach(() => world.close());

    const anybody = principal();
    const old = turnRecorded(0, { text: 'I live in Lyon.', observations: ['Ada said so.'] });
    const gone = turnRecorded(1, {
      text: 'I live in Porto.',
      observations: ['Ada likes Porto.'],
      role: 'Ada',
    });
    const other = turnRecorded(2, { user: 'ben', text: 'Comet is a dog.' });
    const lyon = { text: 'Ada lives in Lyon.', fact: home('Lyon') };
    const porto = { text: 'Ada lives in Porto.', fact: home('Porto') };
    const person = { label: 'Ada', kind: 'person' };
    const ofOld = extracted(0, old, { observations: [lyon], entities: [person] });
    const ofGone = extracted(1, gone, {
      observations: [porto, { text: 'Porto is warm.' }],
      entities: [person, { label: 'Porto', kind: 'place' }],
    });
    const ofOther = extracted(2, other, { entities: [{ label: 'Comet', kind: 'animal' }] });

    /** Everything that the lists tell. */
    const told = async () => {
      const { lists } = world;
      const { facts } = await lists.facts(anybody, { user_id: 'ada', holds: 'ever' });
      const { observations } = await lists.observations(anybody, {});
      return {
        turns: (await lists.turns(anybody, {})).turns.map(({ text }) => text),
        observations: observations.map(({ text }) => text).sort(),
        facts: facts.map(({ value, valid_until }) => [value, valid_until === null]),
        entities: (await lists.entities(anybody, {})).entities.map(({ label, turns }) => [label, turns]),
        users: (await lists.users(anybody, {})).users.map(({ user_id, turns }) => [user_id, turns]),
      };
    };
    const withoutTurn = {
      turns: ['I live in Lyon.', 'Comet is a dog.'],
      observations: ['Ada lives in Lyon.', 'Ada said so.'],
      facts: [['Lyon', true]],
      entities: [
        ['Ada', 1],
        ['Comet', 1],
      ],
      users: [
        ['ada', 1],
        ['ben', 1],
      ],
    };

    it('hides a turn with all that was observed of it, in every generation', async () => {
      await world.write(old, gone, other, ofOld, ofGone, ofOther);
      expect((await told()).facts).toEqual(
        expect.arrayContaining([
          ['Lyon', false],
          ['Porto', true],
        ]),
      );
      await world.write(retracted(3, gone));
      expect(await told()).toEqual(withoutTurn);
      await expect(world.lists.turn(anybody, gone.id)).rejects.toMatchObject({ code: 'not_found' });
      await world.promote();
      expect(await told()).toEqual(withoutTurn);
    });

    it('hides what is observed of it later, and what a late projector writes once more', async () => {
      await world.write(old, gone, other, ofOld, ofOther);
      await world.write(retracted(3, gone));
      await world.write(ofGone);
      expect(await told()).toEqual(withoutTurn);
      await world.write(gone, ofGone, retracted(9, gone));
      expect(await told()).toEqual(withoutTurn);
    });

    it('hides in the step that stores, whatever the order of the topics', async () => {
      await world.write(ofGone, ofOther, old, gone, other, retracted(3, gone), ofOld);
      expect(await told()).toEqual(withoutTurn);
    });

    it('hides one observation, of a client or of an extractor, and the older value holds again', async () => {
      const ids = [porto.text, 'Ada likes Porto.'].map(text => observationId(gone.id, text));
      await world.write(old, gone, other, ofOld, ofGone, ofOther);
      await world.write(...ids.map((id, n) => retracted(3 + n, gone, id)));
      const left = {
        turns: ['I live in Lyon.', 'I live in Porto.', 'Comet is a dog.'],
        observations: ['Ada lives in Lyon.', 'Ada said so.', 'Porto is warm.'],
        facts: [['Lyon', true]],
      };
      expect(await told()).toMatchObject(left);
      // The same words of a client and an extractor are one observation.
      const same = extracted(4, gone, {
        extractor: 'rules-10',
        observations: [porto, { text: 'Ada likes Porto.' }],
      });
      await world.write(gone, ofGone, same);
      expect(await told()).toMatchObject(left);
      for (const id of ids)
        expect(await world.listing.observation({ org: 'acme', user: undefined }, id)).toBeUndefined();
      await world.promote();
      expect(await told()).toMatchObject(left);
    });

    it('finds an observation by its whole id, in its organization alone', async () => {
      await world.write(old, ofOld);
      const [said, found] = ['Ada said so.', lyon.text].map(text => observationId(old.id, text));
      const read = (org: string, id: string) => world.listing.observation({ org, user: undefined }, id);
      expect(await read('acme', said!)).toMatchObject({ text: 'Ada said so.', sourceTurnId: old.id });
      expect(await read('acme', found!)).toMatchObject({ text: lyon.text, source: 'rules' });
      expect(await read('globex', said!)).toBeUndefined();
      expect(await read('acme', `trn_${said!.slice(4)}`)).toBeUndefined();
      expect(await read('acme', old.id)).toBeUndefined();
    });

    it('goes with its session when that is erased', async () => {
      await world.write(old, gone, other, ofOld, ofGone, ofOther, retracted(3, gone));
      await world.write(
        memoryErased(10, { session: 's1' }),
        memoryErased(10, { session: 's1', topic: 'observations' }),
      );
      expect(await told()).toMatchObject({ turns: ['Comet is a dog.'], users: [['ben', 1]], facts: [] });
    });
  });
};
