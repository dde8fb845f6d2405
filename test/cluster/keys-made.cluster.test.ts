import { expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import type { SessionKey } from '../../core/ports.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { mortal, redisContents } from '../support/engines/redis.ts';
import { installationOf } from '../support/files/installation-keys.ts';
import { pause } from '../support/wait.ts';
import { keysStoredIn, makeKeysWorld, shown, UNAVAILABLE } from '../support/worlds/cluster-keys-world.ts';

describeOnEngines('sealing keys that are made', () => {
  const { redis, openStore, fresh, wipe } = makeKeysWorld(clusterConfig());

  it('uses no key before the log has acknowledged it', async () => {
    const { name, log } = fresh();
    const acknowledged = new Set<string>();
    log.before = () => pause(30);
    log.after = async records => {
      await pause(30);
      for (const record of records) acknowledged.add(record.name!);
    };
    const stores = [1, 2, 3].map(() => openStore(name, log));
    const used = new Set<string>();
    await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const { keyId } = await stores[n % 3]!.forSession('acme', `user-${n % 4}`, `s${n % 7}`);
        used.add(keyId);
        expect(acknowledged.has(keyId)).toBe(true);
        // Its partition's key, and its own.
        const record = log.records('keys').find(each => each.name === keyId)!;
        expect(acknowledged.has(JSON.parse(Buffer.from(record.value).toString()).under)).toBe(true);
      }),
    );
    // No two of a scope, although three stores made them at once. A user's key that came second lives if it
    // wraps one that is used.
    expect(used.size).toBe(28);
    const stored = await keysStoredIn(log);
    expect(stored).toBeGreaterThanOrEqual(28 + 4);
    expect(stored).toBeLessThanOrEqual(28 + 3 * 4);
  });

  it('holds no bare key, and opens nothing without the installation key', async () => {
    const { name, log } = fresh();
    const made = await openStore(name, log).forSession('acme', 'ada', 's1');
    const held = JSON.stringify([
      await redisContents(redis(), name),
      log.records('keys').map(({ value }) => Buffer.from(value).toString()),
    ]);
    for (const key of [made.sealing, made.identity]) {
      expect(held).not.toContain(key.export().toString('base64'));
      expect(held).not.toContain(key.export().toString('hex'));
    }
    const thief = openStore(name, log, redis(), installationOf(Buffer.alloc(32, 8)));
    await expect(thief.byId(made.keyId)).rejects.toThrow();
    await expect(thief.forSession('acme', 'ada', 's1')).rejects.toThrow();
  });

  it('goes on with the very key of a maker that died, wherever it died', async () => {
    let deaths = 0;
    for (let lives = 0; ; lives++) {
      const { name, log } = fresh();
      let left = lives;
      const dying = openStore(
        name,
        log,
        mortal(redis(), () => left-- === 0),
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
    expect(deaths).toBeGreaterThan(3);
  });

  it('goes on with the same key when an append failed, or was stored and not acknowledged', async () => {
    for (const stored of [false, true]) {
      const { name, log } = fresh();
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

  it("makes a session's key anew where the log has lost what wraps it", async () => {
    const { name, log } = fresh();
    const keys = openStore(name, log);
    const lost = await keys.forSession('acme', 'ada', 's1');
    const record = log.records('keys').find(each => each.name === lost.keyId)!;
    const { owner, under } = JSON.parse(Buffer.from(record.value).toString());
    await log.append([{ topic: 'keys', key: owner, name: under, value: new Uint8Array() }]);
    await wipe(name);
    const other = openStore(name, log);
    expect(await other.byId(lost.keyId)).toBeUndefined();
    const anew = await other.forSession('acme', 'ada', 's1');
    expect(anew.keyId).not.toBe(lost.keyId);
    expect((await other.byId(anew.keyId))!.export()).toEqual(anew.sealing.export());
  });

  it('makes a thousand sessions at once in a few commands each, and knows them in three', async () => {
    const { name, log } = fresh();
    let commands = 0;
    const counting = mortal(redis(), () => {
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
    // Looked for in two, pointed to with the user's in two, cached in three; and what all share.
    expect(figures.made!.commands).toBeLessThan(7_000 + 200);
    expect(figures.cached!.commands).toBeLessThanOrEqual(1);
    expect(figures.read!.commands).toBeLessThanOrEqual(3_000 + 10);
    expect(new Set(made.map(({ keyId }) => keyId)).size).toBe(1_000);
    expect(log.records('keys')).toHaveLength(1_100);
  });
});
