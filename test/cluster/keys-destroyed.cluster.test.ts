import { expect, it } from 'vitest';
import type { NewRecord } from '../../core/ports.ts';
import { TRUSTED_MS } from '../../infra/cluster/keys/cache/trust.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { memoryKeyIndex } from '../support/engines/memory-key-index.ts';
import { mortal } from '../support/engines/redis.ts';
import { pause, until } from '../support/wait.ts';
import { lateCopyOf, makeKeysWorld, readIntoIndex, shown } from '../support/worlds/cluster-keys-world.ts';

const NEVER = new AbortController().signal;

describeOnEngines('sealing keys that are destroyed', () => {
  const { redis, openStore, fresh, wipe, indexOf, setIndex } = makeKeysWorld(clusterConfig());

  it('stops using a destroyed key in every process', async () => {
    const { name, log } = fresh();
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

  it.each(['before', 'after'])(
    'destroys for good what was destroyed before its maker used it, swept %s that',
    async when => {
      const { name, log } = fresh();
      const [one, other] = [openStore(name, log), openStore(name, log)];
      let stored: readonly NewRecord[] = [];
      log.after = async records => {
        log.after = () => {};
        stored = records;
        // In the log, and not yet read there by its maker.
        await other.destroy('acme', 'ada');
        if (when === 'before') await other.sweep(NEVER);
      };
      const made = await one.forSession('acme', 'ada', 's1');
      const ids = stored.map(record => record.name!);
      expect(ids).toHaveLength(2);
      expect(ids).not.toContain(made.keyId);
      if (when === 'after') await one.sweep(NEVER);
      log.compact('keys');
      const left = log.records('keys').filter(({ value }) => value.length > 0);
      expect(left.map(record => record.name)).not.toEqual(expect.arrayContaining([ids[0]]));
      expect(left).toHaveLength(2);
    },
  );

  it('goes on with a key whose destruction died before its tombstone, and not after that', async () => {
    const { name, log } = fresh();
    const dying = openStore(name, log);
    const made = await dying.forSession('acme', 'ada', 's1');
    const named = await dying.idsOf('acme', 'ada');
    log.before = () => {
      throw new Error('the process is dead');
    };
    await expect(dying.destroy('acme', 'ada')).rejects.toThrow('dead');
    log.before = () => {};
    const [one, other] = [openStore(name, log), openStore(name, log)];
    // The log alone decides: a second key would be another one after Redis is lost.
    expect(shown(await one.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    // As who reads the erasure's event.
    await other.destroyKeys(named);
    expect(await other.byId(made.keyId)).toBeUndefined();
    const anew = await other.forSession('acme', 'ada', 's1');
    expect(anew.keyId).not.toBe(made.keyId);
    expect(await other.sweep(NEVER)).toBe(1);
    expect(shown(await other.forSession('acme', 'ada', 's1'))).toEqual(shown(anew));
  });

  /** Switched off by hand: documents.ts writes late copies → the key opens again. */
  it('destroys once more what a dying process appended after its tombstone', async () => {
    for (const isIndexed of [false, true]) {
      const { name, log } = fresh();
      const keys = openStore(name, log);
      const made = await keys.forSession('acme', 'ada', 's1');
      const late = lateCopyOf(log, made.keyId);
      await keys.destroy('acme', 'ada', 's1');
      if (isIndexed) await readIntoIndex(log, indexOf(log));
      await log.append([late]);
      await wipe(name);
      expect(await openStore(name, log).byId(made.keyId)).toBeUndefined();
      expect((await openStore(name, log).forSession('acme', 'ada', 's1')).keyId).not.toBe(made.keyId);
      await readIntoIndex(log, indexOf(log));
      log.compact('keys');
      expect(log.records('keys').find(({ name: id }) => id === made.keyId)!.value).toHaveLength(0);
      setIndex(log, memoryKeyIndex());
      expect(await openStore(name, log).byId(made.keyId)).toBeUndefined();
    }
  });

  it('finishes a destruction that died at any command, and loses no key that was used after it', async () => {
    let deaths = 0;
    for (let lives = 0; ; lives++) {
      const { name, log } = fresh();
      const keys = openStore(name, log);
      const gone = await keys.forSession('acme', 'ada', 's1');
      const kept = await keys.forSession('acme', 'grace', 's1');
      let left = lives;
      const dying = openStore(
        name,
        log,
        mortal(redis(), () => left-- === 0),
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
      expect((await restored.byId(after.keyId))!.export()).toEqual(after.sealing.export());
      await restored.destroy('acme', 'ada');
      expect(await restored.byId(gone.keyId)).toBeUndefined();
      expect(await restored.byId(after.keyId)).toBeUndefined();
      expect(await restored.byId(kept.keyId)).toBeDefined();
      await restored.sweep(NEVER);
      log.compact('keys', true);
      expect(log.records('keys').filter(({ value }) => value.length > 0)).toHaveLength(2);
      if (done) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(3);
  });

  it('finds what is left to destroy when it is asked again, without a restore in between', async () => {
    for (let lives = 0, done = false; !done; lives++) {
      const { name, log } = fresh();
      const gone = await openStore(name, log).forSession('acme', 'ada', 's1');
      let left = lives;
      const dying = openStore(
        name,
        log,
        mortal(redis(), () => left-- === 0),
      );
      done = await dying.destroy('acme', 'ada', 's1').then(
        () => true,
        () => false,
      );
      const other = openStore(name, log);
      await other.destroy('acme', 'ada', 's1');
      expect(await other.byId(gone.keyId)).toBeUndefined();
      await wipe(name);
      expect(await openStore(name, log).byId(gone.keyId)).toBeUndefined();
    }
  });
});
