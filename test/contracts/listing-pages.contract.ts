import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TurnItem } from '../../schemas/http/items.ts';
import { memoryErased, minute, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import {
  idsOf,
  inOrder,
  inOrderOnly,
  MANY,
  makeTurnsOf,
  SESSIONS,
  spoken,
  USERS,
} from './openers/conversations.ts';
import {
  type ListingWorld,
  listingWorld,
  type OpenListing,
  pagesOf,
  principal,
  withCursor,
} from './openers/listing.ts';

/** Lists of more turns than a page. */
export const describeListingPages = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`lists of more turns than a page: ${name}`, () => {
    let world: ListingWorld;
    afterEach(() => world.close());
    const turnsOf = makeTurnsOf(() => world);
    const anybody = principal();

    const turns = Array.from({ length: MANY }, (_, n) => spoken(n));
    const ids = turns.map(({ id }) => id);
    beforeEach(async () => {
      world = await listingWorld(await open());
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
        // A turn that came behind the cursor is told, one that came before it is not.
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

    it('sort users and sessions by their last turn, as the index and the tail have it', async () => {
      const lastOf = (of: (turn: (typeof turns)[number]) => string) =>
        [...Map.groupBy(said, of)]
          .map(([name, own]) => ({ name, last: Math.max(...own.map(one => Date.parse(one.data.timestamp))) }))
          .sort((a, b) => b.last - a.last || (a.name < b.name ? -1 : 1))
          .map(({ name, last }) => `${name} ${new Date(last).toISOString()}`);
      const users = async (limit: number) =>
        (await pagesOf(cursor => world.lists.users(anybody, withCursor({ sort: 'last_at', limit }, cursor))))
          .flatMap(page => page.users)
          .map(one => `${one.user_id} ${one.last_at}`);
      const sessions = async (limit: number) =>
        (
          await pagesOf(cursor =>
            world.lists.sessions(anybody, withCursor({ sort: 'last_at', limit }, cursor)),
          )
        )
          .flatMap(page => page.sessions)
          .map(one => `${one.user_id}/${one.session_id} ${one.last_at}`);
      const said = [...turns];
      const expectSorted = async (): Promise<void> => {
        for (const limit of [1, 5, 50]) {
          expect(await users(limit)).toEqual(lastOf(({ data }) => data.user_id));
          expect(await sessions(limit)).toEqual(lastOf(({ data }) => `${data.user_id}/${data.session_id}`));
        }
      };
      await expectSorted();
      const newest = Math.max(...turns.map(({ data }) => Date.parse(data.timestamp)));
      const recent = [
        turnRecorded(MANY, { user: 'grace', session: 'monday', timestamp: newest + 60_000 }),
        turnRecorded(MANY + 1, { user: 'zoe', session: 'monday', timestamp: newest + 30_000 }),
        // Said long ago: it moves nobody.
        turnRecorded(MANY + 2, { user: 'ada', session: 'monday', timestamp: 1_000 }),
      ];
      said.push(...recent);
      world.tail.push(...recent.map(tailTurn));
      await expectSorted();
      const { freshness } = await world.lists.users(anybody, { sort: 'last_at' });
      expect(freshness.from_tail).toBe(1);
      // Projected, and for a moment in both.
      await world.write(...recent);
      await expectSorted();
      world.tail.splice(0);
      await expectSorted();
      const ofBen = await world.lists.sessions(anybody, { user_id: 'ben', sort: 'last_at', limit: 1 });
      const other = world.lists.sessions(anybody, {
        user_id: 'ada',
        sort: 'last_at',
        cursor: ofBen.next_cursor!,
      });
      await expect(other).rejects.toMatchObject({ code: 'invalid' });
    });

    it('count the turns of users and sessions', async () => {
      const pages = await pagesOf(cursor => world.lists.users(anybody, withCursor({ limit: 1 }, cursor)));
      const last = (user: string) =>
        Math.max(
          ...turns.filter(({ data }) => data.user_id === user).map(({ data }) => Date.parse(data.timestamp)),
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
      const [since, until] = [new Date(minute(10_000)), new Date(minute(20_000))].map(at => at.toISOString());
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
};
