import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { until } from '../support/wait.ts';
import { turnRecorded } from '../support/worlds/builders.ts';
import { bucketsOf, moveBucket } from '../support/worlds/claim-buckets.ts';
import {
  admit,
  append,
  asked,
  billed,
  openWorld,
  type World,
  write,
} from '../support/worlds/cluster-admission-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A kept claim's seven days and an hour, and the day that a turn may be dated ahead. */
const LIFE_MS = 8 * DAY_MS + HOUR_MS;

/** Claims are in buckets of the server's days (ADR 76). */
describeOnEngines('claims in buckets', () => {
  let world: World;
  let one: RedisAdmission;
  beforeEach(async () => {
    world = await openWorld();
    one = world.instance({ holdMs: 100 });
  });
  afterEach(() => world.close());

  const buckets = () => bucketsOf(world.gate.redis, world.keysOf('acme'));
  const onlyBucket = async () => {
    const all = await buckets();
    expect(all).toHaveLength(1);
    return all[0]!;
  };
  const life = async () => world.gate.redis.pttl((await onlyBucket()).key);
  const hence = (n: number, hours: number) => turnRecorded(n, { timestamp: Date.now() + hours * HOUR_MS });
  const turns = [hence(1, -1), hence(2, -2), hence(3, -48)];

  it('keeps a bucket while anything in it is not settled, and then as long as a turn may be tried again', async () => {
    await write(world, one, turns);
    expect(await onlyBucket()).toMatchObject({ kept: 3 });
    expect(await life()).toBe(-1);
    await one.settle(world.log.read('turns/1', 0, 2), { 'turns/1': 2 });
    expect(await onlyBucket()).toMatchObject({ kept: 1 });
    expect(await life()).toBe(-1);
    await world.project(one);
    const { kept, ends } = await onlyBucket();
    expect(kept).toBe(0);
    expect(ends - Date.now()).toBeGreaterThan(LIFE_MS - 1_000);
    expect(ends - Date.now()).toBeLessThan(LIFE_MS + HOUR_MS);
    // A script unlinks it; for an organization without calls Redis does, a day later.
    expect(await life()).toBeGreaterThan(LIFE_MS + DAY_MS - 60_000);
  });

  it('finds the claims of earlier days: of pending, kept and settled turns', async () => {
    // Nobody takes over a claim in these seconds.
    const holding = world.instance();
    const pending = await admit(holding, [turns[2]!]);
    await moveBucket(world.gate.redis, world.keysOf('acme'), await onlyBucket(), { days: -1 });
    await expect(holding.admit(asked([turns[2]!], { signal: AbortSignal.timeout(60) }))).rejects.toThrow();
    const own = await holding.remember(pending.attempt, { turns: append(world.log, pending, [turns[2]!]) });
    expect(own.size).toBe(1);
    expect(await onlyBucket()).toMatchObject({ kept: 1 });
    // A projector may stand still for long: what is kept is found on whichever day it was.
    await moveBucket(world.gate.redis, world.keysOf('acme'), await onlyBucket(), { days: -40 });
    expect((await admit(one, [turns[2]!])).fresh.size).toBe(0);
    await world.project(one);
    expect(await billed(one)).toEqual({ tokensIn: 7, tokensOut: 0 });
    const settled = await onlyBucket();
    expect(settled).toMatchObject({ kept: 0 });
    expect(Object.values(settled.claims)[0]).toMatch(/^S /);
  });

  it('looks for a turn on no day on which it cannot have been said', async () => {
    await write(world, one, [turns[0]!]);
    await world.project(one);
    await moveBucket(world.gate.redis, world.keysOf('acme'), await onlyBucket(), { days: -4 });
    // As nobody wrote it: its date is three days after that bucket.
    expect((await admit(one, [turns[0]!])).fresh.size).toBe(1);
  });

  it('finds a claim that was made by a clock ahead', async () => {
    await write(world, one, turns);
    await moveBucket(world.gate.redis, world.keysOf('acme'), await onlyBucket(), { days: 31 });
    expect((await admit(one, turns)).fresh.size).toBe(0);
    await world.project(one);
    expect((await admit(one, turns)).fresh.size).toBe(0);
    expect(await billed(one)).toEqual({ tokensIn: 21, tokensOut: 0 });
  });

  it('unlinks a bucket that is of no use any more, and none with a claim that is kept', async () => {
    await write(world, one, [turns[0]!]);
    await moveBucket(world.gate.redis, world.keysOf('acme'), await onlyBucket(), { days: -12 });
    await write(world, one, [turns[1]!]);
    expect((await buckets()).map(({ kept }) => kept)).toEqual([1, 1]);
    const [old] = (await buckets()).toSorted((a, b) => a.day - b.day);
    await world.project(one);
    // Settled now, its turn may be tried again from now on.
    expect((await buckets()).find(({ day }) => day === old!.day)!.ends).toBeGreaterThan(Date.now());
    await moveBucket(
      world.gate.redis,
      world.keysOf('acme'),
      (await buckets()).find(({ day }) => day === old!.day)!,
      { days: -12 },
    );
    await write(world, one, [turns[2]!]);
    expect(await onlyBucket()).toMatchObject({ kept: 1 });
    expect(await world.gate.redis.exists(`${world.keysOf('acme')}c:${old!.day - 12}`)).toBe(0);
  });

  it('forgets a pending claim that outlasted every process that knew of it', async () => {
    const admitted = await admit(one, [turns[0]!]);
    const { key, claims } = await onlyBucket();
    const [id, text] = Object.entries(claims)[0]!;
    const fields = text.split(' ');
    const [recordedAt, deadline] = [Number(fields[2]) - 3 * DAY_MS, Number(fields[4]) - 2 * HOUR_MS];
    fields.splice(2, 3, String(recordedAt), fields[3]!, String(deadline));
    await world.gate.redis.hset(key, id, fields.join(' '));
    const again = await admit(one, [turns[0]!]);
    // A claim taken over would keep the instant of the first.
    expect(again.fresh.get(id)!.recordedAt).toBe(admitted.fresh.get(id)!.recordedAt);
    expect(await one.remember(again.attempt, { turns: append(world.log, again, [turns[0]!]) })).toEqual(
      new Map([[id, 7]]),
    );
  });

  it('asks Redis for its memory again after a tenth of a second, and not before', async () => {
    await write(world, one, [turns[0]!]);
    const meta = `${world.keysOf('acme')}meta`;
    expect(Number(await world.gate.redis.hget(meta, 'roomy'))).toBeGreaterThan(Date.now() - 60_000);
    // As if four bytes were all there is: a quarter of them may wait.
    const claim = () => one.admit(asked([turns[1]!]));
    await until('what was found before is used', async () => {
      await world.gate.redis.hset(meta, 'roomy', Date.now(), 'most', 4);
      const outcome = await claim().catch(error => error as Error);
      if ('attempt' in outcome) await one.release(outcome.attempt);
      return outcome instanceof Error && /too far behind/.test(outcome.message);
    });
    // Long ago, or ahead: a clock that was set back asks, too.
    for (const roomy of [1, Date.now() + DAY_MS]) {
      await world.gate.redis.hset(meta, 'roomy', roomy, 'most', 4);
      const { attempt, fresh } = await admit(one, [turns[1]!]);
      expect(fresh.size).toBe(1);
      await one.release(attempt);
    }
  });

  it('counts what is kept through a released claim, a second copy and an erased turn', async () => {
    const admitted = await admit(one, turns);
    await one.release(admitted.attempt);
    expect(await onlyBucket()).toMatchObject({ kept: 0, claims: {} });
    const again = await admit(one, turns);
    await one.remember(again.attempt, { turns: append(world.log, again, turns.slice(0, 2)) });
    expect(await onlyBucket()).toMatchObject({ kept: 2 });
    const [id] = again.fresh.keys();
    await one.drop('acme', 'ada', id!);
    append(world.log, again, turns.slice(0, 2));
    await world.project(one);
    expect(await onlyBucket()).toMatchObject({ kept: 0 });
    expect(await billed(one)).toEqual({ tokensIn: 14, tokensOut: 0 });
  });
});
