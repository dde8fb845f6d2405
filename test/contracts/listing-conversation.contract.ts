import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extracted, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { idsOf, makeTurnsOf } from './openers/conversations.ts';
import {
  type ListingWorld,
  listingWorld,
  type OpenListing,
  pagesOf,
  principal,
  withCursor,
} from './openers/listing.ts';

/** Lists of one conversation. */
export const describeListingConversation = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`lists of one conversation: ${name}`, () => {
    let world: ListingWorld;
    afterEach(() => world.close());
    const turnsOf = makeTurnsOf(() => world);
    const anybody = principal();

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
    beforeEach(async () => {
      world = await listingWorld(await open());
      await world.write(asked, answered, other, found, byModel);
    });

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
      const paged = await pagesOf(cursor => world.lists.entities(anybody, withCursor({ limit: 1 }, cursor)));
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
      expect(bySession.flatMap(page => page.entities).map(({ label }) => label)).toEqual(['Grace', 'Lisbon']);
    });

    it('tell of one turn what was made of it, and where it comes from', async () => {
      const one = await world.lists.turn(anybody, answered.id);
      expect(one).toMatchObject({ id: answered.id, user_id: 'ada', session_id: 's1', role: 'assistant' });
      expect(one).toMatchObject({ text: 'Grace moved to Lisbon.', timestamp: answered.data.timestamp });
      expect(one.observations).toEqual(await observations({ turn_id: answered.id }));
      const uncounted = (await entities({ turn_id: answered.id })).map(
        ({ turns: _, aliases: __, ...entity }) => entity,
      );
      expect(uncounted.map(({ label }) => label)).toEqual(['Grace', 'Lisbon']);
      expect(one.entities).toEqual(uncounted);
      expect(one.recorded_at).toBe(answered.recorded_at);
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
};
