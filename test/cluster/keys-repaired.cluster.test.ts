import { expect, it } from 'vitest';
import { openKeyCopy } from '../../infra/cluster/keys/copy.ts';
import { lateCopyOf, makeKeysWorld, shown, UNAVAILABLE } from '../support/cluster-keys-world.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { installationOf } from '../support/installation-keys.ts';
import { bringBack, dropSaved, saveKeys } from '../support/redis-snapshot.ts';

describeOnEngines('sealing keys of which Redis came back without the latest', () => {
  const { openStore, fresh, contents, redis } = makeKeysWorld(clusterConfig());
  const save = (name: string) => saveKeys(redis(), name);
  const comeBack = (name: string) => bringBack(redis(), name);

  /** Switched off by hand: keys/catch-up.ts forgets nothing → 231 keys of Redis instead of 214. */
  it('are what they were, to the letter, wherever the reading begins', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    const make = (first: number, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) => keys.forSession('acme', `user-${n % 10}`, `s${first + n}`)),
      );
    const made = await make(0, 100);
    await keys.destroy('acme', 'user-3', 's3');
    const from = await log.ends();
    made.push(...(await make(100, 50)));
    await save(name);
    // Lost: new sessions and users, a destroyed user who begins again, a destroyed session that is begun again.
    made.push(...(await make(150, 50)));
    await keys.destroy('acme', 'user-7');
    made.push(await keys.forSession('acme', 'user-7', 's7'));
    await keys.destroy('acme', 'user-8', 's8');
    made.push(await keys.forSession('acme', 'user-8', 's8'));
    made.push(await keys.forSession('acme', 'anew', 's1'));
    const before = await contents(name);
    const opened = await Promise.all(made.map(async ({ keyId }) => (await keys.byId(keyId))?.export()));
    expect(opened.filter(key => key === undefined).length).toBeGreaterThan(20);
    for (const start of [from, {}]) {
      await comeBack(name);
      expect(await contents(name)).not.toEqual(before);
      // Twice: one that was interrupted is repeated.
      for (let time = 0; time < 2; time++) {
        await openStore(name, log).catchUp(start, await log.ends());
        expect(await contents(name)).toEqual(before);
      }
      const other = openStore(name, log);
      expect(await Promise.all(made.map(async ({ keyId }) => (await other.byId(keyId))?.export()))).toEqual(
        opened,
      );
    }
    await dropSaved(redis(), name);
  });

  /** Switched off by hand: `take` ignores `gone` → the key opens again. */
  it('stay destroyed, also one whose late copy the log has after its tombstone', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    const made = await keys.forSession('acme', 'ada', 's1');
    const late = lateCopyOf(log, made.keyId);
    await keys.destroy('acme', 'ada', 's1');
    const again = await keys.forSession('acme', 'ada', 's1');
    const from = await log.ends();
    await save(name);
    await log.append([late]);
    await comeBack(name);
    await openStore(name, log).catchUp(from, await log.ends());
    expect(await openStore(name, log).byId(made.keyId)).toBeUndefined();
    expect(shown(await openStore(name, log).forSession('acme', 'ada', 's1'))).toEqual(shown(again));
    log.compact('keys');
    expect(log.records('keys').find(each => each.name === made.keyId)!.value).toHaveLength(0);
    await dropSaved(redis(), name);
  });

  /** Switched off by hand: session-keys.ts points to a key after its append → what was destroyed opens again. */
  it('stay destroyed, also one of which Redis has the proposal alone', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    await keys.forSession('acme', 'ada', 's0');
    const from = await log.ends();
    log.before = async () => {
      log.before = () => {};
      await save(name);
    };
    const made = await keys.forSession('acme', 'ada', 's1');
    await keys.destroy('acme', 'ada', 's1');
    const again = await keys.forSession('acme', 'ada', 's1');
    await comeBack(name);
    await openStore(name, log).catchUp(from, await log.ends());
    expect(await openStore(name, log).byId(made.keyId)).toBeUndefined();
    expect(shown(await openStore(name, log).forSession('acme', 'ada', 's1'))).toEqual(shown(again));
    await dropSaved(redis(), name);
  });

  /** Switched off by hand: catch-up.ts doesn't mark → the dead keys stay. */
  it('are swept when their user was made and destroyed after what Redis holds', async () => {
    const { name, log } = await fresh();
    const keys = openStore(name, log);
    await keys.forSession('acme', 'grace', 's0');
    const from = await log.ends();
    await save(name);
    const made = await keys.forSession('acme', 'ada', 's1');
    await keys.destroy('acme', 'ada');
    await comeBack(name);
    const other = openStore(name, log);
    await other.catchUp(from, await log.ends());
    expect(await other.byId(made.keyId)).toBeUndefined();
    expect(await other.sweep(new AbortController().signal)).toBe(1);
    log.compact('keys');
    expect(log.records('keys').find(each => each.name === made.keyId)!.value).toHaveLength(0);
    await dropSaved(redis(), name);
  });

  it('are wrapped as the log says, when Redis lost that they were wrapped anew', async () => {
    const { name, log } = await fresh();
    const [old, young] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const open = (...wrapping: Buffer[]) => openStore(name, log, undefined, installationOf(...wrapping));
    const made = await open(old).forSession('acme', 'ada', 's1');
    const from = await log.ends();
    await save(name);
    const signal = new AbortController().signal;
    for await (const _ of open(young, old).rewrap({ dryRun: false }, signal));
    await comeBack(name);
    await open(young).catchUp(from, await log.ends());
    expect(shown(await open(young).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    await dropSaved(redis(), name);
  });

  /** Switched off by hand: `take` always adds at the end → the session has no key. */
  it('take the place of one that nothing unwraps any more, and of none that is in use', async () => {
    const { name } = await fresh();
    const copy = openKeyCopy(redis(), name);
    const key = (keyId: string, session: string, under: string) => ({
      keyId,
      owner: 'owner',
      session,
      under,
      wrapped: Buffer.from('wrapped'),
    });
    const current = async (session: string) => {
      const { partition, session: found } = await copy.settle('owner', session, [], []);
      return [partition?.key.keyId, found?.key.keyId];
    };
    for (const one of [key('u1', '', ''), key('a1', 'a', 'u1')]) await copy.take(one);
    await copy.take(key('a2', 'a', 'u1'));
    expect(await current('a')).toEqual(['u1', 'a1']);
    await copy.forget('owner', ['u1']);
    for (const one of [key('u2', '', ''), key('a3', 'a', 'u2')]) await copy.take(one);
    expect(await current('a')).toEqual(['u2', 'a3']);
    await copy.condemnIds('owner', ['a3']);
    expect(await copy.take(key('a3', 'a', 'u2'))).toBe(false);
    expect(await copy.take(key('a4', 'a', 'u2'))).toBe(true);
    expect(await current('a')).toEqual(['u2', 'a4']);
  });

  /** Switched off by hand: the copy keeps its id → the key was used, and another one after it. */
  it('are not used by whoever was making one meanwhile, and made once', async () => {
    for (const when of ['before', 'after'] as const) {
      const { name, log } = await fresh();
      const keys = openStore(name, log);
      await keys.forSession('acme', 'grace', 's1');
      const from = await log.ends();
      await save(name);
      log[when] = async () => {
        log[when] = () => {};
        await comeBack(name);
        await openStore(name, log).catchUp(from, await log.ends());
      };
      await expect(keys.forSession('acme', 'ada', 's1')).rejects.toMatchObject(UNAVAILABLE);
      const used = await keys.forSession('acme', 'ada', 's1');
      expect(shown(await openStore(name, log).forSession('acme', 'ada', 's1'))).toEqual(shown(used));
      expect((await openStore(name, log).byId(used.keyId))!.export()).toEqual(used.sealing.export());
      await dropSaved(redis(), name);
    }
  });
});
