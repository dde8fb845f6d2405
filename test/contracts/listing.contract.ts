import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { extracted, minute, sentence, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { idsOf, inOrder, makeTurnsOf } from './openers/conversations.ts';
import {
  type ListingWorld,
  listingWorld,
  type OpenListing,
  pagesOf,
  principal,
  withCursor,
} from './openers/listing.ts';

/** Every adapter's lists, seen through the use cases that read them. */
export const describeListing = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`lists: ${name}`, () => {
    let world: ListingWorld;
    beforeEach(async () => {
      world = await listingWorld(await open());
    });
    afterEach(() => world.close());
    const turnsOf = makeTurnsOf(() => world);

    const anybody = principal();
    it('tell the offset of a turn and of its observations, from the tail and from the index', async () => {
      const western = turnRecorded(1, { utc_offset: -300, observations: ['noted'] });
      const utc = turnRecorded(2);
      const found = extracted(3, western, { observations: [{ text: 'found' }] });
      const offsets = async () => {
        const { turns } = await world.lists.turns(anybody, {});
        const { observations } = await world.lists.observations(anybody, {});
        const one = await world.lists.turn(anybody, western.id);
        return [...turns, ...observations, one].map(item => item.utc_offset);
      };
      world.tail.push(tailTurn(western), tailTurn(utc));
      expect(await offsets()).toEqual([-300, undefined, -300, -300]);
      await world.write(western, utc, found);
      world.tail.length = 0;
      expect(await offsets()).toEqual([-300, undefined, -300, -300, -300]);
    });

    it('tell an acknowledged turn at once, and once', async () => {
      const stored = turnRecorded(0, { text: 'First.', user: 'ben' });
      const recent = turnRecorded(1, { text: 'Second.', user: 'ben', observations: ['noted'] });
      const silent = turnRecorded(2, { text: 'Not kept.', user: 'ben', active: false });
      const newcomer = turnRecorded(3, { text: 'Hello.', user: 'ada', session: 'new' });
      await world.write(stored);
      world.tail.push(...[stored, recent, silent, newcomer].map(tailTurn));
      const texts = async (query: Parameters<typeof world.lists.turns>[1]) =>
        (await turnsOf(query)).map(({ text }) => text);
      for (const limit of [1, 2, 50]) expect(await texts({ limit })).toEqual(['Hello.', 'First.', 'Second.']);
      expect(await texts({ order: 'desc', limit: 1 })).toEqual(['Second.', 'First.', 'Hello.']);
      expect(await texts({ user_id: 'ben' })).toEqual(['First.', 'Second.']);
      expect(await texts({ since: recent.data.timestamp })).toEqual(['Hello.', 'Second.']);
      expect(await texts({ role: 'assistant' })).toEqual([]);

      const { users } = await world.lists.users(anybody, {});
      expect(users).toMatchObject([
        { user_id: 'ada', sessions: 1, turns: 1, last_at: newcomer.data.timestamp },
        { user_id: 'ben' },
      ]);
      const sessions = await pagesOf(cursor =>
        world.lists.sessions(anybody, withCursor({ limit: 1 }, cursor)),
      );
      expect(sessions.flatMap(page => page.sessions)).toMatchObject([
        { user_id: 'ada', session_id: 'new', turns: 1, first_at: newcomer.data.timestamp },
        { user_id: 'ben', session_id: 's1' },
      ]);
      const { observations } = await world.lists.observations(anybody, {});
      expect(observations).toMatchObject([{ turn_id: recent.id, source: 'client', text: 'noted' }]);
      const one = await world.lists.turn(anybody, recent.id);
      expect(one).toMatchObject({ text: 'Second.', observations, entities: [], recorded_at: null });
      await expect(world.lists.turn(anybody, silent.id)).rejects.toMatchObject({ code: 'not_found' });

      // Projected, and for a moment in both.
      await world.write(recent, silent, newcomer);
      expect(await texts({ limit: 1 })).toEqual(['Hello.', 'First.', 'Second.']);
      expect((await world.lists.observations(anybody, {})).observations).toEqual(observations);
      world.tail.splice(0);
      expect(await texts({})).toEqual(['Hello.', 'First.', 'Second.']);
      expect((await world.lists.turn(anybody, recent.id)).recorded_at).toBe(recent.recorded_at);
    });

    it('tell how far the index is, and what came from the tail', async () => {
      world.now = Date.parse('2026-03-12T08:00:00.000Z');
      const at = (day: number): string => new Date(Date.UTC(2026, 2, day, 8)).toISOString();
      const home = (value: string) => ({ 0: { subject: 'Ada', attribute: 'home', value } });
      const said = (n: number, day: number, changes: Parameters<typeof turnRecorded>[1]) => {
        const event = turnRecorded(n, { ...changes, observations: [`noted ${n}`] });
        return { ...event, recorded_at: at(day), data: { ...event.data, facts: home(`Town ${n}`) } };
      };
      const stored = said(0, 8, { user: 'ben' });
      const recent = said(1, 9, { user: 'ben' });
      const newcomer = said(2, 10, { user: 'cleo', session: 'new' });
      const all = async () => {
        const { lists } = world;
        const ofBen = { user_id: 'ben', holds: 'ever' } as const;
        const told = {
          turns: await lists.turns(anybody, {}),
          first: await lists.turns(anybody, { limit: 1 }),
          later: await lists.turns(anybody, { since: newcomer.data.timestamp }),
          observations: await lists.observations(anybody, {}),
          users: await lists.users(anybody, {}),
          sessions: await lists.sessions(anybody, {}),
          facts: await lists.facts(anybody, ofBen),
          past: await lists.facts(anybody, { ...ofBen, as_of: at(11) }),
          entities: await lists.entities(anybody, { user_id: 'cleo' }),
        };
        return Object.entries(told).map(([list, { freshness }]) => [
          list,
          freshness.indexed_until,
          freshness.from_tail,
        ]);
      };
      await world.write(stored);
      world.tail.push(...[stored, recent, newcomer].map(tailTurn));
      expect(await all()).toEqual([
        ['turns', at(8), 2],
        ['first', at(8), 0],
        ['later', at(10), 1],
        ['observations', at(8), 2],
        ['users', at(8), 1],
        ['sessions', at(8), 1],
        ['facts', at(8), 1],
        ['past', at(11), 0],
        ['entities', at(10), 0],
      ]);
      await world.write(recent, newcomer);
      world.tail.splice(0);
      for (const [list, until, fromTail] of await all())
        expect([list, until, fromTail]).toEqual([list, list === 'past' ? at(11) : at(12), 0]);
    });

    it('tell turns of one instant as they were recorded', async () => {
      const turns = [5, 3, 9, 1, 7].map(n => turnRecorded(n, { text: sentence(n), timestamp: minute(0) }));
      await world.write(...turns);
      world.tail.push(tailTurn(turnRecorded(11, { timestamp: minute(0) })));
      const shown = await turnsOf({ limit: 2 });
      expect(shown.map(({ text }) => text)).toEqual([1, 3, 5, 7, 9, 11].map(sentence));
    });

    it('tell turns of one instant in the order of their record too', async () => {
      const turns = [5, 3, 9, 1, 7, 2].map((n, index) => ({
        ...turnRecorded(n, { text: sentence(n), timestamp: minute(0), observations: [`noted ${n}`] }),
        offset: 6,
        index,
      }));
      await world.write(...turns);
      const told = [5, 3, 9, 1, 7, 2].map(sentence);
      for (const limit of [1, 2, 5]) expect((await turnsOf({ limit })).map(({ text }) => text)).toEqual(told);
      expect((await turnsOf({ limit: 2, order: 'desc' })).map(({ text }) => text)).toEqual(told.toReversed());
      const [shown] = await turnsOf({ limit: 1 });
      expect(await world.lists.turn(anybody, shown!.id)).toMatchObject({
        recorded_at: turns[0]!.recorded_at,
      });
    });

    it('know the offsets of turns and of what clients observed, within the tenant', async () => {
      const mine = turnRecorded(4, { observations: ['noted'] });
      const silent = turnRecorded(5, { active: false });
      const theirs = turnRecorded(6, { org: 'other' });
      await world.write(mine, silent, theirs, extracted(9, mine, { observations: [{ text: 'found' }] }));
      const { observations } = await world.lists.observations(anybody, {});
      expect(observations).toHaveLength(2);
      const ids = [...idsOf(observations), ...idsOf([mine, silent, theirs, turnRecorded(7)])];
      const noted = observations.find(({ text }) => text === 'noted')!;
      expect(await world.listing.offsets({ org: 'acme' }, ids)).toEqual(
        new Map([
          [noted.id, 4],
          [mine.id, 4],
        ]),
      );
      expect(await world.listing.offsets({ org: 'acme', user: 'ben' }, ids)).toEqual(new Map());
    });

    it('ask for no offset of the tail behind a page that the index fills', async () => {
      const turns = Array.from({ length: 40 }, (_, n) => turnRecorded(n));
      await world.write(...turns);
      // All of them appended once more, and the projector behind.
      world.tail.push(...turns.map(turn => ({ ...tailTurn(turn), offset: turn.offset + 100 })));
      const offsets = vi.spyOn(world.listing, 'offsets');
      for (const order of ['asc', 'desc'] as const)
        expect(idsOf(await turnsOf({ limit: 7, order })).sort()).toEqual(idsOf(turns).sort());
      // Each page asks for the one turn that the cursor stands at: its other copy would come next.
      expect(offsets.mock.calls.flatMap(([, ids]) => ids).length).toBeLessThanOrEqual(12);
    });

    it.each(['asc', 'desc'] as const)(
      'tell a turn once that a retry appended once more (%s)',
      async order => {
        const said = (n: number) => turnRecorded(n, { timestamp: minute(0), observations: [`noted ${n}`] });
        const turns = [1, 5, 6, 7, 8, 12].map(said);
        await world.write(...turns);
        // The copy at 11 was remembered, the one at 5 is shown.
        const again = { ...tailTurn(turns[1]!), offset: 11 };
        world.tail.push(again, ...turns.slice(2).map(tailTurn));
        const ids = idsOf(order === 'asc' ? turns : turns.toReversed());
        for (const limit of [1, 2, 3, 4, 5]) {
          expect(idsOf(await turnsOf({ limit, order })), `${limit} a page`).toEqual(ids);
          const pages = await pagesOf(cursor =>
            world.lists.observations(anybody, withCursor({ limit }, cursor)),
          );
          const noted = pages.flatMap(({ observations }) => observations.map(({ turn_id }) => turn_id));
          expect(noted, `${limit} a page`).toEqual(idsOf(turns));
        }
      },
    );

    it('share what is long among more pages, and miss none of it', async () => {
      const long = 'long '.repeat(13_000);
      const turns = Array.from({ length: 90 }, (_, n) => turnRecorded(n, { text: `${n} ${long}` }));
      await world.write(...turns.slice(0, 80));
      world.tail.push(...turns.slice(78).map(tailTurn));
      const pages = await pagesOf(cursor => world.lists.turns(anybody, withCursor({ limit: 200 }, cursor)));
      const counts = pages.map(page => page.turns.length);
      expect(Math.max(...counts)).toBeLessThan(20);
      expect(Math.min(...counts)).toBeGreaterThan(0);
      const shown = pages.flatMap(page => page.turns);
      expect(shown).toEqual([...shown].sort(inOrder));
      expect(idsOf(shown).sort()).toEqual(turns.map(({ id }) => id).sort());
    });

    it('tell the entities of a session that is read in several parts, exactly', async () => {
      const porto = { label: 'Porto', kind: 'place' };
      const ousel = { label: 'Ousel', kind: 'person' };
      const turns = Array.from({ length: 2_300 }, (_, n) =>
        turnRecorded(n, { timestamp: minute(n % 7), active: n % 10 !== 0 }),
      );
      const rare = turns[2_299]!;
      const found = turns.map((turn, n) =>
        extracted(n, turn, { entities: turn === rare ? [porto, ousel] : n % 3 ? [porto] : [] }),
      );
      await world.write(...turns, ...found);
      for (const limit of [1, 50]) {
        const pages = await pagesOf(cursor =>
          world.lists.entities(anybody, withCursor({ session_id: 's1', limit }, cursor)),
        );
        expect(pages.flatMap(page => page.entities)).toMatchObject([
          { label: 'Ousel', turns: 1 },
          { label: 'Porto', turns: 1_533 },
        ]);
      }
    });

    it('tell the names of one person as one entity, with the evidence, of one user alone', async () => {
      const persons = (...labels: string[]) => labels.map(label => ({ label, kind: 'person' }));
      const named: [user: string, session: string, entities: { label: string; kind: string }[]][] = [
        ['ada', 's1', persons('Melanie', 'Mel')],
        ['ada', 's1', persons('Melanie')],
        ['ada', 's2', persons('Mel')],
        ['ada', 's2', [...persons('Zoe'), { label: 'Mel', kind: 'person' }]],
        ['ada', 's2', [{ label: 'Comet', kind: 'animal' }]],
        ['ben', 's1', persons('Mel')],
      ];
      const turns = named.map(([user, session], n) => turnRecorded(n, { user, session }));
      await world.write(...turns, ...turns.map((turn, n) => extracted(n, turn, { entities: named[n]![2] })));
      const listed = async (query: Parameters<typeof world.lists.entities>[1]) => {
        const pages = await pagesOf(cursor => world.lists.entities(anybody, withCursor(query, cursor)));
        return pages
          .flatMap(page => page.entities)
          .map(({ label, turns, aliases }) => [
            label,
            turns,
            ...aliases.map(alias => `${alias.label} ${alias.turns} ${alias.rule} ${alias.matched}`),
          ]);
      };
      // The first turn has both names, and counts once.
      const melanie = ['Melanie', 4, 'Mel 3 short_form Melanie'];
      for (const limit of [1, 2, 50])
        expect(await listed({ user_id: 'ada', limit })).toEqual([['Comet', 1], melanie, ['Zoe', 1]]);
      expect(await listed({ user_id: 'ada', kind: 'person', limit: 1 })).toEqual([melanie, ['Zoe', 1]]);
      expect(await listed({ user_id: 'ada', session_id: 's1' })).toEqual([
        ['Melanie', 2, 'Mel 1 short_form Melanie'],
      ]);
      // Nothing in the scope says who this is.
      expect(await listed({ user_id: 'ada', session_id: 's2', kind: 'person' })).toEqual([
        ['Mel', 2],
        ['Zoe', 1],
      ]);
      expect(await listed({ user_id: 'ben' })).toEqual([['Mel', 1]]);
      expect(await listed({ turn_id: turns[0]!.id })).toEqual([
        ['Mel', 3],
        ['Melanie', 2],
      ]);
      expect((await listed({})).map(([label]) => label)).toEqual(['Comet', 'Mel', 'Melanie', 'Zoe', 'Mel']);
    });

    it('know a turn by its whole id', async () => {
      const turn = turnRecorded(0);
      await world.write(turn);
      expect((await world.lists.turn(anybody, turn.id)).id).toBe(turn.id);
      for (const prefix of ['obs_', 'xyz_']) {
        const other = prefix + turn.id.slice(4);
        await expect(world.lists.turn(anybody, other)).rejects.toMatchObject({ code: 'not_found' });
        expect((await world.lists.observations(anybody, { turn_id: other })).observations).toEqual([]);
        expect((await world.lists.entities(anybody, { turn_id: other })).entities).toEqual([]);
      }
    });

    it('sort names by their bytes, whatever they are', async () => {
      const names = ['', 'A', 'a', 'a b', 'a"b', 'aa', 'é', 'ﬁ', '😀', '\u0001'].filter(Boolean);
      const turns = names.flatMap((user, n) => [
        turnRecorded(2 * n, { user, session: '😀' }),
        turnRecorded(2 * n + 1, { user, session: 'ﬁ' }),
      ]);
      await world.write(...turns.slice(0, -4));
      world.tail.push(...turns.slice(-4).map(tailTurn));
      const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const users = await pagesOf(cursor => world.lists.users(anybody, withCursor({ limit: 2 }, cursor)));
      expect(users.flatMap(page => page.users).map(({ user_id }) => user_id)).toEqual(sorted);
      const pairs = sorted.flatMap(user => ['ﬁ', '😀'].map(session => [user, session]));
      const sessions = await pagesOf(cursor =>
        world.lists.sessions(anybody, withCursor({ limit: 3 }, cursor)),
      );
      expect(
        sessions.flatMap(page => page.sessions).map(({ user_id, session_id }) => [user_id, session_id]),
      ).toEqual(pairs);
      const shown = await turnsOf({ limit: 3 });
      expect(shown.map(({ user_id, session_id }) => [user_id, session_id])).toEqual(pairs);
    });

    it('end where there is nothing', async () => {
      const nothing = { next_cursor: null };
      expect(await world.lists.users(anybody, {})).toMatchObject({ users: [], ...nothing });
      expect(await world.lists.sessions(anybody, {})).toMatchObject({ sessions: [], ...nothing });
      expect(await world.lists.turns(anybody, {})).toMatchObject({ turns: [], ...nothing });
      expect(await world.lists.observations(anybody, {})).toMatchObject({ observations: [], ...nothing });
      expect(await world.lists.entities(anybody, {})).toMatchObject({ entities: [], ...nothing });
      // A page that is just full is the last one.
      await world.write(turnRecorded(0), turnRecorded(1));
      expect((await world.lists.turns(anybody, { limit: 2 })).next_cursor).toBeNull();
      expect((await world.lists.turns(anybody, { limit: 1 })).next_cursor).not.toBeNull();
    });
  });
};
