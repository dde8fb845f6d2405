import { afterAll, describe, expect, it } from 'vitest';
import type { Event } from '../../core/log/events.ts';
import type { ListCursor, Listing } from '../../core/ports.ts';
import type { Elasticsearch } from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { everything } from '../../infra/cluster/elasticsearch/horizons.ts';
import {
  generationIndex,
  recallAlias,
  recallIndexOf,
} from '../../infra/cluster/elasticsearch/index/index.ts';
import { openListing } from '../../infra/cluster/elasticsearch/lists/listing.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import type { RecallWrite } from '../../projections/recall/recall-writes.ts';
import {
  type ElasticsearchProjections,
  generationsOf,
  openElasticsearchProjections,
} from '../contracts/openers/elasticsearch.ts';
import { fold } from '../contracts/openers/embedded.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { extracted, memoryErased, minute, sentence, turnRecorded } from '../support/worlds/builders.ts';

const ACME = { org: 'acme' };
const ADA = { org: 'acme', user: 'ada' };
/** More than an answer of the engine names. */
const MANY = 10_300;

describeOnEngines('lists on Elasticsearch', () => {
  const opened: ElasticsearchProjections[] = [];
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  /** An index, what was written to it, and how its next generation is made of that. */
  const world = async () => {
    const projections = await openElasticsearchProjections();
    opened.push(projections);
    const { config } = projections;
    const { elasticsearch, listing } = projections.opened;
    const generations = generationsOf(projections);
    const writes: RecallWrite[] = [];
    const apply = async (...events: Event[]): Promise<void> => {
      const batch = fold(events);
      writes.push(...batch.recall);
      await projections.store.apply({ ...batch, positions: {} });
    };
    const replay = (): Promise<void> => generations.replay(writes);
    /** Lists that meet this between their first search and what follows it. */
    const interrupted = (meanwhile: () => Promise<void>): Listing => {
      let met = false;
      const ask = async <T>(...request: Parameters<Elasticsearch['ask']>): Promise<T> => {
        const answer = await elasticsearch.ask<T>(...request);
        if (!met) {
          met = true;
          await meanwhile();
        }
        return answer;
      };
      return openListing({ ...elasticsearch, ask }, recallAlias(config), FIRST_ALONE.targets, everything);
    };
    return { config, elasticsearch, listing, interrupted, apply, serve: generations.serve, replay };
  };

  it('count what a sketch of the engine would only estimate', async () => {
    const { listing, apply } = await world();
    const silent = (n: number) =>
      turnRecorded(n, { session: `s${n}`, text: 'not kept', active: false, passive: false });
    const turns = Array.from({ length: MANY }, (_, n) => silent(n));
    const marta = { entities: [{ label: 'Marta', kind: 'person' }] };
    // One turn spells her in two ways.
    const spelled = [...marta.entities, { label: 'marta', kind: 'person' }];
    const mentions = turns.map((turn, n) => extracted(n, turn, n === 7 ? { entities: spelled } : marta));
    await apply(...turns);
    await apply(...mentions);
    expect(await listing.users(ACME, undefined, 10)).toEqual([
      { user: 'ada', sessions: MANY, turns: 0, lastAt: null },
    ]);
    expect(await listing.entities(ACME, {}, undefined, 10)).toMatchObject([
      { normalised: 'marta', label: 'Marta', kind: 'person', turns: MANY },
    ]);
  });

  it('say of an index that was made before them which replay makes one that is', async () => {
    const { config, elasticsearch, listing, apply, serve } = await world();
    const turn = turnRecorded(1);
    await apply(turn);
    const index = generationIndex(config, 0);
    const kept = { type: 'keyword', index: false, doc_values: false };
    const { properties } = index.mappings;
    const before = { ...properties, user: kept, session: { ...kept, index: true }, normalised: kept };
    await elasticsearch.ask('PUT', `/${recallIndexOf(config, 2)}`, {
      body: { ...index, mappings: { ...index.mappings, properties: before } },
    });
    await serve(2, '3');
    const message = `the recall index is of version 3, this release writes ${PROJECTIONS.recall.version}: run \`turnstone replay recall\``;
    const refused: (() => Promise<unknown>)[] = [
      () => listing.users(ACME, undefined, 5),
      () => listing.sessions(ADA, undefined, 5),
      () => listing.fragments(ACME, { kind: 'turn' }, 'asc', undefined, 5),
      () => listing.fragments(ADA, { kind: 'observation' }, 'desc', undefined, 5),
      () => listing.entities(ADA, {}, undefined, 5),
    ];
    for (const list of refused) await expect(list()).rejects.toMatchObject({ code: 'unavailable', message });
    // A wrong question to an index of this version stays a fault of ours.
    await serve(1);
    const cursor = { user: 'ada', session: 's1', timestamp: Number.NaN, offset: 0, id: '' };
    await expect(listing.fragments(ADA, { kind: 'turn' }, 'asc', cursor, 5)).rejects.not.toMatchObject({
      code: 'unavailable',
    });
    expect(await listing.fragments(ADA, { kind: 'turn' }, 'asc', undefined, 5)).toMatchObject([
      { fragment: { id: turn.id } },
    ]);
  });

  describe('go on where they were', () => {
    const USERS = ['ada', 'Ada', 'grace, of the navy', '\u{1f600}', '\uffee'];
    const SESSIONS = ['s1', 's10', 's2'];
    const TURNS = 120;
    /** Returns a turn of this user, session and time; offsets ascend as events are made. */
    const at = (offset: number, user: string, session: string, time: number) =>
      turnRecorded(offset, {
        user,
        session,
        timestamp: minute(time),
        text: sentence(offset),
        observations: [`${sentence(offset)} it is said`],
      });

    /** Returns what is listed page by page, while `meanwhile` happens before each page but the first. */
    const paged = async <Item, After>(
      next: (after: After | undefined) => Promise<Item[]>,
      cursorOf: (item: Item) => After,
      size: number,
      meanwhile: (page: number, last: Item) => Promise<void>,
    ): Promise<Item[]> => {
      const listed: Item[] = [];
      for (let page = 1; ; page++) {
        const found = await next(listed.length > 0 ? cursorOf(listed.at(-1)!) : undefined);
        listed.push(...found);
        if (found.length < size) return listed;
        await meanwhile(page, found.at(-1)!);
      }
    };

    const filled = async () => {
      const made = await world();
      const turns = Array.from({ length: TURNS }, (_, n) =>
        at(n, USERS[n % 5]!, SESSIONS[n % 3]!, (n * 37) % 50),
      );
      await made.apply(...turns);
      await made.apply(
        ...turns.map((turn, n) =>
          extracted(n, turn, {
            observations: [{ text: `${sentence(n + 500)} it is found` }],
            entities: [{ label: `thing ${n % 17}`, kind: n % 2 ? 'person' : 'product' }],
          }),
        ),
      );
      return { ...made, turns };
    };

    it('while turns arrive on both sides of them, and another generation begins to serve', async () => {
      const { listing, apply, replay, turns } = await filled();
      let offset = 1_000;
      let generation = 1;
      for (const order of ['asc', 'desc'] as const) {
        const before = new Set(turns.map(({ id }) => id));
        const fresh: { id: string; cursor: ListCursor; last: ListCursor }[] = [];
        const listed = await paged(
          (after?: ListCursor) => listing.fragments(ACME, { kind: 'turn' }, order, after, 13),
          ({ cursor }) => cursor,
          13,
          async (page, { cursor: last }) => {
            const added = USERS.flatMap(user => SESSIONS.map(session => at(offset++, user, session, page)));
            await apply(...added);
            for (const turn of added) {
              const { user_id: user, session_id: session, timestamp } = turn.data;
              const cursor = {
                user,
                session,
                timestamp: Date.parse(timestamp),
                offset: turn.offset,
                id: turn.id,
              };
              fresh.push({ id: turn.id, cursor, last });
            }
            turns.push(...added);
            if (page === 4) {
              generation++;
              await replay();
            }
          },
        );
        const ids = listed.map(({ fragment }) => fragment.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(listed.map(({ cursor }) => cursor)).toEqual(
          listed.map(({ cursor }) => cursor).toSorted(order === 'asc' ? byCursor : (a, b) => byCursor(b, a)),
        );
        expect([...before].filter(id => !ids.includes(id))).toEqual([]);
        // A new one is listed if it came behind the list's cursor, and not if the cursor had passed.
        const direction = order === 'asc' ? 1 : -1;
        for (const { id, cursor, last } of fresh)
          expect([id, ids.includes(id)]).toEqual([id, direction * byCursor(cursor, last) > 0]);
      }
      expect(generation).toBe(3);
    });

    it('and show nothing of what was erased meanwhile, in this generation or the next', async () => {
      const { listing, apply, replay, turns } = await filled();
      const gone = (user: string, session: string) => (item: { user: string; session: string }) =>
        item.user === user && item.session === session;
      const ada = gone('ada', 's2');
      const erased = turns.filter(({ data }) => ada({ user: data.user_id, session: data.session_id }));
      expect(erased.length).toBeGreaterThan(3);
      const listed = await paged(
        (after?: ListCursor) => listing.fragments(ACME, { kind: 'observation' }, 'asc', after, 20),
        ({ cursor }) => cursor,
        20,
        async page => {
          if (page === 1) {
            await apply(memoryErased(900, { user: 'ada', session: 's2' }));
            await apply(memoryErased(900, { user: 'ada', session: 's2', topic: 'observations' }));
          }
          if (page === 2) await replay();
        },
      );
      // The first page was of another user.
      expect(listed.slice(0, 20).every(({ cursor }) => cursor.user === 'Ada')).toBe(true);
      expect(listed.filter(({ cursor }) => ada(cursor))).toEqual([]);
      expect(listed).toHaveLength(2 * (TURNS - erased.length));
      expect((await listing.sessions(ADA, undefined, 10)).map(({ session }) => session)).toEqual([
        's1',
        's10',
      ]);
      expect(await listing.users(ADA, undefined, 10)).toMatchObject([
        {
          user: 'ada',
          sessions: 2,
          turns: turns.filter(({ data }) => data.user_id === 'ada').length - erased.length,
        },
      ]);
      for (const { id } of erased) {
        expect(await listing.turn(ACME, id)).toBeUndefined();
        expect(await listing.entities(ACME, { turnId: id }, undefined, 10)).toEqual([]);
      }
    });

    it('with a page as long as before when an erasure comes between its searches', async () => {
      const { listing, interrupted, apply } = await filled();
      let offset = 900;
      const eraseUser = (user: string) => async (): Promise<void> => {
        await apply(memoryErased(offset, { user }));
        await apply(memoryErased(offset, { user, topic: 'observations' }));
        offset++;
      };
      const users = await interrupted(eraseUser('Ada')).users(ACME, undefined, 2);
      expect(users.map(({ user }) => user)).toEqual(['ada', 'grace, of the navy']);
      const entities = await interrupted(eraseUser('ada')).entities(ACME, {}, undefined, 20);
      expect(entities).toHaveLength(20);
      expect(new Set(entities.map(({ user }) => user))).toEqual(new Set(['grace, of the navy', '\uffee']));
      expect(entities).toEqual(await listing.entities(ACME, {}, undefined, 20));
    });

    it('by names too: users, sessions and entities', async () => {
      const { listing, apply, replay } = await filled();
      const erase = async (page: number): Promise<void> => {
        if (page !== 1) return;
        await apply(memoryErased(900, { user: '\u{1f600}' }));
        await apply(memoryErased(900, { user: '\u{1f600}', topic: 'observations' }));
        await apply(at(901, 'Aaron', 's1', 1), at(902, 'joan', 's1', 1));
        await replay();
      };
      const users = await paged(
        (after?: string) => listing.users(ACME, after, 2),
        ({ user }) => user,
        2,
        erase,
      );
      // By their bytes; the one that came in front is not seen, the one behind is.
      expect(users.map(({ user }) => user)).toEqual(['Ada', 'ada', 'grace, of the navy', 'joan', '\uffee']);
      const sessions = await paged(
        (after?: { user: string; session: string }) => listing.sessions(ACME, after, 4),
        ({ user, session }) => ({ user, session }),
        4,
        async () => {},
      );
      expect(sessions.map(({ user, session }) => `${user} ${session}`)).toEqual([
        'Aaron s1',
        ...['Ada', 'ada', 'grace, of the navy'].flatMap(user =>
          SESSIONS.map(session => `${user} ${session}`),
        ),
        'joan s1',
        ...SESSIONS.map(session => `\uffee ${session}`),
      ]);
      const entities = await paged(
        (after?: { user: string; normalised: string }) => listing.entities(ACME, {}, after, 5),
        ({ user, normalised }) => ({ user, normalised }),
        5,
        async () => {},
      );
      expect(new Set(entities.map(({ user }) => user)).size).toBe(4);
      expect(entities).toHaveLength(4 * 17);
      expect(new Set(entities.map(({ id }) => id)).size).toBe(4 * 17);
    });
  });
});

/** As the bytes of their names are sorted. */
const byCursor = (a: ListCursor, b: ListCursor): number =>
  Buffer.compare(Buffer.from(a.user), Buffer.from(b.user)) ||
  Buffer.compare(Buffer.from(a.session), Buffer.from(b.session)) ||
  a.timestamp - b.timestamp ||
  a.offset - b.offset ||
  Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
