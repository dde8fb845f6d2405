/** A wiped Redis gets its accounts from their index by entity, and they are those of the whole log. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import type { Positions } from '../../core/ports.ts';
import type { AccountEntities } from '../../infra/cluster/elasticsearch/accounts/account-entities.ts';
import type { Elasticsearch } from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { keyRevoked } from '../contracts/account-store.contract.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { openTestRedis } from '../support/engines/redis.ts';
import { until } from '../support/wait.ts';
import { accountHistory } from '../support/worlds/account-history.ts';
import { type AccountWorld, openAccountWorld } from '../support/worlds/account-world.ts';

type Rebuilt = Pick<Awaited<ReturnType<AccountWorld['rebuilt']>>, 'contents' | 'lives'>;

const NOW = Date.UTC(2026, 10, 23, 12);

describeOnEngines('the index of accounts', () => {
  const config = clusterConfig();
  let redis: RedisClient;
  let world: AccountWorld;
  let now = NOW;
  const worlds: AccountWorld[] = [];
  const open = async (): Promise<AccountWorld> => {
    world = await openAccountWorld(config, redis, () => now);
    worlds.push(world);
    return world;
  };
  beforeAll(async () => {
    redis = await openTestRedis(config);
  });
  afterEach(async () => {
    now = NOW;
    for (const one of worlds.splice(0)) await one.close();
  });
  afterAll(() => redis.disconnect());

  const down = {
    ask: async () => {
      throw unavailable('Elasticsearch is down.');
    },
  };
  /** Rebuilds the accounts from the whole log. */
  const fromLog = () => world.rebuilt(world.indexOver(down));

  const expectSame = (found: Rebuilt, expected: Rebuilt): void => {
    expect(found.contents).toEqual(expected.contents);
    for (const [key, life] of Object.entries(found.lives))
      expect(Math.abs(life - expected.lives[key]!), key).toBeLessThan(60_000);
  };

  it('gives what the whole log gives, and nothing below its positions is read', async () => {
    for (const seed of [1, 2, 3, 4]) {
      await open();
      const history = accountHistory(NOW, { seed });
      await world.append(history.slice(0, 300));
      await world.indexOn(undefined, { size: 1 + 10 * seed });
      const indexed = await world.log.ends();
      await world.append(history.slice(300));
      const expected = await fromLog();
      const found = await world.rebuilt();
      expectSame(found, expected);
      expect(Object.keys(found.contents).length).toBeGreaterThan(60);
      expect(expected).toMatchObject({ entities: 0, events: 400, unusable: ['Elasticsearch is down.'] });
      expect(found).toMatchObject({ events: 100, unusable: [] });
      for (const [name, offsets] of Object.entries(found.reads))
        expect(Math.min(...offsets)).toBeGreaterThanOrEqual(indexed[name]!);
    }
  });

  it('is right while it is written: what is read later is not mistaken for what was read before', async () => {
    for (const seed of [5, 6]) {
      await open();
      const history = accountHistory(NOW, { seed, days: 3 });
      await world.append(history);
      const committed: Positions = {};
      await world.indexOn(undefined, { size: 20, steps: 3, committed });
      const index = world.indexOver();
      const expected = await fromLog();
      // Two pages may be of any two moments: here all documents are read before the other steps, and all
      // markers after them.
      const between: AccountEntities = {
        ...index,
        eachLiving: async (positions, at, take) => {
          await index.eachLiving(positions, at, ({ states }) => take({ states, markers: [] }));
          await world.indexOn(undefined, { size: 20, committed });
          await index.eachLiving(positions, at, ({ markers }) => take({ states: [], markers }));
        },
      };
      const found = await world.rebuilt(between);
      expectSame(found, expected);
      expect(found.entities).toBeGreaterThan(0);
      expect(found.events).toBeGreaterThan(0);
    }
  });

  it('ends at the same documents wherever the process dies, and a rebuild in between is right', async () => {
    await open();
    await world.append(accountHistory(NOW, { seed: 7, count: 40, organizations: 2, days: 3 }));
    const log = await fromLog();
    await world.indexOn(undefined, { size: 40 });
    const expected = await world.documents();
    expect(expected.size).toBeGreaterThan(20);
    let deaths = 0;
    for (const part of ['none', 'half'] as const) {
      for (let lives = 0; ; lives++) {
        await world.replaceIndex();
        let left = lives;
        const died = await world
          .indexOn(world.indexOver(dying(world.elasticsearch, part, () => left-- <= 0)), { size: 40 })
          .then(
            () => false,
            () => true,
          );
        if (died) expectSame(await world.rebuilt(), log);
        await world.indexOn(undefined, { size: 40 });
        expect(await world.documents()).toEqual(expected);
        if (!died) break;
        deaths += 1;
      }
    }
    expect(deaths).toBeGreaterThan(15);
  });

  it('is not changed by a process that was replaced and still writes', async () => {
    await open();
    await world.append(accountHistory(NOW, { seed: 8, count: 60, organizations: 2, days: 3 }));
    await world.indexOn(undefined, { size: 30 });
    const expected = await world.documents();
    for (let stopAt = 0; ; stopAt++) {
      await world.replaceIndex();
      await world.indexOn(undefined, { size: 10, steps: 1 });
      let sent = 0;
      let wake = (): void => {};
      const asleep = new Promise<void>(resolve => (wake = resolve));
      const isAsleep = (): boolean => sent > stopAt;
      const zombie = world
        .indexOn(
          world.indexOver({
            ask: async (...request) => {
              if (sent++ === stopAt) await asleep;
              return world.elasticsearch.ask(...(request as Parameters<Elasticsearch['ask']>)) as never;
            },
          }),
          { size: 10, steps: 1, committed: { 'accounts/0': 10, 'accounts/1': 0 } },
        )
        .catch(() => {});
      await Promise.race([zombie, until('it sleeps', () => isAsleep())]);
      const stopped = isAsleep();
      await world.indexOn(undefined, { size: 10 });
      wake();
      await zombie;
      expect(await world.documents()).toEqual(expected);
      if (!stopped) break;
      expect(stopAt).toBeLessThan(20);
    }
  });

  it('notices that it was restored from an older copy or lost, and is filled again', async () => {
    await open();
    const history = accountHistory(NOW, { seed: 9, count: 200, days: 3 });
    await world.append(history.slice(0, 100));
    await world.indexOn();
    const copy = await world.documents();
    await world.append(history.slice(100));
    await world.indexOn();
    const expected = await world.documents();
    const log = await fromLog();
    const committed = await world.log.ends();
    for (const documents of [copy, undefined]) {
      await world.replaceIndex(documents);
      expectSame(await world.rebuilt(), log);
      // The next pass begins where the group is, beyond what the index holds.
      await world.append([keyRevoked('org-1', 'nobody'), keyRevoked('org-2', 'nobody')]);
      await world.indexOn(undefined, { committed });
      const found = await world.documents();
      for (const [id, document] of expected)
        if (!id.startsWith('position')) expect(found.get(id)).toEqual(document);
      expectSame(await world.rebuilt(), await fromLog());
    }
  });

  it('is not used when it is of another log, nor when its documents can not be read', async () => {
    await open();
    await world.append(accountHistory(NOW, { seed: 10, count: 50 }));
    await world.indexOn();
    const log = await fromLog();
    const index = world.indexOver();
    const found = await world.rebuilt({ ...index, positions: async () => ({ 'accounts/0': 51 }) });
    expect(found).toMatchObject({
      entities: 0,
      events: 50,
      unusable: ['the index is beyond the end of the log'],
    });
    expectSame(found, log);
    // Redis then has a part of the documents, without what they stand for: it is dropped, not built upon.
    const broken: AccountEntities = {
      ...index,
      eachLiving: async (positions, now, take) => {
        await index.eachLiving(positions, now, take);
        throw unavailable('a shard is lost');
      },
    };
    const { rebuild, contents } = world.rebuilder(broken);
    await expect(rebuild()).rejects.toThrow('a shard is lost');
    expect(await rebuild()).toMatchObject({ entities: 0, events: 50 });
    expectSame(await contents(), log);
    await expect(rebuild()).rejects.toThrow('a shard is lost');
  });

  it('removes what ended, and never a revocation', async () => {
    const DAY_MS = 86_400_000;
    now = NOW - 20 * DAY_MS;
    await open();
    await world.append(accountHistory(now, { seed: 37, count: 200, days: 3 }));
    await world.indexOn();
    const before = await world.documents();
    const expected = await fromLog();
    await world.indexOver().removeEnded(now + DAY_MS);
    expectSame(await world.rebuilt(), expected);
    now = NOW;
    await world.indexOver().removeEnded(NOW);
    const after = await world.documents();
    const kinds = (documents: typeof after): Record<string, number> =>
      Object.fromEntries(
        [...Map.groupBy(documents.values(), ({ source }) => String(source.kind))].map(([kind, all]) => [
          kind,
          all.length,
        ]),
      );
    expect(kinds(before)).toMatchObject({ rotation: expect.any(Number), family: expect.any(Number) });
    const left = ['api_key', 'event', 'organization', 'position', 'webhook'];
    expect(Object.keys(kinds(after)).sort()).toEqual(left);
    expect(kinds(after).api_key).toBe(kinds(before).api_key);
    expect(kinds(after).webhook).toBe(kinds(before).webhook);
    // A process that slept since writes all of it once more.
    const revoked = [...before].filter(
      ([, { source }]) => source.kind === 'api_key' && source.end !== undefined,
    );
    expect(revoked.length).toBeGreaterThan(1);
    now = NOW - 20 * DAY_MS;
    await world.forgetPositions();
    await world.indexOn();
    now = NOW;
    const rebuilt = await world.rebuilt();
    expectSame(rebuilt, await fromLog());
    for (const [, { source }] of revoked)
      expect(Object.keys(rebuilt.contents)).not.toContain(
        `:{${source.org}}:account:document:api_key:${source.id}`,
      );
  });
});

/** A dying process's connection: a request fails, or half of a bulk is done, and every later one fails. */
const dying = (
  elasticsearch: Elasticsearch,
  part: 'none' | 'half',
  dies: () => boolean,
): Pick<Elasticsearch, 'ask'> => {
  let dead = false;
  return {
    ask: async (method, path, request) => {
      const { lines } = request ?? {};
      if (dead) throw new Error('the process is dead');
      dead = (part === 'none' || lines !== undefined) && dies();
      if (!dead) return elasticsearch.ask(method, path, request);
      const half = lines?.slice(0, 2 * Math.floor(lines.length / 4)) ?? [];
      if (part === 'half' && half.length > 0)
        await elasticsearch.ask(method, path, { ...request, lines: half });
      throw new Error('the process is dead');
    },
  };
};
