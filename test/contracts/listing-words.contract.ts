import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import {
  entityCorrected,
  extracted,
  type Logged,
  memoryErased,
  retracted,
  sentence,
  sessionTitled,
  statement,
  tailTurn,
  turnRecorded,
} from '../support/worlds/builders.ts';
import {
  type ListingWorld,
  listingWorld,
  type OpenListing,
  pagesOf,
  principal,
  withCursor,
} from './openers/listing.ts';

const person = (label: string) => ({ label, kind: 'person' });
const home = (subject: string, value: string) => ({
  text: `${subject} lives in ${value}.`,
  fact: { subject, attribute: 'home', value },
});

const roof = turnRecorded(0, {
  text: 'I repaired the roof of the shed, the leak is gone.',
  session: 'spring',
});
const boat = turnRecorded(1, { text: 'We painted the boat together.', session: 'spring', role: 'Ben' });
const long = turnRecorded(2, {
  text: `${sentence(1)}, and ${sentence(2)}, and ${sentence(3)}, and then a roof.`,
  session: 'summer',
});
const other = turnRecorded(3, { text: 'The roof terrace is warm.', user: 'ben', session: 'summer' });
const foreign = turnRecorded(4, { text: 'A roof of another tenant.', org: 'initech', user: 'eve' });
const said = statement(5, { text: 'The shed has a new roof.', session: 'spring' });
const events: Event[] = [
  roof,
  boat,
  long,
  other,
  foreign,
  said,
  extracted(0, roof, { observations: [home('The user', 'Lyon')], entities: [person('Melanie')] }),
  extracted(1, boat, {
    observations: [home('Ben', 'Porto')],
    entities: [person('Mel'), person('Ben Roofer')],
  }),
  sessionTitled(6, 'The house in the hills', { session: 'spring' }),
  entityCorrected(7, { entity: 'The user', me: ['Ada Lovelace'], names: ['The user'] }),
];

/** Lists that are asked for words, through the use cases. */
export const describeListingWords = (name: string, open: () => Promise<OpenListing>): void => {
  describe(`lists of what has words: ${name}`, () => {
    let world: ListingWorld;
    const anybody = principal();
    beforeEach(async () => {
      world = await listingWorld(await open());
      await world.write(...events);
    });
    afterEach(() => world.close());

    const turns = async (query: object) => (await world.lists.turns(anybody, query)).turns;
    const texts = async (query: object) => (await turns(query)).map(({ text }) => text);
    const users = async (q: string, caller = anybody) =>
      (await world.lists.users(caller, { q })).users.map(({ user_id, match }) => [user_id, match?.by]);
    const sessions = async (q: string, query: object = {}) =>
      (await world.lists.sessions(anybody, { q, ...query })).sessions.map(
        ({ user_id, session_id, match }) => [user_id, session_id, match?.by],
      );

    it('find turns by their words in any form, the best first, and tell how well each matches', async () => {
      const found = await turns({ q: 'roofs' });
      expect(found.map(({ text }) => text)).toEqual([other, roof, long].map(({ data }) => data.text));
      const scores = found.map(({ match }) => match!.score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      for (const { match } of found)
        expect([match!.by, match!.score > 0, match!.score <= 1]).toEqual(['text', true, true]);
      expect(await texts({ q: 'the leaking roof' })).toEqual(
        [roof, other, long].map(({ data }) => data.text),
      );
      expect(await texts({ q: 'zanzibar' })).toEqual([]);
      expect(await texts({ q: '… ?!' })).toEqual([]);
    });

    it('find within what the other members of the query select', async () => {
      expect(await texts({ q: 'roof', user_id: 'ben' })).toEqual([other.data.text]);
      expect(await texts({ q: 'roof', user_id: 'ada', session_id: 'summer' })).toEqual([long.data.text]);
      expect(await texts({ q: 'painted', role: 'Ben' })).toEqual([boat.data.text]);
      expect(await texts({ q: 'painted', role: 'Ada' })).toEqual([]);
      expect(await texts({ q: 'roof', user_id: 'ada', until: roof.data.timestamp })).toEqual([
        roof.data.text,
      ]);
      // The speaker's name is a word like any other.
      expect(await texts({ q: 'Ben' })).toEqual([]);
    });

    it('find an acknowledged turn at once, and once', async () => {
      const waiting = turnRecorded(8, { text: 'A roof window!', user: 'cleo', session: 'new' });
      world.tail.push(tailTurn(roof), tailTurn(waiting));
      const page = await world.lists.turns(anybody, { q: 'roof' });
      expect(page.turns.map(({ text }) => text).sort()).toEqual(
        [roof, long, other, waiting].map(({ data }) => data.text).sort(),
      );
      expect(page.freshness.from_tail).toBe(1);
      expect(await users('window')).toEqual([['cleo', 'text']]);
      expect(await users('cle')).toEqual([['cleo', 'id']]);
      expect(await sessions('window')).toEqual([['cleo', 'new', 'text']]);
      const { sessions: found } = await world.lists.sessions(anybody, { q: 'window' });
      expect(found).toMatchObject([{ turns: 1, match: { text: 'A roof window!', turn_id: waiting.id } }]);
    });

    it('page through a ranking, each item once', async () => {
      const many = Array.from({ length: 60 }, (_, n) =>
        turnRecorded(20 + n, { text: `The zither ${sentence(n)}`, user: 'dora', session: `s${n % 7}` }),
      );
      await world.write(...many);
      const whole = (await turns({ q: 'zither', limit: 200 })).map(({ id }) => id);
      expect(whole).toHaveLength(60);
      for (const limit of [7, 60]) {
        const pages = await pagesOf(cursor =>
          world.lists.turns(anybody, withCursor({ q: 'zither', limit }, cursor)),
        );
        expect(pages.flatMap(page => page.turns.map(({ id }) => id))).toEqual(whole);
      }
      const { next_cursor } = await world.lists.turns(anybody, { q: 'zither', limit: 7 });
      const cursor = next_cursor!;
      for (const query of [
        { q: 'roof', cursor },
        { q: 'zither', user_id: 'ben', cursor },
      ])
        await expect(world.lists.turns(anybody, query)).rejects.toMatchObject({ code: 'invalid' });
      const dora = await pagesOf(cursor =>
        world.lists.sessions(anybody, withCursor({ q: 'zither', limit: 3 }, cursor)),
      );
      expect(dora.flatMap(page => page.sessions.map(one => one.session_id)).sort()).toEqual([
        's0',
        's1',
        's2',
        's3',
        's4',
        's5',
        's6',
      ]);
    });

    it('find observations by their own words, said with a turn, without one, or extracted', async () => {
      const observed = async (query: object) =>
        (await world.lists.observations(anybody, query)).observations.map(({ text, source }) => [
          text,
          source,
        ]);
      expect(await observed({ q: 'roof' })).toEqual([['The shed has a new roof.', 'client']]);
      expect(await observed({ q: 'Who lives in Lyon?' })).toEqual([
        ['The user lives in Lyon.', 'rules'],
        ['Ben lives in Porto.', 'rules'],
      ]);
      expect(await observed({ q: 'Lyon', source: 'client' })).toEqual([]);
      expect(await observed({ q: 'lives', turn_id: boat.id })).toEqual([['Ben lives in Porto.', 'rules']]);
    });

    it('find users by id, by what they are called, and by what they said', async () => {
      expect(await users('ada')).toEqual([['ada', 'id']]);
      expect(await users('Lovelace')).toEqual([['ada', 'name']]);
      expect((await users('roof')).sort()).toEqual([
        ['ada', 'text'],
        ['ben', 'text'],
      ]);
      expect(await users('eve')).toEqual([]);
      const { users: found } = await world.lists.users(anybody, { q: 'terrace' });
      expect(found).toMatchObject([
        { user_id: 'ben', sessions: 1, turns: 1, match: { text: other.data.text, turn_id: other.id } },
      ]);
    });

    it('find sessions by title, by id, and by what was said in them', async () => {
      expect(await sessions('hills')).toEqual([['ada', 'spring', 'title']]);
      expect(await sessions('summer')).toEqual([
        ['ada', 'summer', 'id'],
        ['ben', 'summer', 'id'],
      ]);
      expect(await sessions('boat')).toEqual([['ada', 'spring', 'text']]);
      expect(await sessions('roof', { user_id: 'ben' })).toEqual([['ben', 'summer', 'text']]);
      await world.write(sessionTitled(9, 'The garden', { session: 'spring' }));
      expect(await sessions('hills')).toEqual([]);
      expect(await sessions('gardens')).toEqual([['ada', 'spring', 'title']]);
    });

    it('find entities by any of their names, each once', async () => {
      const named = async (query: object) =>
        (await world.lists.entities(anybody, query as { q: string })).entities.map(
          ({ label, turns, match }) => [label, turns, match?.text ?? null],
        );
      expect(await named({ q: 'melanie', user_id: 'ada' })).toEqual([['Melanie', 2, null]]);
      expect(await named({ q: 'roofer' })).toEqual([['Ben Roofer', 1, null]]);
      expect(await named({ q: 'roofer', kind: 'place' })).toEqual([]);
      expect(await named({ q: 'mel', user_id: 'ada', session_id: 'spring' })).toEqual([
        ['Melanie', 2, 'Mel'],
      ]);
      expect(await named({ q: 'mel', turn_id: boat.id })).toEqual([['Mel', 1, null]]);
      expect(await named({ q: 'nobody' })).toEqual([]);
    });

    it('find facts by what they say', async () => {
      const facts = async (query: object) =>
        (await world.lists.facts(anybody, { user_id: 'ada', ...query })).facts.map(({ value, match }) => [
          value,
          match?.by,
        ]);
      expect(await facts({ q: 'porto' })).toEqual([['Porto', 'text']]);
      expect(await facts({ q: 'home of Ben' })).toEqual([
        ['Porto', 'text'],
        ['Lyon', 'text'],
      ]);
      expect(await facts({ q: 'zanzibar' })).toEqual([]);
    });

    it('show nothing that is hidden, erased, or of another user or organization', async () => {
      const ben = principal({ userId: 'ben', roles: ['memory:read'] });
      expect(await users('roof', ben)).toEqual([['ben', 'text']]);
      expect(await users('ada', ben)).toEqual([]);
      expect(await users('Lovelace', ben)).toEqual([]);
      expect((await world.lists.turns(ben, { q: 'roof' })).turns.map(({ text }) => text)).toEqual([
        other.data.text,
      ]);
      expect((await world.lists.sessions(ben, { q: 'hills' })).sessions).toEqual([]);
      expect((await world.lists.entities(ben, { q: 'melanie' })).entities).toEqual([]);
      await expect(world.lists.turns(ben, { q: 'roof', user_id: 'ada' })).rejects.toMatchObject({
        code: 'forbidden',
      });

      await world.write(retracted(10, roof as Logged<typeof roof.data>));
      expect(await texts({ q: 'leak' })).toEqual([]);
      await world.write(
        memoryErased(11, { user: 'ada' }),
        memoryErased(11, { user: 'ada', topic: 'observations' }),
      );
      expect(await texts({ q: 'roof' })).toEqual([other.data.text]);
      expect([await users('ada'), await users('Lovelace'), await sessions('hills')]).toEqual([[], [], []]);
      expect((await world.lists.entities(anybody, { q: 'melanie' })).entities).toEqual([]);
      expect((await world.lists.observations(anybody, { q: 'roof lives' })).observations).toEqual([]);
    });

    it('find the same in another generation', async () => {
      const told = async () => ({
        turns: (await turns({ q: 'roof of the shed' })).map(({ id, match }) => [id, match]),
        users: (await world.lists.users(anybody, { q: 'roof' })).users,
        sessions: (await world.lists.sessions(anybody, { q: 'house' })).sessions,
      });
      const before = await told();
      await world.promote();
      expect(await told()).toEqual(before);
    });
  });
};
