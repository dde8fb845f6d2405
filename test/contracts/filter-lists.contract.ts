import { afterEach, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { MemoryLists } from '../../core/use-cases.ts';
import type { TurnRecorded } from '../../schemas/events/turns.ts';
import type { Filter } from '../../schemas/http/queries/filter.ts';
import { extracted, type Logged, tailTurn, turnRecorded } from '../support/worlds/builders.ts';
import { drawing, history } from '../support/worlds/history.ts';
import {
  anyFilter,
  isTurn,
  metadataOf,
  plainlyPasses,
  withCorrections,
  withMetadata,
} from '../support/worlds/metadata.ts';
import {
  type ListingWorld,
  listingWorld,
  type OpenListing,
  pagesOf,
  principal,
  withCursor,
} from './openers/listing.ts';

const anybody = principal();

/** Everything that the lists tell, page by page. */
const told = async (
  lists: MemoryLists,
  query: { filter?: string; user_id?: string; session_id?: string },
) => {
  const { filter, user_id } = query;
  const ofUser = { filter, user_id };
  const all = async <Name extends string, Item>(
    name: Name,
    read: (cursor?: string) => Promise<{ next_cursor: string | null } & Record<Name, Item[]>>,
  ): Promise<Item[]> => (await pagesOf(read)).flatMap(page => page[name]);
  const limited = { ...query, limit: 7 };
  return {
    turns: await all('turns', cursor => lists.turns(anybody, withCursor(limited, cursor))),
    backwards: await all('turns', cursor =>
      lists.turns(anybody, withCursor({ ...limited, order: 'desc' }, cursor)),
    ),
    observations: await all('observations', cursor =>
      lists.observations(anybody, withCursor(limited, cursor)),
    ),
    // Its label is one, whichever of its turns are listed.
    entities: (await all('entities', cursor => lists.entities(anybody, withCursor(limited, cursor)))).map(
      ({ id, turns }) => ({ id, turns }),
    ),
    sessions: await all('sessions', cursor =>
      lists.sessions(anybody, withCursor({ ...ofUser, limit: 3 }, cursor)),
    ),
    users: await all('users', cursor => lists.users(anybody, withCursor({ filter, limit: 1 }, cursor))),
  };
};

/** Tests that lists have under a filter what they have where nothing but what passes was written. */
export const describeFilteredLists = (
  name: string,
  open: () => Promise<OpenListing>,
  seeds: readonly number[],
): void => {
  describe(`filtered lists: ${name}`, () => {
    const worlds: ListingWorld[] = [];
    afterEach(async () => {
      for (const world of worlds.splice(0)) await world.close();
    });
    const written = async (events: readonly Event[], tail: readonly Logged<TurnRecorded>[] = []) => {
      const world = await listingWorld(await open());
      worlds.push(world);
      await world.write(...events);
      world.tail.push(...tail.map(tailTurn));
      return world;
    };

    it.each(seeds)('have what passes, and count it: seed %i', async seed => {
      const draw = drawing(seed);
      const steps = history([40, 50], draw).steps.flat();
      // An identity keeps nothing that could pass.
      const turns = withMetadata(steps, draw).map(event =>
        isTurn(event) ? { ...event, data: { ...event.data, active: true } } : event,
      );
      const events = withCorrections(turns, draw);
      const waiting = withMetadata(
        [70, 71, 72, 73].map(n => turnRecorded(n, { user: n % 2 ? 'ada' : 'eve', session: `s${n}` })),
        draw,
      ).map((event, n) => ({ ...event, offset: 1_000 + n })) as Logged<TurnRecorded>[];
      const whole = await written(events, waiting);
      const filters: Filter[] = [
        { key: 'agent_id', eq: 'b' },
        {
          not: {
            all: [
              { key: 'rank', lt: 7 },
              { key: 'agent_id', exists: true },
            ],
          },
        },
        { key: 'rank', exists: false },
        anyFilter(draw),
      ];
      for (const filter of filters) {
        const isPassing = (event: Event) => plainlyPasses(filter, metadataOf(event));
        const part = await written(events.filter(isPassing), waiting.filter(isPassing));
        for (const scope of [{}, { user_id: 'ada' }, { user_id: 'ada', session_id: 's2' }]) {
          const found = await told(whole.lists, { ...scope, filter: JSON.stringify(filter) });
          expect({ filter, scope, ...found }).toEqual({ filter, scope, ...(await told(part.lists, scope)) });
        }
      }
      await whole.promote();
      const filter = JSON.stringify(filters[0]);
      const part = await written(events.filter(event => plainlyPasses(filters[0]!, metadataOf(event))));
      whole.tail.length = 0;
      expect(await told(whole.lists, { filter })).toEqual(await told(part.lists, {}));
    });

    it('of a turn have its entities and observations where it passes', async () => {
      const turns = ['a', 'b'].map((agent, n) => turnRecorded(n, { metadata: { agent } }));
      const world = await written([
        ...turns,
        ...turns.map((turn, n) =>
          extracted(n, turn, {
            observations: [{ text: `seen ${n}` }],
            entities: [{ label: 'Lisbon', kind: 'place' }],
          }),
        ),
      ]);
      const [first] = turns as [Logged<TurnRecorded>];
      const asked = async (agent: string) => {
        const query = { turn_id: first.id, filter: JSON.stringify({ key: 'agent', eq: agent }) };
        const { entities } = await world.lists.entities(anybody, query);
        const { observations } = await world.lists.observations(anybody, query);
        return [entities.map(({ turns }) => turns), observations.map(({ text }) => text)];
      };
      expect(await asked('a')).toEqual([[1], ['seen 0']]);
      expect(await asked('b')).toEqual([[], []]);
    });

    it('have a cursor that continues no list of another filter', async () => {
      const turns = Array.from({ length: 4 }, (_, n) => turnRecorded(n, { metadata: { n } }));
      const { lists } = await written(turns);
      const [one, other] = [
        { key: 'n', gte: 0 },
        { key: 'n', gte: 1 },
      ].map(filter => JSON.stringify(filter));
      const { next_cursor } = await lists.turns(anybody, { limit: 2, filter: one! });
      const unfiltered = await lists.turns(anybody, { limit: 2 });
      const refusal = {
        code: 'invalid',
        details: { errors: [{ loc: ['query', 'cursor'], type: 'cursor' }] },
      };
      for (const query of [
        { cursor: next_cursor!, filter: other! },
        { cursor: next_cursor! },
        { cursor: unfiltered.next_cursor!, filter: one! },
      ])
        await expect(lists.turns(anybody, query)).rejects.toMatchObject(refusal);
      // The same filter, written in another way.
      const spaced = JSON.stringify(JSON.parse(one!), null, 2);
      const rest = await lists.turns(anybody, { cursor: next_cursor!, filter: spaced });
      expect(rest.turns.map(({ text }) => text)).toEqual(turns.slice(2).map(({ data }) => data.text));
    });

    it('of facts select after it was decided what holds', async () => {
      const home = (value: string) => ({ subject: 'Ada', attribute: 'home', value });
      const said = (n: number, value: string, agent: string) => {
        const turn = turnRecorded(n, { text: `I live in ${value}.`, metadata: { agent } });
        const facts = { observations: [{ text: `Ada lives in ${value}.`, fact: home(value) }] };
        return [turn, extracted(n, turn, facts)];
      };
      const events = [...said(0, 'Lyon', 'a'), ...said(1, 'Porto', 'b'), ...said(2, 'Porto', 'c')];
      const world = await written(events);
      const asked = async (filter: Filter | undefined, holds: 'now' | 'ever' = 'now') => {
        const query = { user_id: 'ada', holds, ...(filter && { filter: JSON.stringify(filter) }) };
        const { facts } = await world.lists.facts(anybody, query);
        return facts.map(({ value, source_turn_ids, valid_until }) => [
          value,
          source_turn_ids.length,
          valid_until === null,
        ]);
      };
      expect(await asked(undefined)).toEqual([['Porto', 2, true]]);
      expect(await asked({ key: 'agent', eq: 'a' })).toEqual([]);
      expect(await asked({ key: 'agent', eq: 'a' }, 'ever')).toEqual([['Lyon', 1, false]]);
      expect(await asked({ key: 'agent', eq: 'c' })).toEqual([['Porto', 1, true]]);
    });
  });
};
