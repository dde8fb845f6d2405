import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TurnItem } from '../../services/core/use-cases.ts';
import { extracted, memoryErased, minute, sentence, tailTurn, turnRecorded } from '../support/builders.ts';
import {
  type ListingWorld,
  listingWorld,
  type OpenListing,
  pagesOf,
  principal,
  withCursor,
} from './openers/listing.ts';

const USERS = ['ada', 'ben', 'grace'];
const SESSIONS = ['friday', 'monday', 'sunday', 'tuesday'];
const MANY = 1_200;

/** The turn `n` of a conversation in twelve sessions of three users, told in another order than it was spoken. */
const spoken = (n: number) =>
  turnRecorded(n, {
    user: USERS[n % 3]!,
    session: SESSIONS[Math.floor(n / 3) % 4]!,
    timestamp: minute((n * 7_919) % 50_000),
    role: n % 5 === 0 ? 'assistant' : 'user',
  });

const inOrder = (a: TurnItem, b: TurnItem): number =>
  Buffer.compare(Buffer.from(a.user_id), Buffer.from(b.user_id)) ||
  Buffer.compare(Buffer.from(a.session_id), Buffer.from(b.session_id)) ||
  Date.parse(a.timestamp) - Date.parse(b.timestamp);

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** Every adapter's lists, seen through the use cases that read them. */
export const describeListing = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`lists: ${name}`, () => {
    let world: ListingWorld;
    beforeEach(async () => {
      world = await listingWorld(await open());
    });
    afterEach(() => world.close());

    const anybody = principal();
    const turnsOf = async (
      query: Parameters<typeof world.lists.turns>[1],
      between?: (page: { turns: TurnItem[]; next_cursor: string | null }, number: number) => Promise<void>,
      as = anybody,
    ): Promise<TurnItem[]> => {
      const pages = await pagesOf(cursor => world.lists.turns(as, withCursor(query, cursor)), between);
      return pages.flatMap(({ turns }) => turns);
    };

    describe('of more turns than a page', () => {
      const turns = Array.from({ length: MANY }, (_, n) => spoken(n));
      const ids = turns.map(({ id }) => id);
      beforeEach(async () => {
        for (let at = 0; at < MANY; at += 400) await world.write(...turns.slice(at, at + 400));
      });

      it('tell each once and in order, forwards and backwards', async () => {
        const all = await turnsOf({ limit: 200 });
        expect(idsOf(all).sort()).toEqual([...ids].sort());
        expect(all).toEqual([...all].sort(inOrder));
        expect(await turnsOf({ limit: 190, order: 'desc' })).toEqual(all.toReversed());
      });

      it('tell a session as it was spoken', async () => {
        const one = await turnsOf({ user_id: 'ben', session_id: 'sunday', limit: 9 });
        const said = turns.filter(({ data }) => data.user_id === 'ben' && data.session_id === 'sunday');
        const inTime = said.toSorted((a, b) => Date.parse(a.data.timestamp) - Date.parse(b.data.timestamp));
        expect(said).toHaveLength(100);
        expect(one.map(({ text }) => text)).toEqual(inTime.map(({ data }) => data.text));
        expect(await turnsOf({ user_id: 'ben', session_id: 'sunday', order: 'desc' })).toEqual(
          one.toReversed(),
        );
        // A session of that name in every user's partition.
        const everybodys = await turnsOf({ session_id: 'sunday', limit: 33 });
        expect(everybodys).toHaveLength(300);
        expect(everybodys.filter(({ user_id }) => user_id === 'ben')).toEqual(one);
      });

      it.each(['asc', 'desc'] as const)(
        'go on exactly while turns are written before and behind (%s)',
        async order => {
          let next = MANY;
          const shown = await turnsOf({ limit: 90, order }, async page => {
            const { user_id: user, session_id: session, timestamp } = page.turns.at(-1)!;
            const at = Date.parse(timestamp);
            await world.write(
              turnRecorded(next++, { user, session, timestamp: at - 1 }),
              turnRecorded(next++, { user, session, timestamp: at }),
              turnRecorded(next++, { user, session, timestamp: at + 1 }),
              turnRecorded(next++, { user, session: `${session}-2` }),
              turnRecorded(next++, { user, session: 'a-first' }),
              turnRecorded(next++, { user: `${user}-2` }),
              turnRecorded(next++, { user: 'aaron' }),
            );
          });
          const known = new Set(ids);
          expect(new Set(idsOf(shown)).size).toBe(shown.length);
          expect(
            idsOf(shown)
              .filter(id => known.has(id))
              .sort(),
          ).toEqual([...ids].sort());
          const sorted = [...shown].sort(inOrder);
          expect(shown.map(inOrderOnly)).toEqual(
            (order === 'asc' ? sorted : sorted.toReversed()).map(inOrderOnly),
          );
          // What came behind the cursor is told, what came before it is not.
          const late = shown.filter(({ id }) => !known.has(id));
          expect(late.length).toBeGreaterThan(MANY / 90);
          expect(late.some(({ user_id }) => user_id === 'aaron')).toBe(order === 'desc');
        },
      );

      it('show nothing of what is erased between two pages', async () => {
        let erased = false;
        const after: TurnItem[] = [];
        const shown = await turnsOf({ limit: 100 }, async (page, number) => {
          if (number === 2) {
            // The session that is being read, one to come, and a user.
            const { session_id: session } = page.turns.at(-1)!;
            await world.write(
              memoryErased(MANY, { user: 'ada', session }),
              memoryErased(MANY + 1, { user: 'ben', session: 'monday' }),
              memoryErased(MANY + 2, { user: 'grace' }),
            );
            erased = true;
          } else if (erased) after.push(...page.turns);
        });
        const rest = shown.slice(200);
        expect(rest.length).toBeGreaterThan(300);
        expect(rest.some(({ user_id }) => user_id === 'grace')).toBe(false);
        expect(rest.some(one => one.user_id === 'ben' && one.session_id === 'monday')).toBe(false);
        const { session_id: cut } = shown[199]!;
        expect(rest.some(one => one.user_id === 'ada' && one.session_id === cut)).toBe(false);
        const left = turns.filter(({ data }) => data.user_id === 'ben' && data.session_id !== 'monday');
        expect(rest.filter(({ user_id }) => user_id === 'ben')).toHaveLength(left.length);
        const { users } = await world.lists.users(anybody, {});
        expect(users.map(({ user_id }) => user_id)).toEqual(['ada', 'ben']);
        const { sessions } = await world.lists.sessions(anybody, { user_id: 'ben' });
        expect(sessions.map(({ session_id }) => session_id)).toEqual(['friday', 'sunday', 'tuesday']);
      });

      it('go on exactly in another generation', async () => {
        const before = await turnsOf({ limit: 200 });
        const shown = await turnsOf({ limit: 200 }, async (_page, number) => {
          if (number === 2) await world.promote();
        });
        expect(shown).toEqual(before);
      });

      it('count the turns of users and sessions', async () => {
        const pages = await pagesOf(cursor => world.lists.users(anybody, withCursor({ limit: 1 }, cursor)));
        const last = (user: string) =>
          Math.max(
            ...turns
              .filter(({ data }) => data.user_id === user)
              .map(({ data }) => Date.parse(data.timestamp)),
          );
        expect(pages.flatMap(({ users }) => users)).toEqual(
          USERS.map(user => ({
            user_id: user,
            sessions: 4,
            turns: 400,
            last_at: new Date(last(user)).toISOString(),
          })),
        );
        const sessions = await pagesOf(cursor =>
          world.lists.sessions(anybody, withCursor({ limit: 5 }, cursor)),
        );
        const listed = sessions.flatMap(page => page.sessions);
        expect(listed.map(({ user_id, session_id }) => [user_id, session_id])).toEqual(
          USERS.flatMap(user => SESSIONS.map(session => [user, session])),
        );
        const [first] = listed;
        const own = await turnsOf({ user_id: 'ada', session_id: 'friday' });
        expect(first).toMatchObject({
          turns: 100,
          first_at: own[0]!.timestamp,
          last_at: own.at(-1)!.timestamp,
        });
        const bens = await world.lists.sessions(anybody, { user_id: 'ben' });
        expect(bens.sessions).toEqual(listed.filter(({ user_id }) => user_id === 'ben'));
      });

      it('leave out what the filter does', async () => {
        const all = await turnsOf({ limit: 200 });
        const assistants = await turnsOf({ role: 'assistant', limit: 70 });
        expect(assistants).toHaveLength(MANY / 5);
        expect(assistants).toEqual(all.filter(({ role }) => role === 'assistant'));
        const [since, until] = [new Date(minute(10_000)), new Date(minute(20_000))].map(at =>
          at.toISOString(),
        );
        const within = await turnsOf({ since: since!, until: until!, limit: 70 });
        expect(within).toEqual(all.filter(one => one.timestamp >= since! && one.timestamp <= until!));
        expect(within.length).toBeGreaterThan(100);
        // Both ends are inclusive.
        const { timestamp } = all[500]!;
        expect(idsOf(await turnsOf({ since: timestamp, until: timestamp }))).toContain(all[500]!.id);
        expect(await turnsOf({ role: 'nobody' })).toEqual([]);
        expect(await turnsOf({ user_id: 'nobody' })).toEqual([]);
        expect(await turnsOf({ user_id: 'ada', session_id: 'nowhere' })).toEqual([]);
      });
    });

    describe('of one conversation', () => {
      const asked = turnRecorded(0, { text: 'Where did Grace go?', observations: ['Ada asks after Grace'] });
      const answered = turnRecorded(1, { role: 'assistant', text: 'Grace moved to Lisbon.' });
      const other = turnRecorded(2, { user: 'ben', session: 'monday', text: 'Lisbon is sunny.' });
      const lisbon = { label: 'Lisbon', kind: 'place' };
      const grace = { label: 'Grace', kind: 'person' };
      const found = extracted(0, answered, {
        observations: [{ text: 'assistant said Grace moved to Lisbon.' }],
        entities: [lisbon, grace],
      });
      const byModel = extracted(1, other, {
        source: 'llm',
        extractor: 'llm-1',
        observations: [{ text: 'Lisbon is sunny' }],
        entities: [lisbon],
      });
      beforeEach(() => world.write(asked, answered, other, found, byModel));

      const observations = async (query: Parameters<typeof world.lists.observations>[1]) =>
        (await world.lists.observations(anybody, query)).observations;
      const entities = async (query: Parameters<typeof world.lists.entities>[1]) =>
        (await world.lists.entities(anybody, query)).entities;

      it('tell observations by their turn and by who made them', async () => {
        const all = await observations({});
        expect(all.map(({ turn_id, source, text }) => [turn_id, source, text])).toEqual([
          [asked.id, 'client', 'Ada asks after Grace'],
          [answered.id, 'rules', 'assistant said Grace moved to Lisbon.'],
          [other.id, 'llm', 'Lisbon is sunny'],
        ]);
        expect(all[1]).toMatchObject({
          user_id: 'ada',
          session_id: 's1',
          timestamp: answered.data.timestamp,
        });
        const paged = await pagesOf(cursor =>
          world.lists.observations(anybody, withCursor({ limit: 1 }, cursor)),
        );
        expect(paged.flatMap(page => page.observations)).toEqual(all);
        expect(await observations({ source: 'client' })).toEqual([all[0]]);
        expect(await observations({ source: 'rules' })).toEqual([all[1]]);
        expect(await observations({ turn_id: answered.id })).toEqual([all[1]]);
        expect(await observations({ turn_id: answered.id, source: 'llm' })).toEqual([]);
        expect(await observations({ turn_id: answered.id, user_id: 'ben' })).toEqual([]);
        expect(await observations({ turn_id: 'trn_of-nobody' })).toEqual([]);
        expect(await observations({ since: answered.data.timestamp })).toEqual(all.slice(1));
        expect(await observations({ user_id: 'ben' })).toEqual([all[2]]);
      });

      it('tell the entities of each user, and of a session or a turn', async () => {
        const all = await entities({});
        expect(all.map(({ user_id, label, kind, turns }) => [user_id, label, kind, turns])).toEqual([
          ['ada', 'Grace', 'person', 1],
          ['ada', 'Lisbon', 'place', 1],
          ['ben', 'Lisbon', 'place', 1],
        ]);
        const paged = await pagesOf(cursor =>
          world.lists.entities(anybody, withCursor({ limit: 1 }, cursor)),
        );
        expect(paged.flatMap(page => page.entities)).toEqual(all);
        expect(await entities({ kind: 'person' })).toEqual([all[0]]);
        expect(await entities({ user_id: 'ben' })).toEqual([all[2]]);
        expect(await entities({ turn_id: answered.id })).toEqual(all.slice(0, 2));
        expect(await entities({ turn_id: answered.id, kind: 'place' })).toEqual([all[1]]);
        expect(await entities({ turn_id: asked.id })).toEqual([]);
        expect(await entities({ session_id: 'monday' })).toEqual([all[2]]);
        expect(await entities({ session_id: 'nowhere' })).toEqual([]);

        const again = turnRecorded(3, { session: 'later', text: 'Grace again.' });
        await world.write(again, extracted(2, again, { entities: [grace] }));
        expect(await entities({ user_id: 'ada', kind: 'person' })).toMatchObject([{ turns: 2 }]);
        // In a session its turns count, and no others.
        expect(await entities({ session_id: 'later' })).toMatchObject([{ label: 'Grace', turns: 1 }]);
        const bySession = await pagesOf(cursor =>
          world.lists.entities(anybody, withCursor({ session_id: 's1', limit: 1 }, cursor)),
        );
        expect(bySession.flatMap(page => page.entities).map(({ label }) => label)).toEqual([
          'Grace',
          'Lisbon',
        ]);
      });

      it('tell of one turn what was made of it, and where it comes from', async () => {
        const one = await world.lists.turn(anybody, answered.id);
        expect(one).toMatchObject({ id: answered.id, user_id: 'ada', session_id: 's1', role: 'assistant' });
        expect(one).toMatchObject({ text: 'Grace moved to Lisbon.', timestamp: answered.data.timestamp });
        expect(one.observations).toEqual(await observations({ turn_id: answered.id }));
        const uncounted = (await entities({ turn_id: answered.id })).map(({ turns: _, ...entity }) => entity);
        expect(uncounted.map(({ label }) => label)).toEqual(['Grace', 'Lisbon']);
        expect(one.entities).toEqual(uncounted);
        expect(one.provenance).toEqual({
          topic: 'turns',
          partition: 0,
          offset: 1,
          recorded_at: answered.recorded_at,
        });
        await expect(world.lists.turn(anybody, 'trn_nobody')).rejects.toMatchObject({ code: 'not_found' });
        await expect(world.lists.turn(anybody, `trn_${'0'.repeat(32)}`)).rejects.toMatchObject({
          code: 'not_found',
        });
      });

      it('show nothing of another organization', async () => {
        const foreign = turnRecorded(4, { org: 'globex', text: 'A secret.', observations: ['told'] });
        const about = extracted(3, foreign, { observations: [{ text: 'known' }], entities: [lisbon] });
        await world.write(foreign, about);
        world.tail.push(tailTurn(turnRecorded(5, { org: 'globex', text: 'Another.' })));
        expect(await turnsOf({})).toHaveLength(3);
        expect(await observations({})).toHaveLength(3);
        expect(await observations({ turn_id: foreign.id })).toEqual([]);
        expect(await entities({})).toHaveLength(3);
        expect(await entities({ turn_id: foreign.id })).toEqual([]);
        expect((await world.lists.users(anybody, {})).users).toMatchObject([{ turns: 2 }, { turns: 1 }]);
        expect((await world.lists.sessions(anybody, {})).sessions).toHaveLength(2);
        await expect(world.lists.turn(anybody, foreign.id)).rejects.toMatchObject({ code: 'not_found' });
        const theirs = await turnsOf({}, undefined, principal({ orgId: 'globex' }));
        expect(theirs.map(({ text }) => text).sort()).toEqual(['A secret.', 'Another.']);
      });

      it('show a credential without * its own user alone', async () => {
        const ben = principal({ userId: 'ben', roles: ['memory:read'] });
        expect(await turnsOf({}, undefined, ben)).toMatchObject([{ id: other.id }]);
        expect((await world.lists.users(ben, {})).users).toMatchObject([{ user_id: 'ben', turns: 1 }]);
        expect((await world.lists.sessions(ben, {})).sessions).toMatchObject([{ session_id: 'monday' }]);
        expect((await world.lists.observations(ben, {})).observations).toHaveLength(1);
        expect((await world.lists.entities(ben, {})).entities).toHaveLength(1);
        await expect(world.lists.turn(ben, asked.id)).rejects.toMatchObject({ code: 'not_found' });
        const refused = { code: 'forbidden' };
        await expect(world.lists.turns(ben, { user_id: 'ada' })).rejects.toMatchObject(refused);
        await expect(world.lists.sessions(ben, { user_id: 'ada' })).rejects.toMatchObject(refused);
        await expect(world.lists.observations(ben, { user_id: 'ada' })).rejects.toMatchObject(refused);
        await expect(world.lists.entities(ben, { user_id: 'ada' })).rejects.toMatchObject(refused);
        // A cursor from elsewhere brings nothing of elsewhere.
        const { next_cursor: cursor } = await world.lists.turns(anybody, { limit: 1 });
        await expect(world.lists.turns(ben, { cursor: cursor! })).rejects.toMatchObject({ code: 'invalid' });
        await expect(world.lists.turns(anybody, { user_id: 'ben', cursor: cursor! })).rejects.toMatchObject({
          code: 'invalid',
        });
      });

      it("take a credential's session where none is named", async () => {
        const bound = principal({ userId: 'ada', sessionId: 's1', roles: ['memory:read'] });
        const elsewhere = turnRecorded(6, { session: 'elsewhere' });
        await world.write(elsewhere, extracted(4, elsewhere, { entities: [lisbon] }));
        expect(idsOf(await turnsOf({}, undefined, bound))).toEqual([asked.id, answered.id]);
        expect((await world.lists.sessions(bound, {})).sessions).toMatchObject([{ session_id: 's1' }]);
        expect((await world.lists.entities(bound, { kind: 'place' })).entities).toMatchObject([{ turns: 1 }]);
        expect(idsOf(await turnsOf({ session_id: 'elsewhere' }, undefined, bound))).toEqual([elsewhere.id]);
        expect((await world.lists.turn(bound, elsewhere.id)).id).toBe(elsewhere.id);
      });
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
      expect(one).toMatchObject({ text: 'Second.', observations, entities: [], provenance: null });
      await expect(world.lists.turn(anybody, silent.id)).rejects.toMatchObject({ code: 'not_found' });

      // Projected, and for a moment in both.
      await world.write(recent, silent, newcomer);
      expect(await texts({ limit: 1 })).toEqual(['Hello.', 'First.', 'Second.']);
      expect((await world.lists.observations(anybody, {})).observations).toEqual(observations);
      world.tail.splice(0);
      expect(await texts({})).toEqual(['Hello.', 'First.', 'Second.']);
      expect((await world.lists.turn(anybody, recent.id)).provenance).toMatchObject({ offset: 1 });
    });

    it('tell turns of one instant as they were recorded', async () => {
      const turns = [5, 3, 9, 1, 7].map(n => turnRecorded(n, { text: sentence(n), timestamp: minute(0) }));
      await world.write(...turns);
      world.tail.push(tailTurn(turnRecorded(11, { timestamp: minute(0) })));
      const shown = await turnsOf({ limit: 2 });
      expect(shown.map(({ text }) => text)).toEqual([1, 3, 5, 7, 9, 11].map(sentence));
    });

    it('know the places of turns and of what clients observed, within the tenant', async () => {
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

    it('ask for no place of the tail behind a page that the index fills', async () => {
      const turns = Array.from({ length: 40 }, (_, n) => turnRecorded(n));
      await world.write(...turns);
      // All of them appended once more, and the projector behind.
      world.tail.push(...turns.map(turn => ({ ...tailTurn(turn), offset: turn.offset + 100 })));
      const offsets = vi.spyOn(world.listing, 'offsets');
      for (const order of ['asc', 'desc'] as const)
        expect(idsOf(await turnsOf({ limit: 7, order })).sort()).toEqual(idsOf(turns).sort());
      // Of each page the one turn that the cursor stands at: its other copy would come next.
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
      const places = sorted.flatMap(user => ['ﬁ', '😀'].map(session => [user, session]));
      const sessions = await pagesOf(cursor =>
        world.lists.sessions(anybody, withCursor({ limit: 3 }, cursor)),
      );
      expect(
        sessions.flatMap(page => page.sessions).map(({ user_id, session_id }) => [user_id, session_id]),
      ).toEqual(places);
      const shown = await turnsOf({ limit: 3 });
      expect(shown.map(({ user_id, session_id }) => [user_id, session_id])).toEqual(places);
    });

    it('end where there is nothing', async () => {
      const nothing = { next_cursor: null };
      expect(await world.lists.users(anybody, {})).toEqual({ users: [], ...nothing });
      expect(await world.lists.sessions(anybody, {})).toEqual({ sessions: [], ...nothing });
      expect(await world.lists.turns(anybody, {})).toEqual({ turns: [], ...nothing });
      expect(await world.lists.observations(anybody, {})).toEqual({ observations: [], ...nothing });
      expect(await world.lists.entities(anybody, {})).toEqual({ entities: [], ...nothing });
      // A page that is just full is the last one.
      await world.write(turnRecorded(0), turnRecorded(1));
      expect((await world.lists.turns(anybody, { limit: 2 })).next_cursor).toBeNull();
      expect((await world.lists.turns(anybody, { limit: 1 })).next_cursor).not.toBeNull();
    });
  });
};

/** Where it stands, without what tells turns of one instant apart. */
const inOrderOnly = ({ user_id, session_id, timestamp }: TurnItem): string[] => [
  user_id,
  session_id,
  timestamp,
];
