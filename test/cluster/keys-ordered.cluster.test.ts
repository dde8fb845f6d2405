import { expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import { DAY_MS, HOUR_MS } from '../../core/time.ts';
import { openKeyCache } from '../../infra/cluster/keys/cache/cache.ts';
import { makeKeyIndexer } from '../../infra/cluster/keys/index/indexer.ts';
import type { KeyIndex, StoredKey } from '../../infra/cluster/keys/index/key-index.ts';
import { decodeKey } from '../../infra/cluster/keys/record.ts';
import { makeKeyUpkeep } from '../../infra/cluster/keys/upkeep.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { memoryKeyIndex } from '../support/engines/memory-key-index.ts';
import { redisKeys } from '../support/engines/redis.ts';
import {
  keysStoredIn,
  makeKeysWorld,
  readIntoIndex,
  shown,
  UNAVAILABLE,
} from '../support/worlds/cluster-keys-world.ts';

describeOnEngines('sealing keys, decided by the order of the log', () => {
  const { redis, openStore, fresh, wipe, indexOf, setIndex } = makeKeysWorld(clusterConfig());

  /**
   * Switched off by hand: session-keys.ts uses what it made → two keys; fold-keys.ts sorts by the last record
   * → the second one.
   */
  it('has one key a scope of two that append at once, also when the second dies before its tombstone', async () => {
    for (const dies of [false, true]) {
      const { name, log } = fresh();
      const [one, other] = [openStore(name, log), openStore(name, log)];
      let first: ReturnType<typeof shown> | undefined;
      log.before = async () => {
        log.before = () => {};
        first = shown(await one.forSession('acme', 'ada', 's1'));
        log.before = records => {
          if (dies && records.some(({ value }) => value.length === 0)) throw new Error('the process is dead');
        };
      };
      const second = await other.forSession('acme', 'ada', 's1').catch(() => undefined);
      log.before = () => {};
      if (!dies) expect(shown(second!)).toEqual(first);
      expect(await keysStoredIn(log)).toBe(dies ? 4 : 2);
      for (const prepare of [
        () => wipe(name),
        () => readIntoIndex(log, indexOf(log)),
        async () => log.compact('keys'),
        async () => setIndex(log, memoryKeyIndex()),
      ]) {
        await prepare();
        await wipe(name);
        expect(shown(await openStore(name, log).forSession('acme', 'ada', 's1'))).toEqual(first);
      }
    }
  });

  /** Switched off by hand: the script `keep` without its look at the marks → the key is cached. */
  it('caches no key again that somebody read before it was destroyed', async () => {
    const { name, log } = fresh();
    const keys = openStore(name, log);
    const { keyId } = await keys.forSession('acme', 'ada', 's1');
    const [user, session] = log.records('keys').map(({ value }) => decodeKey(Buffer.from(value).toString()));
    const cache = openKeyCache(redis(), name);
    const scope = { user: user!, wrapping: user!, session: session! };
    const { id } = await cache.state();
    expect((await cache.ofScope(session!.owner, session!.session))!.keys.session.keyId).toBe(keyId);
    await keys.destroy('acme', 'ada', 's1');
    await cache.keep(scope, () => 0, id);
    expect(await cache.ofScope(session!.owner, session!.session)).toBeUndefined();
    // And none that was cached before Redis came back.
    const other = await keys.forSession('acme', 'ada', 's2');
    const { session: name2 } = decodeKey(
      Buffer.from(log.records('keys').find(one => one.name === other.keyId)!.value).toString(),
    );
    expect(await cache.ofScope(user!.owner, name2)).toBeDefined();
    await cache.beginAnew();
    expect(await cache.ofScope(user!.owner, name2)).toBeUndefined();
  });

  it('finds the same keys in an empty Redis, which holds them for an hour', async () => {
    const { name, log } = fresh();
    const made = await openStore(name, log).forSession('acme', 'ada', 's1');
    await readIntoIndex(log, indexOf(log));
    await wipe(name);
    expect(await redisKeys(redis(), name)).toEqual([]);
    expect((await openStore(name, log).byId(made.keyId))!.export()).toEqual(made.sealing.export());
    expect(shown(await openStore(name, log).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    for (const key of await redisKeys(redis(), name)) {
      const left = await redis().ttl(key);
      if (!key.endsWith(':state')) expect(left).toBeGreaterThan(3_500);
    }
  });

  it('writes sessions in use while the index is unreachable, no others, and makes nothing twice', async () => {
    const { name, log } = fresh();
    const index = indexOf(log);
    const used = await openStore(name, log).forSession('acme', 'ada', 's1');
    const idle = await openStore(name, log).forSession('acme', 'eve', 's1');
    await wipe(name);
    await openStore(name, log).forSession('acme', 'ada', 's1');
    const down = new Proxy(index, {
      get: () => async () => {
        throw unavailable('Elasticsearch is unreachable.');
      },
    });
    setIndex(log, down);
    const cold = openStore(name, log);
    expect(shown(await cold.forSession('acme', 'ada', 's1'))).toEqual(shown(used));
    expect(await cold.byId(used.keyId)).toBeDefined();
    await expect(cold.forSession('acme', 'eve', 's1')).rejects.toMatchObject(UNAVAILABLE);
    await expect(cold.byId(idle.keyId)).rejects.toMatchObject(UNAVAILABLE);
    await expect(cold.destroy('acme', 'eve')).rejects.toMatchObject(UNAVAILABLE);
    setIndex(log, index);
    const again = openStore(name, log);
    expect(shown(await again.forSession('acme', 'eve', 's1'))).toEqual(shown(idle));
    expect(log.records('keys')).toHaveLength(4);
  });

  /** Switched off by hand: indexer.ts moves the position without a look at it → a position of 1. */
  it('takes nothing from an indexer that was replaced', async () => {
    const { name, log } = fresh();
    const keys = openStore(name, log);
    const made = await keys.forSession('acme', 'ada', 's1');
    const index = indexOf(log);
    let late: (() => Promise<void>) | undefined;
    const slow: KeyIndex = {
      ...index,
      write: async (documents: readonly StoredKey[]) => {
        await keys.destroy('acme', 'ada', 's1');
        await readIntoIndex(log, index);
        late = () => index.write(documents);
        await late();
      },
    };
    const zombie = makeKeyIndexer({ index: slow, log, clock: Date.now });
    const records = log.records('keys').slice(0, 2);
    await expect(zombie.handle(records)).rejects.toMatchObject(UNAVAILABLE);
    await wipe(name);
    expect(await openStore(name, log).byId(made.keyId)).toBeUndefined();
    const { partition } = records[0]!;
    expect((await index.positions([partition]))[0]!.offset).toBe(3);
  });

  /**
   * Switched off by hand: `trusted` without its age → the destroyed key opens; `pass` not compared → the
   * same.
   */
  it('is read anew from the beginning when the index is older than tombstones last', async () => {
    const { name, log } = fresh();
    const keys = openStore(name, log);
    const [gone, kept] = [
      await keys.forSession('acme', 'ada', 's1'),
      await keys.forSession('acme', 'ada', 's2'),
    ];
    const former = memoryKeyIndex();
    const at = (clock: number) => makeKeyIndexer({ index: former, log, clock: () => clock });
    await at(Date.now() - 13 * HOUR_MS).catchUp();
    await keys.destroy('acme', 'ada', 's1');
    // Its tombstone is gone: nothing in the log says any more that there was a key.
    await keys.forSession('acme', 'ada', 's3');
    log.compact('keys', true);
    setIndex(log, former);
    const isRight = async (): Promise<void> => {
      await wipe(name);
      expect(await openStore(name, log).byId(gone.keyId)).toBeUndefined();
      expect(shown(await openStore(name, log).forSession('acme', 'ada', 's2'))).toEqual(shown(kept));
    };
    await isRight();
    expect(former.keys.get(gone.keyId)!.key).toBeDefined();
    await at(Date.now()).catchUp();
    await isRight();
    await makeKeyUpkeep({ index: former, log, clock: Date.now })();
    expect(former.keys.has(gone.keyId)).toBe(false);
    await isRight();
  });

  it('goes back to where an index is that was restored, and never past what it lacks', async () => {
    const { name, log } = fresh();
    const made = await openStore(name, log).forSession('acme', 'ada', 's1');
    const { handle } = makeKeyIndexer({ index: indexOf(log), log, clock: Date.now });
    const records = log.records('keys');
    expect(await handle(records.slice(1))).toMatchObject({ kind: 'rewind', offset: 0 });
    await handle(records);
    await wipe(name);
    expect(await openStore(name, log).byId(made.keyId)).toBeDefined();
  });

  it('removes stubs after a day, and not before', async () => {
    const { name, log } = fresh();
    const keys = openStore(name, log);
    const { keyId } = await keys.forSession('acme', 'ada', 's1');
    await keys.destroy('acme', 'ada', 's1');
    const index = memoryKeyIndex();
    await readIntoIndex(log, index);
    await makeKeyUpkeep({ index, log, clock: Date.now })();
    expect(index.keys.get(keyId)).toMatchObject({ key: undefined });
    await makeKeyUpkeep({
      index: { ...index, takeTurn: async () => true },
      log,
      clock: () => Date.now() + 2 * DAY_MS,
    })();
    expect(index.keys.has(keyId)).toBe(false);
  });
});
