import { afterEach, beforeEach, expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import type { RedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { pause } from '../support/wait.ts';
import { recallMetered, turnRecorded } from '../support/worlds/builders.ts';
import { dropClaims } from '../support/worlds/claim-buckets.ts';
import {
  admit,
  append,
  asked,
  billed,
  DAY,
  ids,
  openWorld,
  recall,
  tail,
  type World,
  write,
} from '../support/worlds/cluster-admission-world.ts';

const HOLD_MS = 50;

/** Redis comes back with what it had a while ago; the log has the rest. */
describeOnEngines('admission after Redis came back', () => {
  let world: World;
  let one: RedisAdmission;
  beforeEach(async () => {
    world = await openWorld();
    one = world.instance();
  });
  afterEach(() => world.close());

  const turns = Array.from({ length: 10 }, (_, n) => turnRecorded(n));
  /** Resolves when Redis has what was saved, and was repaired: the epoch stays. */
  const comeBack = async (): Promise<void> => {
    const { repairs, rebuilds } = world;
    const { epoch } = world.gate.generation();
    await world.comeBack();
    await expect.poll(() => world.gate.isOpen() && world.repairs > repairs, { timeout: 10_000 }).toBe(true);
    expect([world.rebuilds, world.gate.generation().epoch]).toEqual([rebuilds, epoch]);
  };

  /**
   * Switched off by hand, in catch-up.ts: `settle(from, before)` → expected 62 tokens, got 46;
   * `restoreEvents` → got 48; `settleUpTo` → 4 turns in the tail instead of 2.
   */
  it('knows, bills and shows what it did, whatever of it was lost', async () => {
    await write(world, one, turns.slice(0, 2));
    await recall(world, one, 1);
    await world.project(one);
    await world.checkpoint();
    await write(world, one, turns.slice(2, 4));
    await recall(world, one, 2);
    await world.save();
    // Lost: two turns remembered, a recall, what the projector settled and committed, and two turns after it.
    await write(world, one, turns.slice(4, 6));
    await recall(world, one, 3);
    await world.project(one);
    await write(world, one, turns.slice(6, 8));
    const before = await billed(one);
    expect(before).toEqual({ tokensIn: 8 * 7 + 3 * 2, tokensOut: 90 });
    for (let time = 0; time < 3; time++) {
      await comeBack();
      expect(await billed(one)).toEqual(before);
      expect(await tail(one)).toEqual(ids(turns.slice(6, 8)));
      expect((await admit(one, turns.slice(0, 8))).fresh.size).toBe(0);
      expect(await world.reserved('acme', DAY)).toBe(0);
    }
    await world.project(one);
    expect(await billed(one)).toEqual(before);
    expect(await tail(one)).toEqual([]);
    for (const name of await world.gate.redis.keys(`${world.keysOf('acme')}*`))
      expect(await world.gate.redis.pttl(name), name).toBeGreaterThan(0);
  });

  /** Switched off by hand: catch-up.ts begins at 0 → 32 tokens instead of 16. */
  it('reads nothing below the checkpoint, and needs no claim of it', async () => {
    await write(world, one, turns.slice(0, 2));
    await recall(world, one, 1);
    await world.project(one);
    const before = await billed(one);
    await world.checkpoint();
    // Their time is over, as is that of a quiet partition's events.
    await dropClaims(
      world.gate.redis,
      world.keysOf('acme'),
      turns.map(({ id }) => id),
    );
    await world.gate.redis.del(
      `${world.keysOf('acme')}r:${recallMetered(1).id}`,
      `${world.keysOf('acme')}settled`,
    );
    await world.save();
    await comeBack();
    expect(await billed(one)).toEqual(before);
    expect(await tail(one)).toEqual([]);
  });

  it('corrects what a later copy was remembered for, as the projector did', async () => {
    await world.checkpoint();
    const slow = await admit(one, [turns[0]!]);
    world.log.append({ ...turns[0]!, tokens: 3 }, 'another');
    await one.remember(slow.attempt, { turns: append(world.log, slow, [turns[0]!]) });
    await world.save();
    await world.project(one);
    expect(await billed(one)).toEqual({ tokensIn: 3, tokensOut: 0 });
    await comeBack();
    expect(await billed(one)).toEqual({ tokensIn: 3, tokensOut: 0 });
    expect(await tail(one)).toEqual([]);
  });

  it('takes from the tail what was set aside while it was lost', async () => {
    await world.checkpoint();
    await write(world, one, [turns[0]!]);
    await world.save();
    const [event] = world.log.read('turns/1', 0, 1);
    expect(event).toBeDefined();
    // As it can't be decoded, the log says its organization and its address.
    const { id: _, turn: __, ...passed } = event!;
    const records = world.log.read;
    world.log.read = (name, from, to) =>
      records(name, from, to).map(each => (each.turn ? { ...passed, id: 'turns/1/0' } : each));
    await one.settle(world.log.read('turns/1', 0, 1), { 'turns/1': 1 });
    world.committed['turns/1'] = 1;
    await comeBack();
    expect(await tail(one)).toEqual([]);
    world.log.read = records;
  });

  /**
   * Switched off by hand, in lua/restore.lua: pending claims are left alone → the tail lacks turns; no
   * reservation is released → expected 14 to be 0.
   */
  it('lets each attempt that was under way find its own, wherever the loss met it', async () => {
    await world.checkpoint();
    const [lost, pending, remembered, later] = await Promise.all(
      [0, 1, 2, 3].map(n => (n === 0 || n === 3 ? undefined : admit(one, [turns[n]!]))),
    );
    expect([lost, later]).toEqual([undefined, undefined]);
    await world.save();
    // Admitted and appended, of which Redis will know nothing.
    const unknown = await admit(one, [turns[0]!]);
    const unknownAddresses = append(world.log, unknown, [turns[0]!]);
    const onTheWay = await admit(one, [turns[3]!]);
    const pendingAddresses = append(world.log, pending!, [turns[1]!]);
    const rememberedAddresses = append(world.log, remembered!, [turns[2]!]);
    await one.remember(remembered!.attempt, { turns: rememberedAddresses });
    await comeBack();
    // In the log, they are billed, in the tail, and reserve nothing.
    expect(await tail(one)).toEqual(ids(turns.slice(0, 3)));
    expect(await billed(one)).toEqual({ tokensIn: 21, tokensOut: 0 });
    expect(await world.reserved('acme', DAY)).toBe(0);
    // Its retry is fresh: nobody can know of it.
    const retry = await admit(one, [turns[3]!]);
    expect(retry.fresh.size).toBe(1);
    expect((await one.remember(unknown.attempt, { turns: unknownAddresses })).size).toBe(1);
    expect((await one.remember(pending!.attempt, { turns: pendingAddresses })).size).toBe(1);
    const lateAddresses = append(world.log, onTheWay, [turns[3]!]);
    expect((await one.remember(onTheWay.attempt, { turns: lateAddresses })).size).toBe(1);
    const retryAddresses = append(world.log, retry, [turns[3]!]);
    expect((await one.remember(retry.attempt, { turns: retryAddresses })).size).toBe(0);
    expect(await billed(one)).toEqual({ tokensIn: 28, tokensOut: 0 });
    await world.project(one);
    expect(await billed(one)).toEqual({ tokensIn: 28, tokensOut: 0 });
    expect(await world.reserved('acme', DAY)).toBe(0);
    expect(await tail(one)).toEqual([]);
  });

  /**
   * Switched off by hand: admission.ts takes nothing for lost → expected 1 to be 0; lua/restore.lua bills
   * kept claims → 14 instead of 7.
   */
  it('answers no tokens twice when a claim was taken over and the answer is forgotten', async () => {
    await world.checkpoint();
    const [slow, quick] = [world.instance({ holdMs: HOLD_MS }), world.instance({ holdMs: HOLD_MS })];
    const first = await admit(slow, [turns[0]!]);
    const firstAddresses = append(world.log, first, [turns[0]!]);
    await pause(HOLD_MS + 20);
    await world.save();
    const second = await admit(quick, [turns[0]!]);
    expect(second.fresh.size).toBe(1);
    const secondAddresses = append(world.log, second, [turns[0]!]);
    // Answered with its tokens, and forgotten. The first copy in the log is the other attempt's.
    expect((await quick.remember(second.attempt, { turns: secondAddresses })).size).toBe(1);
    await comeBack();
    expect((await slow.remember(first.attempt, { turns: firstAddresses })).size).toBe(0);
    expect(await billed(one)).toEqual({ tokensIn: 7, tokensOut: 0 });
  });

  it('repeats a repair that was interrupted, and rebuilds when it fails', async () => {
    await write(world, one, turns.slice(0, 2));
    await world.checkpoint();
    await world.save();
    await write(world, one, turns.slice(2, 4));
    await world.project(one);
    await write(world, one, turns.slice(4, 6));
    const before = await billed(one);
    let fails = 2;
    world.onRepair = async () => {
      if (fails-- > 0) throw unavailable('the log is out of reach');
    };
    const { rebuilds } = world;
    await world.comeBack();
    await expect(one.admit(asked(turns))).rejects.toMatchObject({ code: 'unavailable' });
    await expect.poll(() => world.gate.isOpen() && world.repairs === 3, { timeout: 10_000 }).toBe(true);
    expect(world.rebuilds).toBe(rebuilds);
    expect(await billed(one)).toEqual(before);
    expect(await tail(one)).toEqual(ids(turns.slice(4, 6)));

    const { epoch } = world.gate.generation();
    world.onRepair = async () => {
      throw new Error('a fault of ours');
    };
    await world.comeBack();
    await expect.poll(() => world.gate.isOpen() && world.rebuilds > rebuilds, { timeout: 10_000 }).toBe(true);
    expect(world.gate.generation().epoch).not.toBe(epoch);
    expect(await billed(one)).toEqual(before);
    expect(await tail(one)).toEqual(ids(turns.slice(4, 6)));
  });

  /** Switched off by hand: catch-up.ts doesn't settle what was committed meanwhile → 21 tokens, not 17. */
  it('settles a batch that was settled before the loss and committed during the repair', async () => {
    await world.checkpoint();
    await write(world, one, turns.slice(0, 2));
    const slow = await admit(one, [turns[2]!]);
    world.log.append({ ...turns[2]!, tokens: 3 }, 'another');
    await one.remember(slow.attempt, { turns: append(world.log, slow, [turns[2]!]) });
    await world.save();
    const end = world.log.ends();
    world.onRepair = async () => void Object.assign(world.committed, end);
    await comeBack();
    expect(await tail(one)).toEqual([]);
    expect(await billed(one)).toEqual({ tokensIn: 17, tokensOut: 0 });
    expect((await admit(one, turns)).fresh.size).toBe(7);
  });
});
