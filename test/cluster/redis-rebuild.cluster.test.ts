import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { recallMetered, turnRecorded } from '../support/worlds/builders.ts';
import {
  admit,
  append,
  asked,
  billed,
  DAY,
  ids,
  openWorld,
  recallAddress,
  tail,
  type World,
  write,
} from '../support/worlds/cluster-admission-world.ts';

/** Redis loses everything, at the worst moments; the log and the usage store bring it back. */
describeOnEngines('admission after Redis was wiped', () => {
  let world: World;
  let one: RedisAdmission;
  beforeEach(async () => {
    world = await openWorld();
    one = world.instance();
  });
  afterEach(() => world.close());

  const turns = Array.from({ length: 8 }, (_, n) => turnRecorded(n));
  const reopened = async (): Promise<void> => {
    await expect.poll(() => world.gate.isOpen() && world.rebuilds > 1, { timeout: 10_000 }).toBe(true);
  };

  it('knows, bills and shows what it did before, second copies left out', async () => {
    await write(world, one, turns.slice(0, 3));
    const recall = await admit(one, [], { tokensIn: 2, recall: { org: 'acme' } });
    recallAddress(world.log, recallMetered(1, { tokens_in: 2, tokens_out: 30 }), recall.attempt);
    await world.project(one);
    await write(world, one, turns.slice(3, 6));
    for (const twice of [turns[0]!, turns[4]!]) world.log.append(twice, 'somebody');
    recallAddress(world.log, recallMetered(1, { tokens_in: 2, tokens_out: 30 }), recall.attempt);
    const before = { billed: await billed(one), tail: await one.tail({ org: 'acme' }) };
    expect(before.billed).toEqual({ tokensIn: 44, tokensOut: 30 });
    for (const lose of [world.wipe, world.restart]) {
      const rebuilds = world.rebuilds;
      await lose();
      await expect
        .poll(() => world.gate.isOpen() && world.rebuilds > rebuilds, { timeout: 10_000 })
        .toBe(true);
      expect(await billed(one)).toEqual(before.billed);
      expect(await tail(one)).toEqual(ids(turns.slice(3, 6)));
      expect((await admit(one, turns.slice(0, 6))).fresh.size).toBe(0);
    }
    await world.project(one);
    expect(await billed(one)).toEqual(before.billed);
    expect(await tail(one)).toEqual([]);
  });

  // The claim of a turn dated ahead ends before its date comes near, and nothing else remembers the date.
  it('still asks for turns of the dates ahead, for ever when the index could not say it', async () => {
    const ahead = turnRecorded(70, { timestamp: Date.now() + 48 * 3_600_000 });
    await write(world, one, [ahead]);
    await world.project(one);
    const days = () => world.gate.redis.zrange(`${world.keysOf('acme')}ahead`, '0', '-1');
    const before = await days();
    expect(before).toEqual([String(Math.floor(Date.parse(ahead.data!.timestamp) / 86_400_000))]);
    await world.wipe();
    await reopened();
    expect(await days()).toEqual(before);
    expect(world.gate.generation().facts.lookUpUntil).toBeLessThan(Date.now() + 9 * 86_400_000);
    world.isIndexDown = true;
    await world.wipe();
    await expect.poll(() => world.gate.isOpen() && world.rebuilds > 2, { timeout: 10_000 }).toBe(true);
    expect(world.gate.generation().facts.lookUpUntil).toBe(Number.MAX_SAFE_INTEGER);
    expect((await admit(one, [ahead])).fresh.size).toBe(0);
  });

  it('refuses calls until it is rebuilt, then takes them', async () => {
    await write(world, one, turns.slice(0, 2));
    const { promise, resolve: finish } = Promise.withResolvers<void>();
    world.onRebuild = () => promise;
    await world.wipe();
    await expect(admit(one, turns.slice(0, 3))).rejects.toMatchObject({ code: 'unavailable' });
    await expect.poll(() => world.rebuilds, { timeout: 10_000 }).toBe(2);
    await expect(one.tail({ org: 'acme' })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(billed(one)).rejects.toMatchObject({ code: 'unavailable' });
    finish();
    await reopened();
    expect((await admit(one, turns.slice(0, 3))).fresh.size).toBe(1);
  });

  it('lets each attempt that was under way find its own, wherever the wipe met it', async () => {
    const [appended, onTheWay, projected, remembered] = await Promise.all(
      [0, 1, 2, 3].map(n => admit(one, [turns[n]!])),
    );
    const addresses = {
      projected: append(world.log, projected!, [turns[2]!]),
      remembered: append(world.log, remembered!, [turns[3]!]),
    };
    await one.remember(remembered!.attempt, { turns: addresses.remembered });
    await world.project(one);
    const appendedAddresses = append(world.log, appended!, [turns[0]!]);
    await world.restart();
    await reopened();
    // Its retry is fresh: nobody can know of it.
    const retry = await admit(one, [turns[1]!]);
    expect(retry.fresh.size).toBe(1);
    const lateAddresses = append(world.log, onTheWay!, [turns[1]!]);
    expect((await one.remember(onTheWay!.attempt, { turns: lateAddresses })).size).toBe(1);
    const retryAddresses = append(world.log, retry, [turns[1]!]);
    expect((await one.remember(retry.attempt, { turns: retryAddresses })).size).toBe(0);
    expect((await one.remember(appended!.attempt, { turns: appendedAddresses })).size).toBe(1);
    expect((await one.remember(projected!.attempt, { turns: addresses.projected })).size).toBe(1);
    expect(await billed(one)).toEqual({ tokensIn: 28, tokensOut: 0 });
    expect(await world.reserved('acme', DAY)).toBe(0);
    expect(await tail(one)).toEqual(ids([turns[0]!, turns[1]!]));
    await world.project(one);
    expect(await billed(one)).toEqual({ tokensIn: 28, tokensOut: 0 });
    expect(await tail(one)).toEqual([]);
  });

  it('answers a write whose Redis was rebuilt between its append and its answer', async () => {
    const admitted = await admit(one, [turns[0]!]);
    const addresses = append(world.log, admitted, [turns[0]!]);
    await world.restart();
    expect((await one.remember(admitted.attempt, { turns: addresses })).size).toBe(1);
    expect(await billed(one)).toEqual({ tokensIn: 7, tokensOut: 0 });
  });

  it('asks the index for turns whose claims were lost', async () => {
    await write(world, one, turns.slice(0, 2));
    await world.project(one);
    // Far enough that the rebuild doesn't look back to them.
    for (let n = 0; n < 2_100; n++) world.log.append(turnRecorded(100 + n));
    await world.project(one);
    await world.wipe();
    await expect(admit(one, turns)).rejects.toMatchObject({ code: 'unavailable' });
    await reopened();
    const { fresh, attempt } = await admit(one, turns.slice(0, 3));
    expect([...fresh.keys()]).toEqual([turns[2]!.id]);
    await one.release(attempt);
    expect(await billed(one)).toEqual({ tokensIn: 2_102 * 7, tokensOut: 0 });
    // A copy of the old turn comes to the log once more, and Redis is wiped again before it is projected.
    world.log.append(turns[0]!, 'somebody');
    await world.wipe();
    await expect(one.admit(asked(turns))).rejects.toMatchObject({ code: 'unavailable' });
    await expect.poll(() => world.gate.isOpen() && world.rebuilds > 2, { timeout: 10_000 }).toBe(true);
    expect(await billed(one)).toEqual({ tokensIn: 2_102 * 7, tokensOut: 0 });
    await world.project(one);
    expect(await billed(one)).toEqual({ tokensIn: 2_102 * 7, tokensOut: 0 });
  });

  it('lets the tail go of a batch that was settled before the wipe and committed during the rebuild', async () => {
    await write(world, one, turns.slice(0, 2));
    const end = world.log.ends();
    // Shown; the commit is on its way when everything is gone.
    await one.settle(world.log.read('turns/1', 0, 2), end);
    const readEnds = world.log.ends;
    world.log.ends = () => {
      Object.assign(world.committed, end);
      return readEnds();
    };
    await world.wipe();
    await expect(one.admit(asked(turns))).rejects.toMatchObject({ code: 'unavailable' });
    await reopened();
    expect(await tail(one)).toEqual([]);
    expect(await billed(one)).toEqual({ tokensIn: 14, tokensOut: 0 });
    expect((await admit(one, turns)).fresh.size).toBe(6);
  });
});
