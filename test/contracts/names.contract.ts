import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import { NO_BUDGETS } from '../../core/payers/budgets.ts';
import { entityId } from '../../domain/identity/identity.ts';
import type { CorrectEntity } from '../../schemas/http/names.ts';
import { makeCorrectEntity } from '../../services/use-cases/curation/names/correct-entity.ts';
import { makeTitleSession } from '../../services/use-cases/curation/names/title-session.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import {
  entityCorrected,
  extracted,
  memoryErased,
  minute,
  sessionTitled,
  tailTurn,
  turnRecorded,
} from '../support/worlds/builders.ts';
import { fold, language } from './openers/embedded.ts';
import { type ListingWorld, listingWorld, type OpenListing, principal } from './openers/listing.ts';
import { projecting } from './openers/projecting.ts';
import type { OpenProjections } from './openers/projections.ts';

const anybody = principal();
const context = { correlationId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11', budgets: NO_BUDGETS };
const idOf = (label: string): string => entityId('acme', 'ada', label.toLowerCase());
const home = (subject: string, value: string) => ({
  text: `${subject} lives in ${value}.`,
  fact: { subject, attribute: 'home', value },
});
const person = (label: string) => ({ label, kind: 'person' });

/** Turns that name Mel and Melanie, who are one by a rule, and say where each lives. */
const turns = [
  turnRecorded(0, { text: 'Mel lives in Lyon.', session: 's1' }),
  turnRecorded(1, { text: 'Melanie lives in Porto.', session: 's2' }),
  turnRecorded(2, { text: 'Melanie has a dog called Rex.', session: 's2' }),
] as const;
const found = [
  extracted(0, turns[0], { observations: [home('Mel', 'Lyon')], entities: [person('Mel')] }),
  extracted(1, turns[1], { observations: [home('Melanie', 'Porto')], entities: [person('Melanie')] }),
  extracted(2, turns[2], { entities: [person('Melanie'), { label: 'Rex', kind: 'animal' }] }),
];

/** Others that name both once more: what was erased has other ids when it is said again. */
const again = (n: number): Event[] => {
  const said = [
    turnRecorded(n, { text: `Mel sings ${n}.`, session: 's1' }),
    turnRecorded(n + 1, { text: `Melanie sings ${n}.`, session: 's2' }),
  ] as const;
  return [
    ...said,
    extracted(n, said[0], { entities: [person('Mel')] }),
    extracted(n + 1, said[1], { entities: [person('Melanie')] }),
  ];
};

export const describeNames = (
  name: string,
  open: () => Promise<OpenListing>,
  openProjections: () => Promise<OpenProjections>,
): void => {
  describe(`corrected names: ${name}`, () => {
    let world: ListingWorld;
    let now: number;
    let appended: Event[];
    let correct: (label: string, asked: CorrectEntity, user?: string) => Promise<unknown>;
    let correctAs: ReturnType<typeof makeCorrectEntity>;
    let title: ReturnType<typeof makeTitleSession>;
    beforeEach(async () => {
      const opened = await open();
      world = await listingWorld(opened);
      now = Date.parse('2026-04-01T00:00:00Z');
      const log = projecting(world.write);
      appended = log.appended;
      const { listing, details } = opened;
      const ports = { ...log.ports, listing, details, clock: () => now++ };
      correctAs = makeCorrectEntity(ports);
      title = makeTitleSession({ ...ports, admission: { tail: async () => world.tail } });
      correct = (label, asked) => correctAs(anybody, { id: idOf(label), user_id: 'ada' }, asked, context);
      await world.write(...turns, ...found);
    });
    afterEach(() => world.close());

    const entities = async (query = {}) =>
      (await world.lists.entities(anybody, { user_id: 'ada', ...query })).entities.map(
        ({ label, turns, aliases }) => [label, turns, aliases.map(({ label, rule }) => [label, rule])],
      );
    const homes = async (query = {}) =>
      (await world.lists.facts(anybody, { user_id: 'ada', holds: 'ever', ...query })).facts.map(
        ({ subject, value, valid_until }) => [subject.label, value, valid_until === null],
      );
    const one = [
      ['Melanie', 3, [['Mel', 'short_form']]],
      ['Rex', 1, []],
    ];
    const two = [
      ['Mel', 1, []],
      ['Melanie', 2, []],
      ['Rex', 1, []],
    ];
    const oneHome = [
      ['Melanie', 'Lyon', false],
      ['Melanie', 'Porto', true],
    ];
    const twoHomes = [
      ['Mel', 'Lyon', true],
      ['Melanie', 'Porto', true],
    ];

    it('splits what a rule merged, and merges it again, in every generation and as of each moment', async () => {
      expect([await entities(), (await homes()).sort()]).toEqual([one, oneHome]);
      expect(await correct('Melanie', { split: [idOf('Mel')] })).toMatchObject({
        label: 'Melanie',
        turns: 2,
        aliases: [],
      });
      expect([await entities(), (await homes()).sort()]).toEqual([two, twoHomes]);
      const split = new Date(now).toISOString();
      now += 1_000;
      expect(await correct('Mel', { merge_into: idOf('Melanie') })).toMatchObject({
        id: idOf('Melanie'),
        turns: 3,
        aliases: [{ label: 'Mel', rule: 'correction', matched: 'Melanie' }],
      });
      const merged = [['Melanie', 3, [['Mel', 'correction']]], one[1]];
      expect([await entities(), (await homes()).sort()]).toEqual([merged, oneHome]);
      const before = '2026-03-20T00:00:00Z';
      expect((await homes({ as_of: before })).sort()).toEqual(oneHome);
      expect((await homes({ as_of: split })).sort()).toEqual(twoHomes);
      await world.promote();
      expect([await entities(), (await homes()).sort()]).toEqual([merged, oneHome]);
      expect((await homes({ as_of: split })).sort()).toEqual(twoHomes);
      expect(appended).toHaveLength(2);
    });

    it('merges what no rule merges, whatever the kinds, and splits it again', async () => {
      expect(await correct('Rex', { merge_into: idOf('Mel') })).toMatchObject({
        label: 'Melanie',
        turns: 3,
        aliases: expect.arrayContaining([expect.objectContaining({ label: 'Rex', rule: 'correction' })]),
      });
      expect(await entities()).toEqual([['Melanie', 3, expect.any(Array)]]);
      expect(await entities({ kind: 'animal' })).toEqual([]);
      expect(await entities({ turn_id: turns[2].id })).toEqual([
        ['Melanie', 2, []],
        ['Rex', 1, []],
      ]);
      await correct('Melanie', { split: [idOf('Rex')] });
      expect(await entities()).toEqual(one);
      expect(await entities({ kind: 'animal' })).toEqual([one[1]]);
    });

    it('shows another label wherever the entity is, and finds its facts by it', async () => {
      expect(await correct('Mel', { label: 'Melanie P.' })).toMatchObject({
        id: idOf('Melanie'),
        label: 'Melanie P.',
      });
      expect((await entities())[0]).toEqual(['Melanie P.', 3, [['Mel', 'short_form']]]);
      expect((await homes()).map(([subject]) => subject)).toEqual(['Melanie P.', 'Melanie P.']);
      expect(await homes({ subject: 'Melanie P.' })).toHaveLength(2);
      expect(await homes({ subject: idOf('Mel') })).toHaveLength(2);
      expect((await entities({ turn_id: turns[2].id }))[0]).toEqual(['Melanie P.', 2, []]);
      // Another one, and with a merge that of both.
      await correct('Melanie', { label: 'Nell' });
      await correct('Rex', { merge_into: idOf('Melanie'), label: 'Mel and Rex' });
      expect(await entities()).toEqual([['Mel and Rex', 3, expect.any(Array)]]);
    });

    it('lists a merged one under the target that has no facts, in the whole scope and not in a session', async () => {
      await correct('Melanie', { split: [idOf('Mel')] });
      await correct('Mel', { merge_into: idOf('Rex') });
      expect(await homes({ subject: idOf('Rex') })).toEqual([['Rex', 'Lyon', true]]);
      expect(await homes({ session_id: 's1' })).toEqual([['Mel', 'Lyon', true]]);
      expect(await entities({ session_id: 's1' })).toEqual([['Mel', 1, []]]);
    });

    it('appends nothing for what holds, and a call that comes again is answered as before', async () => {
      for (let again = 0; again < 2; again++) {
        await correct('Melanie', { split: [idOf('Mel')], label: 'Melanie P.' });
        await correct('Melanie', { label: 'Melanie P.' });
      }
      expect(appended).toHaveLength(1);
      for (let again = 0; again < 2; again++)
        expect(await correct('Mel', { merge_into: idOf('Melanie') })).toMatchObject({ turns: 3 });
      expect(appended).toHaveLength(2);
    });

    it('counts the later of two corrections, though the clocks of two processes differ', async () => {
      await correct('Melanie', { label: 'Second' });
      now -= 60_000;
      await correct('Melanie', { label: 'Third' });
      expect((await entities())[0]![0]).toBe('Third');
    });

    it('refuses what it can’t do, with its place', async () => {
      const faults = (asked: CorrectEntity, of = 'Melanie') =>
        expect(correct(of, asked)).rejects.toMatchObject({
          code: 'invalid',
          details: { errors: [{ loc: expect.arrayContaining(['body']) }] },
        });
      await faults({ merge_into: idOf('Melanie') });
      await faults({ merge_into: idOf('nobody') });
      await faults({ split: [idOf('Rex')] });
      await faults({ split: [idOf('Melanie')] });
      await faults({ split: ['x'] });
      for (const label of ['nobody', 'x'])
        await expect(correct(label, { label: 'Y' })).rejects.toMatchObject({ code: 'not_found' });
      const named = { id: idOf('Melanie') };
      const to = (changes: object, more = {}) =>
        correctAs(principal(changes), { ...named, ...more }, { label: 'Y' }, context);
      await expect(to({})).rejects.toMatchObject({ code: 'invalid' });
      await expect(to({}, { user_id: 'ben' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(to({ orgId: 'globex' }, { user_id: 'ada' })).rejects.toMatchObject({ code: 'not_found' });
      await expect(to({ roles: ['memory:curate'], userId: 'ben' }, { user_id: 'ada' })).rejects.toMatchObject(
        {
          code: 'forbidden',
        },
      );
      await expect(to({ strict: true, sessionId: 's1' })).rejects.toMatchObject({ code: 'forbidden' });
      expect(appended).toEqual([]);
      // The session of a key is only its default.
      expect(await to({ roles: ['memory:curate'], sessionId: 's1' })).toMatchObject({ label: 'Y' });
    });

    it('keeps corrections of names when a session is erased, and nothing when the user is', async () => {
      await correct('Melanie', { split: [idOf('Mel')] });
      await title(anybody, { id: 's1', user_id: 'ada' }, { title: 'Soup' }, context);
      await title(anybody, { id: 's2', user_id: 'ada' }, { title: 'Dogs' }, context);
      const erasing = (session?: string) =>
        (['turns', 'observations'] as const).map(topic =>
          memoryErased(50, { ...(session && { session }), topic }),
        );
      await world.write(...erasing('s1'));
      await world.write(...again(60));
      expect(await entities()).toEqual([['Mel', 1, []], ['Melanie', 3, []], one[1]]);
      expect(
        (await world.lists.sessions(anybody, { user_id: 'ada' })).sessions.map(({ title }) => title),
      ).toEqual([null, 'Dogs']);
      const user = (['turns', 'observations'] as const).map(topic => ({ ...memoryErased(70, { topic }) }));
      await world.write(...user);
      expect(await entities()).toEqual([]);
      await world.write(...again(80));
      expect(await entities()).toEqual([['Melanie', 2, [['Mel', 'short_form']]]]);
      expect(
        (await world.lists.sessions(anybody, { user_id: 'ada' })).sessions.map(({ title }) => title),
      ).toEqual([null, null]);
    });

    it('keeps corrections of a user of whom all sessions were erased one by one', async () => {
      await correct('Melanie', { split: [idOf('Mel')] });
      for (const session of ['s1', 's2'])
        await world.write(
          ...(['turns', 'observations'] as const).map(topic => memoryErased(50, { session, topic })),
        );
      expect([await entities(), (await world.lists.users(anybody, {})).users]).toEqual([[], []]);
      await world.write(...again(60));
      expect(await entities()).toEqual([
        ['Mel', 1, []],
        ['Melanie', 1, []],
      ]);
    });

    it('keeps what is corrected of one user from others', async () => {
      await world.write(entityCorrected(30, { entity: 'Melanie', label: 'Ben’s', user: 'ben' }));
      await world.write(entityCorrected(31, { entity: 'Melanie', label: 'Globex’', org: 'globex' }));
      expect(await entities()).toEqual(one);
    });

    it('counts the last corrections of a user alone, and reads no more', async () => {
      await world.write(entityCorrected(100, { entity: 'Rex', label: 'The first' }));
      const many = Array.from({ length: 999 }, (_, n) =>
        entityCorrected(101 + n, { entity: 'Melanie', label: `Melanie ${n}` }),
      );
      await world.write(...many);
      expect((await entities()).map(([label]) => label)).toEqual(['Melanie 998', 'The first']);
      await world.write(entityCorrected(1_200, { entity: 'Melanie', label: 'The last' }));
      expect((await entities()).map(([label]) => label)).toEqual(['The last', 'Rex']);
    });

    it('titles a session, as it is said last', async () => {
      const sessions = async () =>
        (await world.lists.sessions(anybody, {})).sessions.map(({ session_id, title }) => [
          session_id,
          title,
        ]);
      const give = (id: string, text: string | null, as = anybody) =>
        title(as, { id, user_id: 'ada' }, { title: text }, context);
      expect(await sessions()).toEqual([
        ['s1', null],
        ['s2', null],
      ]);
      expect(await give('s1', 'Soup')).toEqual({
        user_id: 'ada',
        session_id: 's1',
        title: 'Soup',
        turns: 1,
        first_at: new Date(minute(0)).toISOString(),
        last_at: new Date(minute(0)).toISOString(),
      });
      await give('s1', 'Soup');
      expect(appended).toHaveLength(1);
      now -= 60_000;
      await give('s1', 'Stew');
      await give('s2', 'Dogs');
      await world.promote();
      expect(await sessions()).toEqual([
        ['s1', 'Stew'],
        ['s2', 'Dogs'],
      ]);
      await give('s1', '');
      await give('s2', null);
      expect(await sessions()).toEqual([
        ['s1', null],
        ['s2', null],
      ]);
      await expect(give('s9', 'None')).rejects.toMatchObject({ code: 'not_found' });
      await expect(give('s2', 'X', principal({ strict: true, sessionId: 's1' }))).rejects.toMatchObject({
        code: 'forbidden',
      });
      await expect(give('s2', 'X', principal({ roles: [], userId: 'ben' }))).rejects.toMatchObject({
        code: 'forbidden',
      });
      // Another user's session of the same name, and one that no index has yet.
      world.tail.push(tailTurn(turnRecorded(5, { session: 's9' })));
      await world.write(turnRecorded(5, { session: 's9' }), sessionTitled(6, 'Theirs', { user: 'ben' }));
      expect(await give('s9', 'Fresh')).toMatchObject({ session_id: 's9', title: 'Fresh' });
      expect(await sessions()).toEqual([
        ['s1', null],
        ['s2', null],
        ['s9', 'Fresh'],
      ]);
    });
  });

  describe(`names in a recall: ${name}`, () => {
    let opened: OpenProjections;
    const reads: string[] = [];
    beforeEach(async () => {
      opened = await openProjections();
      reads.length = 0;
    });
    afterEach(() => opened.close());

    const write = async (...events: Event[]): Promise<void> => {
      await opened.store.apply({ ...fold(events), positions: {} });
    };
    const recall = async (q: string, scope: object = { user: 'ada' }, kinds = ['entity'] as const) => {
      const { index, listing } = opened;
      const counted = {
        entities: (...asked: Parameters<typeof listing.entities>) => {
          reads.push('entities');
          return listing.entities(...asked);
        },
        entitiesById: (...asked: Parameters<typeof listing.entitiesById>) => {
          reads.push('entitiesById');
          return listing.entitiesById(...asked);
        },
      };
      const search = makeSearch({ retrieval: index, details: index, listing: counted, language: language() });
      return search({
        scope: { org: 'acme', ...scope },
        q,
        mode: 'active',
        tail: [],
        kinds,
        topK: 10,
        moment: minute(100_000),
      });
    };
    const labels = async (...asked: Parameters<typeof recall>) =>
      (await recall(...asked)).chosen
        .map(hit => (hit.kind === 'entity' ? [hit.entity.label, hit.entity.id] : hit.kind))
        .sort();
    const melanie = ['Melanie', idOf('Melanie')];
    const mel = ['Mel', idOf('Mel')];
    const rex = ['Rex', idOf('Rex')];

    it('is one hit for one person, by a rule, a correction and under its label', async () => {
      await write(...turns, ...found);
      expect(await labels('Where do Mel and Melanie live?')).toEqual([melanie, rex]);
      await write(entityCorrected(20, { entity: 'Melanie', split: ['Mel'], names: ['Melanie'] }));
      expect(await labels('Where do Mel and Melanie live?')).toEqual([mel, melanie, rex]);
      await write(entityCorrected(21, { entity: 'Mel', merge_into: 'Melanie', into_names: ['Melanie'] }));
      expect(await labels('Where do Mel and Melanie live?')).toEqual([melanie, rex]);
      await write(entityCorrected(22, { entity: 'Melanie', label: 'Nell' }));
      expect(await labels('Where do Mel and Melanie live?')).toEqual([['Nell', idOf('Melanie')], rex]);
      // As of before, it is as it was.
      const asOf = Date.parse('2026-03-10T08:20:30Z');
      expect(await labels('Where do Mel and Melanie live?', { user: 'ada', asOf })).toEqual([
        mel,
        melanie,
        rex,
      ]);
    });

    it('merges as the complete list says: a third one who fits as well keeps them apart', async () => {
      const third = turnRecorded(7, { text: 'A carpet for the orchard.', session: 's7' });
      // Nearer than what names the third one, so that it is in no turn that is found.
      const nearer = Array.from({ length: 40 }, (_, n) =>
        turnRecorded(100 + n, { text: `Where they live: house ${n}.` }),
      );
      await write(
        ...turns,
        ...found,
        third,
        extracted(7, third, { entities: [person('Melissa')] }),
        ...nearer,
      );
      const asked = 'Where do Mel and Melanie live?';
      expect(await labels(asked, { user: 'ada', session: 's7' })).toHaveLength(1);
      expect(await labels(asked)).toEqual([mel, melanie, rex]);
      expect(reads).toContain('entities');
    });

    it('is no session of its own', async () => {
      await write(
        ...turns,
        ...found,
        entityCorrected(20, { entity: 'Mel', label: 'Nell' }),
        sessionTitled(21, 'Soup'),
      );
      expect(await opened.index.holdings('acme', 'ada')).toEqual({
        turns: 3,
        observations: 2,
        entities: 3,
        sessions: 2,
      });
    });

    it('names one by any of its names, and ranks what all of them say', async () => {
      await write(...turns, ...found);
      const { chosen } = await recall('Who is Mel?', { user: 'ada' }, ['turn', 'entity'] as never);
      expect(chosen.filter(hit => hit.kind === 'entity').map(hit => hit.entity.label)).toContain('Melanie');
    });

    it('reads no more where nothing is one, and merges nothing for a whole organization', async () => {
      await write(...turns, ...found);
      await labels('Where do Mel and Melanie live?', {});
      expect(reads).toEqual([]);
      expect(await labels('Where do Mel and Melanie live?', {})).toEqual([mel, melanie, rex]);
      await labels('Where does Melanie live?', { user: 'ada', session: 's2' });
      expect(reads).toEqual([]);
      await labels('Where do Mel and Melanie live?');
      expect(reads).toEqual(['entities']);
    });

    it('decides facts of names that were set apart, or made one, as their list does', async () => {
      await write(...turns, ...found);
      const superseded = async () =>
        (
          await recall('Where does Mel live?', { user: 'ada' }, ['turn', 'observation'] as never)
        ).chosen.flatMap(hit => (hit.kind === 'turn' && hit.noLonger ? [hit.fragment.text] : []));
      expect(await superseded()).toEqual(['Mel lives in Lyon.']);
      await write(entityCorrected(20, { entity: 'Melanie', split: ['Mel'], names: ['Melanie'] }));
      expect(await superseded()).toEqual([]);
      await write(
        entityCorrected(21, { entity: 'Mel', merge_into: 'Melanie', into_names: ['Melanie'], label: 'Nell' }),
      );
      expect(await superseded()).toEqual(['Mel lives in Lyon.']);
      const { holding } = await recall('Where does Nell live?', { user: 'ada' }, ['turn'] as never);
      expect(holding.map(({ fact }) => [fact.subject, fact.value])).toEqual([['Nell', 'Porto']]);
    });
  });
};
