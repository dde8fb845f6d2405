import { expect, it } from 'vitest';
import { ownerOf, PARTITION } from '../../services/core/log/key-wrapping.ts';
import type { NewRecord } from '../../services/core/ports.ts';
import { makeKeysWorld, shown } from '../support/cluster-keys-world.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { installationOf } from '../support/installation-keys.ts';
import { redisKeys } from '../support/redis.ts';
import { describeRotation } from './key-rotation.contract.ts';

const [OLD, FRESH, NEXT] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];

const NEVER = new AbortController().signal;

describeOnEngines('the keys in the log and in Redis', () => {
  const { openStore, fresh, wipe, redis } = makeKeysWorld(clusterConfig());

  describeRotation('cluster', async () => {
    const { name, log } = await fresh();
    return {
      open: async installation => openStore(name, log, undefined, installation),
      forget: async () => {
        log.compact('keys');
        await wipe(name);
        await openStore(name, log, undefined, installationOf(FRESH)).restore();
      },
      close: async () => {},
    };
  });

  const rewrap = async (keys: ReturnType<typeof openStore>, dryRun = false): Promise<number> => {
    let count = 0;
    const signal = new AbortController().signal;
    for await (const { rewrapped } of keys.rewrap({ dryRun }, signal)) count = rewrapped;
    return count;
  };
  const dead = async (): Promise<void> => {
    throw new Error('the process is dead');
  };

  it('wraps anew in Redis what an interrupted call has only appended', async () => {
    const { name, log } = await fresh();
    const open = (...keys: Buffer[]) => openStore(name, log, undefined, installationOf(...keys));
    const made = await open(OLD).forSession('acme', 'ada', 's1');
    log.after = dead;
    await expect(rewrap(open(FRESH, OLD))).rejects.toThrow('dead');
    log.after = () => {};
    expect(await rewrap(open(FRESH, OLD), true)).toBe(1);
    expect(await rewrap(open(FRESH, OLD))).toBe(1);
    expect(await rewrap(open(FRESH, OLD), true)).toBe(0);
    expect(shown(await open(FRESH).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
  });

  it('appends a proposal from before the rotation only as the first key wraps it', async () => {
    const { name, log } = await fresh();
    const open = (...keys: Buffer[]) => openStore(name, log, undefined, installationOf(...keys));
    log.before = dead;
    await expect(open(OLD).forSession('acme', 'ada', 's1')).rejects.toThrow('dead');
    log.before = () => {};
    const made = await open(FRESH, OLD).forSession('acme', 'ada', 's1');
    expect(await rewrap(open(FRESH, OLD), true)).toBe(0);
    expect(shown(await open(FRESH).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
  });

  it('makes anew a proposal whose key was retired, and rotates again', async () => {
    const { name, log } = await fresh();
    const open = (...keys: Buffer[]) => openStore(name, log, undefined, installationOf(...keys));
    log.before = dead;
    await expect(open(OLD).forSession('acme', 'ada', 's1')).rejects.toThrow('dead');
    log.before = () => {};
    const made = await open(FRESH).forSession('acme', 'ada', 's1');
    expect(shown(await open(FRESH).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    expect(await rewrap(open(NEXT, FRESH))).toBe(1);
    expect(await rewrap(open(NEXT), true)).toBe(0);
    expect((await open(NEXT).byId(made.keyId))!.export()).toEqual(made.sealing.export());
  });

  it('takes the new key where a slow process is still appending a proposal that was withdrawn', async () => {
    const { name, log } = await fresh();
    const open = (...keys: Buffer[]) => openStore(name, log, undefined, installationOf(...keys));
    let taken: Awaited<ReturnType<ReturnType<typeof open>['forSession']>> | undefined;
    log.before = async () => {
      log.before = () => {};
      taken = await open(FRESH).forSession('acme', 'ada', 's1');
    };
    const made = await open(OLD, FRESH).forSession('acme', 'ada', 's1');
    expect(shown(made)).toEqual(shown(taken!));
    await wipe(name);
    await open(FRESH).restore();
    expect(shown(await open(FRESH).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
  });

  it('destroys no key because Redis has lost it', async () => {
    const { name, log } = await fresh();
    const open = (...keys: Buffer[]) => openStore(name, log, undefined, installationOf(...keys));
    const made = await open(OLD).forSession('acme', 'ada', 's1');
    log.before = async () => {
      // As a fail-over to a replica does that has not got the last writes.
      const keys = await redisKeys(redis(), name);
      await redis().unlink(keys.find(key => key.endsWith(':records'))!);
    };
    await expect(rewrap(open(FRESH, OLD))).rejects.toMatchObject({ code: 'unavailable' });
    log.before = () => {};
    expect(log.records('keys').every(({ value }) => value.length > 0)).toBe(true);
    await wipe(name);
    await open(FRESH, OLD).restore();
    expect(shown(await open(FRESH).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
  });

  it('destroys for good what was destroyed while it was wrapped anew', async () => {
    const { name, log } = await fresh();
    const before = openStore(name, log, undefined, installationOf(OLD));
    const made = await before.forSession('acme', 'ada', 's1');
    const keys = openStore(name, log, undefined, installationOf(FRESH, OLD));
    log.before = async () => {
      log.before = () => {};
      // Its tombstones come before the record that is under way.
      await before.destroy('acme', 'ada');
    };
    await rewrap(keys);
    await keys.sweep(NEVER);
    log.compact('keys');
    expect(log.records('keys').filter(({ value }) => value.length > 0)).toEqual([]);
    expect(await keys.byId(made.keyId)).toBeUndefined();
  });

  it('destroys what an interrupted call appended after its tombstone', async () => {
    const { name, log } = await fresh();
    const before = openStore(name, log, undefined, installationOf(OLD));
    await before.forSession('acme', 'ada', 's1');
    let sent: readonly NewRecord[] = [];
    log.before = async records => {
      sent = records;
      throw new Error('the process is dead');
    };
    await expect(rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)))).rejects.toThrow('dead');
    log.before = () => {};
    await before.destroy('acme', 'ada');
    await before.sweep(NEVER);
    await log.append(sent);
    await rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)));
    log.compact('keys');
    expect(log.records('keys').filter(({ value }) => value.length > 0)).toEqual([]);
  });

  it('keeps the order of the keys of a user: ids are derived from the first', async () => {
    const { name, log } = await fresh();
    const before = openStore(name, log, undefined, installationOf(OLD));
    const made = await before.forSession('acme', 'ada', 's1');
    // A second process lost the race for the user's key, on a Redis that was wiped since.
    const other = await fresh();
    await openStore(other.name, other.log, undefined, installationOf(OLD)).forSession('acme', 'ada', 's2');
    const [loser] = other.log.records('keys');
    await log.append([
      { topic: 'keys', key: ownerOf('acme', 'ada'), name: loser!.name!, value: loser!.value },
    ]);
    await wipe(name);
    await openStore(name, log, undefined, installationOf(OLD)).restore();
    await rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)));
    log.compact('keys');
    await wipe(name);
    const after = openStore(name, log, undefined, installationOf(FRESH));
    await after.restore();
    expect(shown(await after.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    expect(PARTITION).toBe('');
  });
});
