import { expect, it } from 'vitest';
import { ownerOf, PARTITION } from '../../services/core/log/key-wrapping.ts';
import type { NewRecord } from '../../services/core/ports.ts';
import { makeKeysWorld, readIntoIndex, shown } from '../support/cluster-keys-world.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { installationOf } from '../support/installation-keys.ts';
import { memoryKeyIndex } from '../support/memory-key-index.ts';
import { describeRotation } from './key-rotation.contract.ts';

const [OLD, FRESH] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

const NEVER = new AbortController().signal;

describeOnEngines('the keys in the log and in Redis', () => {
  const { openStore, fresh, wipe, indexOf, setIndex } = makeKeysWorld(clusterConfig());

  describeRotation('cluster', async () => {
    const { name, log } = fresh();
    return {
      open: async installation => openStore(name, log, undefined, installation),
      forget: async () => {
        log.compact('keys');
        await wipe(name);
        setIndex(log, memoryKeyIndex());
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
    const { name, log } = fresh();
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

  it('destroys for good what was destroyed while it was wrapped anew', async () => {
    const { name, log } = fresh();
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
    const { name, log } = fresh();
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
    await readIntoIndex(log, indexOf(log));
    await rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)));
    log.compact('keys');
    expect(log.records('keys').filter(({ value }) => value.length > 0)).toEqual([]);
  });

  it('keeps the order of the keys of a user: ids are derived from the first', async () => {
    const { name, log } = fresh();
    const before = openStore(name, log, undefined, installationOf(OLD));
    const made = await before.forSession('acme', 'ada', 's1');
    // A second process lost the race for the user's key, and died before its tombstone.
    const other = fresh();
    await openStore(other.name, other.log, undefined, installationOf(OLD)).forSession('acme', 'ada', 's2');
    const [loser] = other.log.records('keys');
    await log.append([
      { topic: 'keys', key: ownerOf('acme', 'ada'), name: loser!.name!, value: loser!.value },
    ]);
    await wipe(name);
    await rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)));
    log.compact('keys');
    await wipe(name);
    setIndex(log, memoryKeyIndex());
    const after = openStore(name, log, undefined, installationOf(FRESH));
    expect(shown(await after.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    expect(PARTITION).toBe('');
  });
});
