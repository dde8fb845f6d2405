import { expect, it } from 'vitest';
import { makeKeysWorld, shown, UNAVAILABLE } from '../support/cluster-keys-world.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';

const NEVER = new AbortController().signal;

describeOnEngines('sealing keys that Redis has lost', () => {
  const { openStore, fresh, contents, wipe } = makeKeysWorld(clusterConfig());

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
    await keys.sweep(NEVER);
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

  it('leaves out what a destroyed user’s key had wrapped, and removes it, if nobody had swept it yet', async () => {
    // Before the tombstones are compacted, and after that.
    for (const tombstones of [false, true]) {
      const { name, log } = await fresh();
      const keys = openStore(name, log);
      const gone = await keys.forSession('acme', 'ada', 's1');
      await keys.destroy('acme', 'ada');
      const anew = await keys.forSession('acme', 'ada', 's1');
      log.compact('keys', tombstones);
      await wipe(name);
      const restored = openStore(name, log);
      await restored.restore();
      expect(await restored.byId(gone.keyId)).toBeUndefined();
      // One key a session: another one would make its turns other turns.
      expect(shown(await restored.forSession('acme', 'ada', 's1'))).toEqual(shown(anew));
      const last = log.records('keys').filter(record => record.name === gone.keyId);
      expect(last.at(-1)!.value.length > 0).toBe(tombstones);
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
});
