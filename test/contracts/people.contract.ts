import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import { NO_BUDGETS } from '../../core/payers/budgets.ts';
import { entityId } from '../../domain/identity/identity.ts';
import type { SaidFact } from '../../schemas/facts.ts';
import type { CorrectEntity } from '../../schemas/http/names.ts';
import { makeCorrectEntity } from '../../services/use-cases/curation/names/correct-entity.ts';
import { makeNameUser } from '../../services/use-cases/curation/names/name-user.ts';
import { makeSearch } from '../../services/use-cases/recall/search.ts';
import { entityCorrected, extracted, minute, turnRecorded } from '../support/worlds/builders.ts';
import { fold, language } from './openers/embedded.ts';
import { type ListingWorld, listingWorld, type OpenListing, principal } from './openers/listing.ts';
import { projecting } from './openers/projecting.ts';
import type { OpenProjections } from './openers/projections.ts';

const anybody = principal();
const context = { correlationId: '6f1f64b1-58a6-4ef3-9a3b-8a0a5d6b3f11', budgets: NO_BUDGETS };
const idOf = (label: string): string => entityId('acme', 'ada', label.toLowerCase());

interface Line {
  role?: string;
  session?: string;
  text: string;
  says?: [observation: string, fact: SaidFact][];
  names?: string[];
}

/** Turns in a row, with what is read in each. */
const conversation = (lines: readonly Line[], at = 0): Event[] =>
  lines.flatMap(({ role = 'user', session = 's1', text, says = [], names = [] }, n) => {
    const turn = turnRecorded(at + n, { role, session, text });
    return [
      turn,
      extracted(at + n, turn, {
        observations: says.map(([text, fact]) => ({ text, fact })),
        entities: names.map(label => ({ label, kind: 'person' })),
      }),
    ];
  });

const relative = (relation: string, attribute: string, name: string): [string, SaidFact] => [
  `The user's ${relation} is called ${name}.`,
  { subject: 'The user', attribute, value: name },
];
const home = (text: string, subject: string, value: string): [string, SaidFact] => [
  text,
  { subject, attribute: 'home', value },
];

const brother: Line = {
  text: 'My brother Alex lives in Oslo.',
  says: [
    home("The user's brother Alex lives in Oslo.", 'Alex', 'Oslo'),
    relative('brother', 'sibling', 'Alex'),
  ],
  names: ['Alex'],
};
const boss: Line = {
  text: 'My boss Alex lives in Rome.',
  says: [home("The user's boss Alex lives in Rome.", 'Alex', 'Rome'), relative('boss', 'boss', 'Alex')],
  names: ['Alex'],
};
const moved: Line = {
  text: 'My brother moved to Bergen.',
  says: [home("The user's brother moved to Bergen.", "The user's brother", 'Bergen')],
};

export const describePeople = (
  name: string,
  open: () => Promise<OpenListing>,
  openProjections: () => Promise<OpenProjections>,
): void => {
  describe(`people in lists: ${name}`, () => {
    let world: ListingWorld;
    let now: number;
    let appended: Event[];
    let correct: (label: string, asked: CorrectEntity) => Promise<unknown>;
    let nameUser: ReturnType<typeof makeNameUser>;
    beforeEach(async () => {
      const opened = await open();
      world = await listingWorld(opened);
      now = Date.parse('2026-04-01T00:00:00Z');
      const log = projecting(world.write);
      appended = log.appended;
      const { listing, details } = opened;
      const ports = { ...log.ports, listing, details, clock: () => now++ };
      const correctAs = makeCorrectEntity(ports);
      correct = (label, asked) => correctAs(anybody, { id: idOf(label), user_id: 'ada' }, asked, context);
      nameUser = makeNameUser({ ...ports, admission: { tail: async () => world.tail } });
    });
    afterEach(() => world.close());

    const say = (...lines: Line[]): Promise<void> => world.write(...conversation(lines));
    const homes = async (query = {}) =>
      (
        await world.lists.facts(anybody, { user_id: 'ada', holds: 'ever', attribute: 'home', ...query })
      ).facts.map(({ subject, value, valid_until }) => [subject.label, value, valid_until === null]);
    const set = (...names: string[]) => nameUser(anybody, 'ada', { names }, context);

    describe('own names', () => {
      const mine = home('The user lives in Lyon.', 'The user', 'Lyon');
      const hers = home('Priya lives in Porto.', 'Priya', 'Porto');
      const given: [string, SaidFact] = [
        "The user's name is Priya.",
        { subject: 'The user', attribute: 'name', value: 'Priya' },
      ];
      beforeEach(() =>
        say(
          { text: 'My name is Priya.', says: [given], names: ['Priya'] },
          { text: 'I live in Lyon.', says: [mine] },
          { role: 'Priya', session: 's2', text: 'I live in Porto.', says: [hers], names: ['Priya'] },
        ),
      );
      const apart = [
        ['The user', 'Lyon', true],
        ['Priya', 'Porto', true],
      ];
      const one = [
        ['Priya', 'Lyon', false],
        ['Priya', 'Porto', true],
      ];

      it('are suggested by what the user says, and rename nothing before they are set', async () => {
        expect(await world.lists.user(anybody, 'ada')).toEqual({
          user_id: 'ada',
          sessions: 2,
          turns: 3,
          last_at: new Date(minute(2)).toISOString(),
          names: [],
          suggested_names: ['Priya'],
        });
        expect((await homes()).sort()).toEqual(apart.toSorted());
        await expect(world.lists.user(anybody, 'nobody')).rejects.toThrow('There is no such user.');
      });

      it('make the role user and these names one subject, labelled by the first, as of when they were set', async () => {
        expect(await set('Priya', 'Priya Shah')).toMatchObject({
          names: ['Priya', 'Priya Shah'],
          suggested_names: [],
        });
        expect(await homes()).toEqual(one);
        expect(await homes({ subject: 'Priya' })).toEqual(one);
        expect(await homes({ subject: 'The user' })).toEqual(one);
        expect((await homes({ as_of: '2026-03-20T00:00:00Z' })).sort()).toEqual(apart.toSorted());
        const observations = await world.lists.observations(anybody, { user_id: 'ada' });
        expect(new Set(observations.observations.map(({ subject }) => subject?.label))).toEqual(
          new Set(['Priya']),
        );
        await world.promote();
        expect(await homes()).toEqual(one);
        expect(await world.lists.user(anybody, 'ada')).toMatchObject({ names: ['Priya', 'Priya Shah'] });
      });

      it('are replaced as a whole, and stand apart again without them; the same names append nothing', async () => {
        for (let again = 0; again < 2; again++) await set('Priya');
        expect(appended).toHaveLength(1);
        await set('Dana', 'Priya');
        expect((await homes()).map(([label]) => label)).toEqual(['Dana', 'Dana']);
        await set('Dana');
        expect((await homes()).sort()).toEqual([
          ['Dana', 'Lyon', true],
          ['Priya', 'Porto', true],
        ]);
        expect(await world.lists.user(anybody, 'ada')).toMatchObject({ suggested_names: ['Priya'] });
        expect(await set()).toMatchObject({ names: [] });
        expect((await homes()).sort()).toEqual(apart.toSorted());
      });

      it('are not those of a relative who has the same name', async () => {
        await say({
          text: 'My daughter Priya lives in Faro.',
          says: [
            home("The user's daughter Priya lives in Faro.", "The user's daughter Priya", 'Faro'),
            relative('daughter', 'child', 'Priya'),
          ],
        });
        await set('Priya');
        expect(await homes({ subject: "The user's daughter Priya" })).toEqual([
          ["The user's daughter Priya", 'Faro', true],
        ]);
      });

      it('of a relative are no business of a credential of another session', async () => {
        const moved = home("The user's brother lives in Oslo.", "The user's brother", 'Oslo');
        await say(
          { session: 's3', text: 'My brother lives in Oslo.', says: [moved] },
          { session: 's4', text: 'My brother Zeb is here.', says: [relative('brother', 'sibling', 'Zeb')] },
        );
        const labels = async (who = anybody): Promise<(string | undefined)[]> => {
          const { turns } = await world.lists.turns(anybody, { user_id: 'ada', session_id: 's3' });
          const { observations } = await world.lists.turn(who, turns[0]!.id);
          return observations.map(({ subject }) => subject?.label);
        };
        expect(await labels()).toEqual(['Zeb']);
        const bound = principal({ strict: true, userId: 'ada', sessionId: 's3' });
        expect(await labels(bound)).toEqual(["The user's brother"]);
      });

      it("are another user's business, and no session's", async () => {
        const forbidden = { code: 'forbidden' };
        const body = { names: ['Priya'] };
        await expect(
          nameUser(principal({ roles: ['memory:curate'], userId: 'ben' }), 'ada', body, context),
        ).rejects.toMatchObject(forbidden);
        const bound = principal({ strict: true, sessionId: 's1' });
        await expect(nameUser(bound, 'ada', body, context)).rejects.toMatchObject(forbidden);
        await expect(world.lists.user(bound, 'ada')).rejects.toMatchObject(forbidden);
      });
    });

    it('lists what is said of "my brother" under the name that the brother has', async () => {
      await say(brother, moved);
      expect(await homes()).toEqual([
        ['Alex', 'Oslo', false],
        ['Alex', 'Bergen', true],
      ]);
      expect((await homes({ subject: "The user's brother" })).length).toBe(2);
    });

    it('leaves "my brother" alone where two are known by name', async () => {
      const other: Line = { text: 'My brother is Tom.', says: [relative('brother', 'sibling', 'Tom')] };
      await say(brother, other, moved);
      expect((await homes()).sort()).toEqual([
        ['Alex', 'Oslo', true],
        ["The user's brother", 'Bergen', true],
      ]);
    });

    it('takes a boss and a brother of one name for two people, in every generation', async () => {
      const two = [
        ["The user's boss Alex", 'Rome', true],
        ["The user's brother Alex", 'Oslo', true],
      ];
      await say(brother, boss);
      expect((await homes()).sort()).toEqual(two);
      expect(await homes({ subject: "The user's boss Alex" })).toEqual([two[0]]);
      expect((await homes({ subject: 'Alex' })).sort()).toEqual(two);
      const { facts } = await world.lists.facts(anybody, { user_id: 'ada', attribute: 'home' });
      expect(new Set(facts.map(({ subject }) => subject.id)).size).toBe(2);
      for (const { subject, value } of facts)
        expect((await homes({ subject: subject.id })).map(([, value]) => value)).toEqual([value]);
      await world.promote();
      expect((await homes()).sort()).toEqual(two);
      // A page ends between them.
      const first = await world.lists.facts(anybody, { user_id: 'ada', attribute: 'home', limit: 1 });
      const next = await world.lists.facts(anybody, {
        user_id: 'ada',
        attribute: 'home',
        limit: 1,
        cursor: first.next_cursor!,
      });
      expect([...first.facts, ...next.facts].map(({ value }) => value).sort()).toEqual(['Oslo', 'Rome']);
    });

    describe('of one name', () => {
      const work: Line = {
        session: 'work',
        text: 'Alex lives in Rome.',
        says: [home('Alex lives in Rome.', 'Alex', 'Rome')],
        names: ['Alex'],
      };
      const family: Line = { ...work, session: 'family', text: 'Alex lives in Oslo.' };
      const oslo = home('Alex lives in Oslo.', 'Alex', 'Oslo');
      beforeEach(() => say(work, { ...family, says: [oslo] }));
      const entities = async (query = {}) =>
        (await world.lists.entities(anybody, { user_id: 'ada', ...query })).entities.map(
          ({ label, turns, aliases }) => [label, turns, aliases.map(alias => alias.label)],
        );
      const one = [
        ['Alex', 'Oslo', true],
        ['Alex', 'Rome', false],
      ];
      const two = [
        ['Alex Novak', 'Rome', true],
        ['Alex', 'Oslo', true],
      ];
      const split = { split: [{ session_id: 'work', label: 'Alex Novak' }] };

      it('are split by session, merged again, and split as of then', async () => {
        expect((await homes()).sort()).toEqual(one);
        expect(await correct('Alex', split)).toMatchObject({ id: idOf('Alex'), label: 'Alex', turns: 1 });
        const then = new Date(now).toISOString();
        now += 1_000;
        expect((await homes()).sort()).toEqual(two);
        expect(await homes({ subject: 'Alex Novak' })).toEqual([two[0]]);
        expect(await homes({ session_id: 'work' })).toEqual([two[0]]);
        const apart = [
          ['Alex', 1, []],
          ['Alex Novak', 1, []],
        ];
        expect(await entities()).toEqual(apart);
        expect(await entities({ kind: 'person' })).toEqual(apart);
        expect(await entities({ session_id: 'work' })).toEqual([apart[1]]);
        expect(await entities({ session_id: 'family' })).toEqual([apart[0]]);
        const { entities: page, next_cursor } = await world.lists.entities(anybody, {
          user_id: 'ada',
          limit: 1,
        });
        expect(page.map(({ label }) => label)).toEqual(['Alex']);
        expect(await entities({ limit: 1, cursor: next_cursor! })).toEqual([apart[1]]);
        await world.promote();
        expect((await homes()).sort()).toEqual(two);
        expect(await correct('Alex Novak', { merge_into: idOf('Alex') })).toMatchObject({
          label: 'Alex',
          aliases: [{ label: 'Alex Novak', rule: 'correction' }],
        });
        expect((await homes()).sort()).toEqual(one);
        expect((await homes({ as_of: then })).sort()).toEqual(two);
      });

      it('append nothing where they are split already, and are told apart by the session without a label', async () => {
        for (let again = 0; again < 2; again++) await correct('Alex', { split: [{ session_id: 'work' }] });
        expect(appended).toHaveLength(1);
        expect((await homes()).sort()).toEqual([['Alex (work)', 'Rome', true], two[1]]);
      });

      it('are not split by a session that does not name them, nor under their own name', async () => {
        const faults = (asked: CorrectEntity, loc: (string | number)[]) =>
          expect(correct('Alex', asked)).rejects.toMatchObject({
            code: 'invalid',
            details: { errors: [{ loc }] },
          });
        await faults({ split: [{ session_id: 'none' }] }, ['body', 'split', 0, 'session_id']);
        await faults({ split: [{ session_id: 'work', label: 'alex' }] }, ['body', 'split', 0, 'label']);
      });
    });
  });

  describe(`people in a recall: ${name}`, () => {
    let opened: OpenProjections;
    beforeEach(async () => {
      opened = await openProjections();
    });
    afterEach(() => opened.close());

    const write = async (...events: Event[]): Promise<void> => {
      await opened.store.apply({ ...fold(events), positions: {} });
    };
    const recall = async (q: string) => {
      const { index, listing } = opened;
      const search = makeSearch({ retrieval: index, details: index, listing, language: language() });
      return search({
        scope: { org: 'acme', user: 'ada' },
        q,
        mode: 'active',
        tail: [],
        kinds: ['turn', 'observation', 'entity'],
        topK: 10,
        moment: minute(100_000),
      });
    };
    const first = async (q: string) => {
      const { chosen, holding } = await recall(q);
      const [turn] = chosen.filter(hit => hit.kind === 'turn');
      return {
        text: turn?.kind === 'turn' && turn.fragment.text,
        old: chosen.flatMap(hit => (hit.kind === 'turn' && hit.noLonger ? [hit.fragment.text] : [])),
        holding: holding
          .filter(({ fact }) => fact.attribute === 'home')
          .map(({ fact }) => [fact.subject, fact.value])
          .sort(),
      };
    };

    it('moves nobody: a boss of the same name lives somewhere else', async () => {
      await write(...conversation([brother, boss]));
      expect(await first('Where does my brother Alex live?')).toEqual({
        text: brother.text,
        old: [],
        holding: [["The user's brother Alex", 'Oslo']],
      });
      expect(await first('Where does my boss live?')).toMatchObject({ text: boss.text, old: [] });
    });

    it('finds by the relation what is said of the name, and by the name what is said of the relation', async () => {
      const is: Line = { text: 'My brother is Alex.', says: [relative('brother', 'sibling', 'Alex')] };
      const bare: Line = {
        text: 'Alex has moved to Bergen.',
        says: [home('Alex has moved to Bergen.', 'Alex', 'Bergen')],
      };
      const other: Line = {
        text: 'My cousin lives in Oslo.',
        says: [home("The user's cousin lives in Oslo.", "The user's cousin", 'Oslo')],
      };
      await write(...conversation([is, bare, other]));
      expect(await first('Where does my brother live?')).toMatchObject({ text: bare.text });
      await write(...conversation([moved], 20));
      expect(await first('Where does Alex live?')).toMatchObject({
        text: moved.text,
        holding: [
          ['Alex', 'Bergen'],
          ["The user's cousin", 'Oslo'],
        ],
      });
    });

    it('asks for what the user said, by whatever role, once the own names are set', async () => {
      const tom: Line = {
        role: 'Tom',
        text: 'I live in Bath.',
        says: [home('Tom lives in Bath.', 'Tom', 'Bath')],
      };
      const priya: Line = {
        role: 'Priya',
        text: 'I live in Porto.',
        says: [home('Priya lives in Porto.', 'Priya', 'Porto')],
      };
      await write(
        ...conversation([tom, priya]),
        entityCorrected(20, { entity: 'The user', names: [], me: ['Priya'] }),
      );
      expect(await first('Where do I live?')).toMatchObject({ text: priya.text, old: [] });
    });

    it('names two people of one name that were split by session', async () => {
      const of = (session: string, value: string): Line => ({
        session,
        text: `Alex lives in ${value}.`,
        says: [home(`Alex lives in ${value}.`, 'Alex', value)],
        names: ['Alex'],
      });
      await write(...conversation([of('family', 'Oslo'), of('work', 'Rome')]));
      expect(await first('Where does Alex live?')).toMatchObject({ old: ['Alex lives in Oslo.'] });
      await write(
        entityCorrected(20, {
          entity: 'Alex',
          names: ['Alex'],
          split: ['Alex Novak'],
          sessions: ['work'],
        }),
      );
      expect(await first('Where does Alex live?')).toMatchObject({
        text: 'Alex lives in Oslo.',
        old: [],
        holding: [
          ['Alex Novak', 'Rome'],
          ['Alex', 'Oslo'],
        ],
      });
      const { chosen } = await recall('Where do Alex and Alex Novak live?');
      expect(chosen.flatMap(hit => (hit.kind === 'entity' ? [hit.entity.label] : [])).sort()).toEqual([
        'Alex',
        'Alex Novak',
      ]);
    });
  });
};
