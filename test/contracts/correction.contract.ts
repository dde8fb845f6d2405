import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { factKey } from '../../domain/facts/stored-fact.ts';
import { entityId, observationId, statementObservationId } from '../../domain/identity/identity.ts';
import type { Query } from '../../schemas/http/lists.ts';
import {
  extracted,
  memoryErased,
  minute,
  retracted,
  statement,
  tailTurn,
  turnRecorded,
} from '../support/worlds/builders.ts';
import { type ListingWorld, listingWorld, type OpenListing, principal } from './openers/listing.ts';

const home = (value: string) => ({ subject: 'Ada', attribute: 'home', value });
const idOf = ({ id }: { id: string }): string => statementObservationId(id);

/** Tests what was said without a turn, and what corrects an observation, in every index. */
export const describeCorrection = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`correction: ${name}`, () => {
    let world: ListingWorld;
    beforeEach(async () => {
      world = await listingWorld(await open());
    });
    afterEach(() => world.close());

    const anybody = principal();
    const moved = turnRecorded(1, { text: 'I live in Lisbon.' });
    const found = extracted(1, moved, {
      observations: [{ text: 'Ada lives in Lisbon.', fact: home('Lisbon') }, { text: 'Lisbon is warm.' }],
    });
    const [lisbon, warm] = ['Ada lives in Lisbon.', 'Lisbon is warm.'].map(text =>
      observationId(moved.id, text),
    );
    const ofMoved = (id: string) => ({ observation_id: id, follows: [id, moved.id] });
    const corrects = { ...ofMoved(lisbon!), subject: 'Ada', attribute: 'home' };
    const at = Date.parse(moved.data.timestamp);
    const lagos = statement(2, {
      text: 'Ada lives in Lagos.',
      fact: { ...home('Lagos'), valid_from: moved.data.timestamp },
      corrects,
      timestamp: at,
      recordedAt: minute(100),
    });
    const faro = statement(3, {
      text: 'Ada lives in Faro.',
      fact: { ...home('Faro'), valid_from: moved.data.timestamp },
      corrects: { ...corrects, observation_id: idOf(lagos), follows: [idOf(lagos), ...corrects.follows] },
      timestamp: at,
      recordedAt: minute(200),
    });
    const cold = statement(4, {
      text: 'Lisbon is cold.',
      corrects: ofMoved(warm!),
      timestamp: at,
    });

    const facts = async (query: Partial<Query<'facts'>> = {}) =>
      (await world.lists.facts(anybody, { user_id: 'ada', ...query })).facts.map(
        ({ value, valid_until, superseded_by }) => [value, valid_until === null, superseded_by],
      );
    const marked = async () =>
      Object.fromEntries(
        (await world.lists.observations(anybody, { user_id: 'ada' })).observations.map(
          ({ text, superseded_by, corrects }) => [text, [superseded_by, corrects]],
        ),
      );

    it('keeps what was said without a turn, which no list of turns has', async () => {
      const said = statement(1, {
        text: 'Ada has a dog.',
        fact: { subject: 'Ada', attribute: 'pet', value: 'Comet' },
      });
      await world.write(said, said);
      const { observations } = await world.lists.observations(anybody, {});
      expect(observations).toMatchObject([
        { id: idOf(said), turn_id: null, text: 'Ada has a dog.', source: 'client', value: 'Comet' },
      ]);
      const { facts } = await world.lists.facts(anybody, { user_id: 'ada' });
      expect(facts).toMatchObject([{ id: idOf(said), value: 'Comet', source_turn_ids: [] }]);
      expect((await world.lists.turns(anybody, {})).turns).toEqual([]);
      await expect(world.lists.turn(anybody, said.id)).rejects.toMatchObject({ code: 'not_found' });
      await world.promote();
      expect((await world.lists.observations(anybody, {})).observations).toEqual(observations);
    });

    it('holds instead of what it corrects, whatever comes first, in every generation', async () => {
      await world.write(lagos, cold);
      await world.write(moved, found);
      const expected = {
        facts: [
          ['Lisbon', false, idOf(lagos)],
          ['Lagos', true, null],
        ],
        marked: {
          'Ada lives in Lisbon.': [idOf(lagos), undefined],
          'Ada lives in Lagos.': [undefined, lisbon],
          'Lisbon is warm.': [idOf(cold), undefined],
          'Lisbon is cold.': [undefined, warm],
        },
      };
      const seen = async () => ({ facts: await facts({ holds: 'ever' }), marked: await marked() });
      expect((await seen()).facts).toHaveLength(2);
      expect((await seen()).facts).toEqual(expect.arrayContaining(expected.facts));
      expect((await seen()).marked).toEqual(expected.marked);
      expect(await facts()).toEqual([['Lagos', true, null]]);
      await world.promote();
      expect((await seen()).facts).toEqual(expect.arrayContaining(expected.facts));
      expect((await seen()).marked).toEqual(expected.marked);
    });

    it('is read from the tail before it is projected', async () => {
      await world.write(moved, found);
      world.tail.push(tailTurn(lagos), tailTurn(cold));
      expect(await facts()).toEqual([['Lagos', true, null]]);
      expect(await marked()).toMatchObject({
        'Ada lives in Lisbon.': [idOf(lagos), undefined],
        'Lisbon is warm.': [idOf(cold), undefined],
      });
    });

    it('is corrected in turn, is told of its moment, and gives way to what it corrected when it is hidden', async () => {
      await world.write(moved, found, lagos, faro);
      expect(await facts()).toEqual([['Faro', true, null]]);
      const asOf = (minutes: number) => facts({ as_of: new Date(minute(minutes)).toISOString() });
      expect(await asOf(199)).toEqual([['Lagos', true, null]]);
      expect(await asOf(201)).toEqual([['Faro', true, null]]);
      await world.write(retracted(9, faro, idOf(faro)));
      expect(await facts()).toEqual([['Lagos', true, null]]);
      await world.write(retracted(10, lagos, idOf(lagos)));
      expect(await facts()).toEqual([['Lisbon', true, null]]);
      await world.promote();
      expect(await facts()).toEqual([['Lisbon', true, null]]);
    });

    describe('what it corrects is hidden, and it comes before that or after, in a step of its own or in the same', () => {
      const ofTurn = retracted(9, moved);
      const ofLisbon = retracted(9, moved, lisbon);
      const ofLagos = retracted(9, lagos, idOf(lagos));
      const nothing: string[] = [];
      const [all, alone] = [
        [lagos, faro, cold],
        [lagos, faro],
      ];
      it.each([
        {
          hides: 'the turn',
          steps: [[moved, found], [lagos], [faro], [cold], [ofTurn]],
          left: nothing,
        },
        { hides: 'the turn', steps: [[moved, found], [ofTurn], [lagos], [faro], [cold]], left: nothing },
        {
          hides: 'the turn',
          steps: [
            [moved, found],
            [lagos, ofTurn, faro, cold],
          ],
          left: nothing,
        },
        { hides: 'the turn', steps: [[...all, moved], [ofTurn], [found]], left: nothing },
        { hides: 'the turn', steps: [[moved, ofTurn], [found], all, all], left: nothing },
        { hides: 'the fact', steps: [[moved, found], alone, [ofLisbon]], left: ['Lisbon is warm.'] },
        { hides: 'the fact', steps: [[moved, found], [ofLisbon], alone], left: ['Lisbon is warm.'] },
        { hides: 'the fact', steps: [[moved, ...alone], [ofLisbon], [found]], left: ['Lisbon is warm.'] },
        {
          hides: 'the correction between',
          steps: [[moved, found], [ofLagos], [faro]],
          left: ['Ada lives in Lisbon.', 'Lisbon is warm.'],
        },
        {
          hides: 'the correction between',
          steps: [[moved, found], alone, [ofLagos]],
          left: ['Ada lives in Lisbon.', 'Lisbon is warm.'],
        },
      ])('hides $hides: %#', async ({ steps, left }) => {
        for (const step of steps) await world.write(...step);
        expect(Object.keys(await marked()).sort()).toEqual(left);
        const held = left.includes('Ada lives in Lisbon.') ? [['Lisbon', true, null]] : [];
        expect(await facts({ holds: 'ever' })).toEqual(held);
        await world.promote();
        expect(Object.keys(await marked()).sort()).toEqual(left);
      });
    });

    it('reaches a fact of another attribute and another subject', async () => {
      const bens = statement(5, {
        text: 'Ben studies in Lisbon.',
        fact: { subject: 'Ben', attribute: 'studies', value: 'Lisbon' },
        corrects,
        timestamp: at,
      });
      await world.write(moved, found, bens);
      const held = await world.lists.facts(anybody, { user_id: 'ada' });
      expect(held.facts.map(({ subject, attribute }) => [subject.label, attribute])).toEqual([
        ['Ben', 'studies'],
      ]);
    });

    it('is found behind more facts than are read', async () => {
      const opened = await open();
      const turns = Array.from({ length: 11 }, (_, n) => turnRecorded(20 + n, { text: `I moved, ${n}.` }));
      const facts = turns.map((turn, n) => {
        const texts = Array.from({ length: 200 }, (_, i) => `Ada lives in town ${n} ${i}.`);
        return extracted(20 + n, turn, { observations: texts.map(text => ({ text, fact: home(text) })) });
      });
      await opened.apply([moved, found, cold, ...turns, ...facts]);
      const key = factKey({ attribute: 'home', subjectId: entityId('acme', 'ada', 'ada') });
      const scope = { org: 'acme', user: 'ada' };
      const wanted = { keys: [{ user: 'ada', key }], corrected: [warm!] };
      const read = await opened.details.facts(scope, wanted);
      await opened.close();
      expect(read.corrections.map(({ id }) => id)).toEqual([idOf(cold)]);
      expect(read.facts.length).toBeGreaterThanOrEqual(500);
      expect(new Set(read.facts.map(({ id }) => id)).size).toBe(read.facts.length);
    });

    it('goes with its session when that is erased', async () => {
      await world.write(moved, found, lagos);
      await world.write(
        memoryErased(10, { session: 's1' }),
        memoryErased(10, { session: 's1', topic: 'observations' }),
      );
      expect(await facts({ holds: 'ever' })).toEqual([]);
      expect(await marked()).toEqual({});
    });
  });
};
