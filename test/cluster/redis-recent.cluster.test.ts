import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Remembered } from '../../core/ports.ts';
import type { RedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { recallMetered, turnRecorded } from '../support/worlds/builders.ts';
import { bucketsOf } from '../support/worlds/claim-buckets.ts';
import {
  admit,
  append,
  billed,
  openWorld,
  recall,
  type World,
  write,
} from '../support/worlds/cluster-admission-world.ts';

/** Redis holds the recent: whatever it keeps of an organization ends, and none grows with the partitions. */
describeOnEngines('what admission keeps in Redis of an organization', () => {
  let world: World;
  let one: RedisAdmission;
  beforeEach(async () => {
    world = await openWorld();
    one = world.instance();
  });
  afterEach(() => world.close());

  const turns = Array.from({ length: 4 }, (_, n) => turnRecorded(n));
  const key = (name: string): string => `${world.keysOf('acme')}${name}`;
  const settled = () => world.gate.redis.hkeys(key('settled'));
  const lifeOf = (name: string) => world.gate.redis.pttl(key(name));
  const DAY_MS = 86_400_000;

  /**
   * Switched off by hand: settledCall takes all positions of the batch → expected [ 'turns/0', 'turns/1',
   * 'turns/77' ] to equal [ 'turns/1' ]; organization.lua doesn't expire `meta` → expected -1 to be
   * greater than 0; nor persists it while something waits → expected 604799950 to be -1.
   */
  it('names no partition but those that it used in the last days, and ends when nothing waits', async () => {
    // The floor of the rebuild has every partition of the installation.
    for (let n = 0; n < 500; n++) world.committed[`turns/${n}`] = 0;
    await world.wipe();
    await expect.poll(() => world.rebuilds > 1 && world.gate.isOpen(), { timeout: 10_000 }).toBe(true);
    await billed(one);
    expect(await world.gate.redis.hkeys(key('meta'))).toEqual(['epoch']);
    await write(world, one, turns);
    await recall(world, one, 1);
    // `meta` has no end while something waits: the projector may be down for long.
    expect(await lifeOf('meta')).toBe(-1);
    // A batch has events of many organizations and ends in many partitions.
    await one.settle(world.log.read('turns/1', 0, 4), { 'turns/0': 9, 'turns/1': 4, 'turns/77': 3 });
    expect(await settled()).toEqual(['turns/1']);
    await world.project(one);
    expect((await settled()).sort()).toEqual(['turns/1', 'usage/0']);
    expect(await lifeOf('settled')).toBeGreaterThan(4 * DAY_MS);
    const left = await world.gate.redis.keys(key('*'));
    expect(left).toContain(key('meta'));
    for (const name of left) expect(await world.gate.redis.pttl(name), name).toBeGreaterThan(0);
    expect(await billed(one)).toEqual({ tokensIn: 30, tokensOut: 30 });
  });

  it('is begun again after it ended, and a batch that comes once more bills nothing', async () => {
    await write(world, one, turns.slice(0, 2));
    await recall(world, one, 1);
    await world.project(one);
    const before = await billed(one);
    await world.gate.redis.del(key('meta'), key('settled'));
    await one.settle(world.log.read('turns/1', 0, 2), { 'turns/1': 2 });
    await one.settle(world.log.read('usage/0', 0, 1), { 'usage/0': 1 });
    expect(await billed(one)).toEqual(before);
    expect(await write(world, one, turns)).toBe(2);
    expect((await admit(one, turns)).fresh.size).toBe(0);
    await world.project(one);
    expect(await billed(one)).toEqual({ ...before, tokensIn: before.tokensIn + 14 });
  });

  /** Switched off by hand: organization.lua ignores the floor → turns and recall were billed twice. */
  it('bills nothing below the floor of a rebuild, though no claim of it is left', async () => {
    await write(world, one, turns.slice(0, 2));
    await recall(world, one, 1);
    for (let n = 0; n < 2_100; n++) world.log.append(turnRecorded(100 + n, { user: 'grace' }));
    for (let n = 2; n < 2_200; n++) world.log.append({ ...recallMetered(n), org_id: 'other' });
    await world.project(one);
    await world.wipe();
    await expect.poll(() => world.rebuilds > 1 && world.gate.isOpen(), { timeout: 10_000 }).toBe(true);
    const before = await billed(one);
    const buckets = await bucketsOf(world.gate.redis, key(''));
    expect(buckets.filter(({ claims }) => turns[0]!.id in claims)).toEqual([]);
    // These come from a projector that was slow before the wipe.
    await one.settle(world.log.read('turns/1', 0, 2), { 'turns/1': 2 });
    await one.settle(world.log.read('usage/0', 0, 1), { 'usage/0': 1 });
    expect(await billed(one)).toEqual(before);
    expect(await settled()).toEqual([]);
  });

  /** Switched off by hand: lua/settled.lua doesn't keep where it ended → the turn stayed in the tail. */
  it('adds nothing to the tail that was passed over before it was remembered', async () => {
    const admitted = await admit(one, [turns[0]!]);
    const addresses = append(world.log, admitted, [turns[0]!]);
    const { partition, offset } = addresses[0]!;
    const tokens = { tokensIn: 0, tokensOut: 0 };
    const passed = {
      id: 'turns/1/0',
      topic: 'turns' as const,
      partition,
      offset,
      org: 'acme',
      day: '',
      tokens,
    };
    await one.settle([passed], { [`turns/${partition}`]: offset + 1 });
    const job = { id: 'job_1', org: 'acme', user: 'ada', session: 's', turnIds: [], partition, offset };
    await one.remember(admitted.attempt, {
      turns: addresses,
      job: { ...job, passive: true, keyId: '' } as Remembered['job'],
    });
    expect(await one.tail({ org: 'acme' })).toEqual([]);
    expect(await one.job('acme', 'job_1')).toBeUndefined();
  });
});
