import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics.ts';
import { openLogKeyStore } from '../../infra/cluster/keys/key-store.ts';
import { TRUSTED_MS } from '../../infra/cluster/keys/trust.ts';
import type { RedisClient } from '../../infra/cluster/redis/client.ts';
import { unavailable } from '../../services/core/errors.ts';
import type { EventLog, NewRecord, SessionKey, SharedLog } from '../../services/core/ports.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { deleteTopics } from '../support/kafka.ts';
import { memoryLog } from '../support/memory-log.ts';
import { dropRedisKeys, makeNamespaces, mortal, redisContents } from '../support/redis.ts';
import { pause, until } from '../support/wait.ts';
import { describeKeyStore, type OpenKeys } from './key-store.contract.ts';

const installationKey = Buffer.alloc(32, 7);
const shown = ({ keyId, sealing, identity }: SessionKey) => ({
  keyId,
  sealing: sealing.export().toString('hex'),
  identity: identity.export().toString('hex'),
});
const UNAVAILABLE = { code: 'unavailable' };

describeOnEngines('sealing keys in the log, copied to Redis', () => {
  const config = clusterConfig();
  let redis: RedisClient;
  const namespace = makeNamespaces(config, connected => {
    redis = connected;
  });
  const openStore = (name: string, log: EventLog, client = redis, wrapping: Uint8Array = installationKey) =>
    openLogKeyStore({ redis: client, namespace: name, log, installationKey: wrapping });

  const open = async (name: string, log: EventLog): Promise<OpenKeys> => {
    const [keys, other] = [openStore(name, log), openStore(name, log)];
    const close = async (): Promise<void> => {
      await keys.close();
      await other.close();
    };
    return {
      keys,
      other,
      close,
      reopen: async () => {
        await close();
        return open(name, log);
      },
    };
  };
  const fresh = async () => {
    const [name, log] = [namespace(), memoryLog()];
    await openStore(name, log).restore();
    return { name, log };
  };
  describeKeyStore('cluster', async () => {
    const { name, log } = await fresh();
    return open(name, log);
  });
  describeKeyStore('cluster, with a slow log', async () => {
    const { name, log } = await fresh();
    log.before = () => pause(Math.random() * 20);
    log.after = () => pause(Math.random() * 20);
    return open(name, log);
  });

  /** But for what is different in every copy. */
  const contents = async (name: string) =>
    Object.fromEntries(
      Object.entries(await redisContents(redis, name)).filter(([key]) => !/:(copy|gone)$/.test(key)),
    );
  const wipe = (name: string): Promise<void> => dropRedisKeys(redis, name);

  describe('on Kafka', () => {
    let log: SharedLog;
    beforeAll(async () => {
      await migrateTopics(config);
      log = await openKafkaLog(config);
    });
    afterAll(async () => {
      await log.close();
      await deleteTopics(config);
    });
    // The tests share the topic: each begins with what the ones before left of its scopes destroyed.
    describeKeyStore('cluster, Kafka', async () => {
      const name = namespace();
      await openStore(name, log).restore();
      const { keys, ...opened } = await open(name, log);
      for (const user of ['ada', 'grace']) await keys.destroy('acme', user);
      return { keys, ...opened };
    });

    it('restores from Kafka what was there', async () => {
      const name = namespace();
      const keys = openStore(name, log);
      await keys.restore();
      const made = await Promise.all(
        Array.from({ length: 300 }, (_, n) => keys.forSession('globex', `user-${n % 9}`, `s${n}`)),
      );
      await keys.destroy('globex', 'user-3');
      const before = await contents(name);
      await wipe(name);
      await openStore(name, log).restore();
      expect(await contents(name)).toEqual(before);
      const found = await Promise.all(made.map(({ keyId }) => openStore(name, log).byId(keyId)));
      expect(found.map(key => key === undefined)).toEqual(made.map((_, n) => n % 9 === 3));
    });
  });

  it('uses no key before the log has acknowledged it', async () => {
    const { name, log } = await fresh();
    const acknowledged = new Set<string>();
    log.before = () => pause(30);
    log.after = async records => {
      await pause(30);
      for (const record of records) acknowledged.add(record.name!);
    };
    const stores = [1, 2, 3].map(() => openStore(name, log));
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { keyId } = await stores[n % 3]!.forSession('acme', `user-${n % 4}`, `s${n % 7}`);
        expect(acknowledged.has(keyId)).toBe(true);
        // Its partition's key, and its own.
        const record = log.records('keys').find(each => each.name === keyId)!;
        expect(acknowledged.has(JSON.parse(Buffer.from(record.value).toString()).under)).toBe(true);
      }),
    );
    // No two of a scope, although three stores made them at once.
    expect(log.records('keys')).toHaveLength(4 + 28);
  });

  it('holds no bare key, and opens nothing without the installation key', async () => {
    const { name, log } = await fresh();
    const made = await openStore(name, log).forSession('acme', 'ada', 's1');
    const held = JSON.stringify([
      await redisContents(redis, name),
      log.records('keys').map(({ value }) => Buffer.from(value).toString()),
    ]);
    for (const key of [made.sealing, made.identity]) {
      expect(held).not.toContain(key.export().toString('base64'));
      expect(held).not.toContain(key.export().toString('hex'));
    }
    const thief = openStore(name, log, redis, Buffer.alloc(32, 8));
    await expect(thief.byId(made.keyId)).rejects.toThrow();
    await expect(thief.forSession('acme', 'ada', 's1')).rejects.toThrow();
  });

  it('goes on with the very key of a maker that died, wherever it died', async () => {
    let deaths = 0;
    for (let lives = 0; ; lives++) {
      const { name, log } = await fresh();
      let left = lives;
      const dying = openStore(
        name,
        log,
        mortal(redis, () => left-- === 0),
      );
      const made = await dying.forSession('acme', 'ada', 's1').catch(() => undefined);
      const keys = openStore(name, log);
      const others = await Promise.all(
        ['s1', 's2', 's1'].map(session => keys.forSession('acme', 'ada', session)),
      );
      expect(shown(others[2]!)).toEqual(shown(others[0]!));
      // One partition's key and two sessions', even where the append came twice.
      expect(new Set(log.records('keys').map(record => record.name)).size).toBe(3);
      expect((await keys.byId(others[0]!.keyId))!.export()).toEqual(others[0]!.sealing.export());
      if (made) {
        expect(shown(made)).toEqual(shown(others[0]!));
        break;
      }
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(5);
  });

  it('goes on with the same key when an append failed, or was stored and not acknowledged', async () => {
    for (const stored of [false, true]) {
      const { name, log } = await fresh();
      const keys = openStore(name, log);
      let faults = 1;
      const fail = (): void => {
        if (faults-- > 0) throw unavailable('The log is out of reach.');
      };
      if (stored) log.after = fail;
      else log.before = fail;
      await expect(keys.forSession('acme', 'ada', 's1')).rejects.toMatchObject(UNAVAILABLE);
      const made = await keys.forSession('acme', 'ada', 's1');
      expect(new Set(log.records('keys').map(record => record.name)).size).toBe(2);
      expect(log.records('keys').some(({ name: id }) => id === made.keyId)).toBe(true);
    }
  });

  it('is unavailable while Redis holds no whole copy, never without a key', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    const made = await keys.forSession('acme', 'ada', 's1');
    await wipe(name);
    const cold = openStore(name, log);
    await expect(cold.byId(made.keyId)).rejects.toMatchObject(UNAVAILABLE);
    await expect(cold.forSession('acme', 'ada', 's1')).rejects.toMatchObject(UNAVAILABLE);
    await expect(cold.destroy('acme', 'ada')).rejects.toMatchObject(UNAVAILABLE);
    // One that looked a moment ago: what it doesn't find now proves nothing.
    await expect(keys.byId('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject(UNAVAILABLE);
    await expect(keys.forSession('acme', 'ada', 's2')).rejects.toMatchObject(UNAVAILABLE);
    await wipe(name);
    await cold.restore();
    expect(shown(await cold.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
  });

  it('restores what was there, to the letter', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    const made = await Promise.all(
      Array.from({ length: 600 }, (_, n) => keys.forSession('acme', `user-${n % 20}`, `"s${n}"\n{é}\ud800`)),
    );
    await keys.destroy('acme', 'user-7');
    await keys.destroy('acme', 'user-8', '"s8"\n{é}\ud800');
    await keys.forSession('acme', 'user-7', 'anew');
    const before = await contents(name);
    for (const compact of [() => {}, () => log.compact('keys'), () => log.compact('keys', true)]) {
      compact();
      await wipe(name);
      await openStore(name, log).restore();
      expect(await contents(name)).toEqual(before);
    }
    const other = openStore(name, log);
    const found = await Promise.all(made.map(({ keyId }) => other.byId(keyId)));
    const gone = found.flatMap((key, n) => (key ? [] : [n]));
    expect(gone).toEqual(made.flatMap((_, n) => (n % 20 === 7 || n === 8 ? [n] : [])));
    for (const [n, key] of found.entries()) {
      if (key) expect(key.export()).toEqual(made[n]!.sealing.export());
    }
  });

  it('uses no key whose maker was overtaken by a wipe, and keeps every one that was used', async () => {
    // Redis is lost and restored while the append is under way: before or after it is stored.
    for (const when of ['before', 'after'] as const) {
      const { name, log } = await fresh();
      const keys = openStore(name, log);
      const first = await keys.forSession('acme', 'grace', 's1');
      log[when] = async () => {
        log[when] = () => {};
        await wipe(name);
        await openStore(name, log).restore();
      };
      await expect(keys.forSession('acme', 'ada', 's1')).rejects.toMatchObject(UNAVAILABLE);
      const used = [
        await keys.forSession('acme', 'ada', 's1'),
        await openStore(name, log).forSession('acme', 'ada', 's2'),
      ];
      await wipe(name);
      const restored = openStore(name, log);
      await restored.restore();
      for (const { keyId, sealing } of [first, ...used]) {
        expect((await restored.byId(keyId))!.export()).toEqual(sealing.export());
      }
    }
  });

  it('stops using a destroyed key in every process', async () => {
    const { name, log } = await fresh();
    const [one, other] = [openStore(name, log), openStore(name, log)];
    const made = await one.forSession('acme', 'ada', 's1');
    expect(shown(await other.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    await other.byId(made.keyId);
    // While it is under way, too.
    log.after = async () => void (await other.byId(made.keyId));
    await one.destroy('acme', 'ada', 's1');
    expect(await one.byId(made.keyId)).toBeUndefined();
    expect((await one.forSession('acme', 'ada', 's1')).keyId).not.toBe(made.keyId);
    await until(
      'the other uses it no longer',
      async () =>
        (await other.byId(made.keyId)) === undefined &&
        (await other.forSession('acme', 'ada', 's1')).keyId !== made.keyId,
    );
  });

  it('destroys for good what was destroyed while it was made or repeated', async () => {
    const { name, log } = await fresh();
    const [one, other] = [openStore(name, log), openStore(name, log)];
    let stored: readonly NewRecord[] = [];
    log.before = async records => {
      log.before = () => {};
      stored = records;
      // The tombstones come before the append that is under way.
      await other.destroy('acme', 'ada');
    };
    const made = await one.forSession('acme', 'ada', 's1');
    const ids = stored.map(record => record.name!);
    expect(ids).toHaveLength(2);
    expect(ids).not.toContain(made.keyId);
    log.compact('keys');
    const left = log.records('keys').filter(({ value }) => value.length > 0);
    expect(left.map(record => record.name)).not.toEqual(expect.arrayContaining([ids[0]]));
    expect(left).toHaveLength(2);
  });

  it('destroys at the next restore what a dying process appended after its tombstone', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    const made = await keys.forSession('acme', 'ada', 's1');
    const record = log.records('keys').find(each => each.name === made.keyId)!;
    const owner = JSON.parse(Buffer.from(record.value).toString()).owner;
    await keys.destroy('acme', 'ada', 's1');
    await log.append([{ topic: 'keys', key: owner, name: made.keyId, value: record.value }]);
    await wipe(name);
    await keys.restore();
    expect(await openStore(name, log).byId(made.keyId)).toBeUndefined();
    log.compact('keys');
    expect(log.records('keys').filter(({ value }) => value.length > 0)).toHaveLength(1);
  });

  it('finishes a destruction that died at any command, and loses no key that was used after it', async () => {
    let deaths = 0;
    for (let lives = 0; ; lives++) {
      const { name, log } = await fresh();
      const keys = openStore(name, log);
      const gone = await keys.forSession('acme', 'ada', 's1');
      const kept = await keys.forSession('acme', 'grace', 's1');
      let left = lives;
      const dying = openStore(
        name,
        log,
        mortal(redis, () => left-- === 0),
      );
      const done = await dying.destroy('acme', 'ada').then(
        () => true,
        () => false,
      );
      // Some words more, before anybody asks again; then Redis is lost.
      await pause(TRUSTED_MS + 50);
      const after = await openStore(name, log).forSession('acme', 'ada', 's1');
      await wipe(name);
      const restored = openStore(name, log);
      await restored.restore();
      expect((await restored.byId(after.keyId))!.export()).toEqual(after.sealing.export());
      await restored.destroy('acme', 'ada');
      expect(await restored.byId(gone.keyId)).toBeUndefined();
      expect(await restored.byId(after.keyId)).toBeUndefined();
      expect(await restored.byId(kept.keyId)).toBeDefined();
      log.compact('keys', true);
      expect(log.records('keys')).toHaveLength(2);
      if (done) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(5);
  });

  it('finds what is left to destroy when it is asked again, without a restore in between', async () => {
    for (let lives = 0, done = false; !done; lives++) {
      const { name, log } = await fresh();
      const gone = await openStore(name, log).forSession('acme', 'ada', 's1');
      let left = lives;
      const dying = openStore(
        name,
        log,
        mortal(redis, () => left-- === 0),
      );
      done = await dying.destroy('acme', 'ada', 's1').then(
        () => true,
        () => false,
      );
      const other = openStore(name, log);
      await other.destroy('acme', 'ada', 's1');
      expect(await other.byId(gone.keyId)).toBeUndefined();
      await wipe(name);
      await other.restore();
      expect(await openStore(name, log).byId(gone.keyId)).toBeUndefined();
    }
  });

  it("makes a session's key anew where the log has lost what wraps it", async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    const lost = await keys.forSession('acme', 'ada', 's1');
    const record = log.records('keys').find(each => each.name === lost.keyId)!;
    const { owner, under } = JSON.parse(Buffer.from(record.value).toString());
    await log.append([{ topic: 'keys', key: owner, name: under, value: new Uint8Array() }]);
    await wipe(name);
    await keys.restore();
    const other = openStore(name, log);
    expect(await other.byId(lost.keyId)).toBeUndefined();
    const anew = await other.forSession('acme', 'ada', 's1');
    expect(anew.keyId).not.toBe(lost.keyId);
    expect((await other.byId(anew.keyId))!.export()).toEqual(anew.sealing.export());
  });

  it('makes a thousand sessions at once in four commands each, and knows them in one', async () => {
    const { name, log } = await fresh();
    let commands = 0;
    const counting = mortal(redis, () => {
      commands += 1;
      return false;
    });
    const keys = openStore(name, log, counting);
    const figures: Record<string, { commands: number; ms: number }> = {};
    const all = async (label: string, store: typeof keys): Promise<SessionKey[]> => {
      const [start, before] = [performance.now(), commands];
      const made = await Promise.all(
        Array.from({ length: 1_000 }, (_, n) => store.forSession('acme', `user-${n % 100}`, `s${n}`)),
      );
      figures[label] = { commands: commands - before, ms: Math.round(performance.now() - start) };
      return made;
    };
    const made = await all('made', keys);
    await all('cached', keys);
    await all('read', openStore(name, log, counting));
    console.log('1,000 sessions of 100 users:', JSON.stringify(figures));
    // Looked for, proposed, pointed to, marked; and the partitions' keys pointed to, and what all share.
    expect(figures.made!.commands).toBeLessThan(4_000 + 100 + 200);
    expect(figures.cached!.commands).toBeLessThanOrEqual(1);
    expect(figures.read!.commands).toBeLessThanOrEqual(1_000 + 10);
    expect(new Set(made.map(({ keyId }) => keyId)).size).toBe(1_000);
    expect(log.records('keys')).toHaveLength(1_100);
  });
});
