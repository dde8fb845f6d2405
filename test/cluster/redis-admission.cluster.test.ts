import { afterEach, beforeEach, expect, it } from 'vitest';
import { unavailable } from '../../core/errors.ts';
import { ALL_WRITTEN } from '../../core/ports/projection/projection-store.ts';
import type { NewRecord } from '../../core/ports.ts';
import { makeProjectionStore } from '../../infra/cluster/projection-store.ts';
import type { RedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import type { Projections } from '../../projections/all.ts';
import { serialiseEnvelope } from '../../schemas/events/envelope.ts';
import { makeStep } from '../../services/workers/projector/step.ts';
import { NOW } from '../contracts/openers/cluster-admission.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { until } from '../support/wait.ts';
import { recallMetered, turnRecorded } from '../support/worlds/builders.ts';
import { bucketsOf } from '../support/worlds/claim-buckets.ts';
import {
  admit,
  append,
  asked,
  billed,
  DAY,
  NEXT_DAY,
  openWorld,
  recallAddress,
  type World,
} from '../support/worlds/cluster-admission-world.ts';

const SEVEN = { tokensIn: 7, tokensOut: 0 };
const NOTHING = { tokensIn: 0, tokensOut: 0 };
const HOUR_MS = 3_600_000;
const LATE = Date.parse('2026-03-11T00:00:01Z');

/**
 * Tests what only several processes can do to each other; the rest is the contract's
 * (test/contracts/admission.contract.ts).
 */
describeOnEngines('admission on Redis, two processes at once', () => {
  let world: World;
  let one: RedisAdmission;
  let two: RedisAdmission;
  const turn = turnRecorded(1);
  beforeEach(async () => {
    world = await openWorld();
    [one, two] = [world.instance({ holdMs: 100 }), world.instance({ holdMs: 100 })];
  });
  afterEach(() => world.close());

  const tail = async () => (await one.tail({ org: 'acme' })).map(({ id }) => id);
  const addresses = (turns: readonly { partition: number; offset: number }[]) =>
    turns.map(({ partition, offset }) => [partition, offset]);

  it('bills the same request sent to two processes at once to one of them', async () => {
    for (let n = 0; n < 20; n++) {
      const turns = [turnRecorded(2 * n), turnRecorded(2 * n + 1)];
      const answered = await Promise.all(
        [one, two].map(async admission => {
          const admitted = await admit(admission, turns);
          if (admitted.fresh.size === 0) return 0;
          return (await admission.remember(admitted.attempt, { turns: append(world.log, admitted, turns) }))
            .size;
        }),
      );
      expect(answered.reduce((a, b) => a + b)).toBe(2);
    }
    expect(await billed(one)).toEqual({ tokensIn: 40 * 7, tokensOut: 0 });
  });

  it('finds its own turns although the projector was faster, and adds nothing to the tail then', async () => {
    const admitted = await admit(one, [turn]);
    const turns = append(world.log, admitted, [turn]);
    await world.project(two);
    expect(await billed(two)).toEqual(SEVEN);
    expect(await one.remember(admitted.attempt, { turns })).toEqual(new Map([[turn.id, 7]]));
    expect(await tail()).toEqual([]);
    expect(await billed(two)).toEqual(SEVEN);
    expect(await world.reserved('acme', DAY)).toBe(0);
    expect((await admit(two, [turn])).fresh.size).toBe(0);
  });

  it('takes a pending claim over with its first instant, and the first to remember has it', async () => {
    for (const lateIsFirst of [true, false]) {
      const each = turnRecorded(lateIsFirst ? 11 : 12);
      const late = await admit(one, [each]);
      const taken = await admit(two, [each], { recordedAt: LATE });
      expect([...taken.fresh]).toMatchObject([[each.id, { tokens: 7, recordedAt: NOW, taken: true }]]);
      const lateTurns = append(world.log, late, [each]);
      const takenTurns = append(world.log, taken, [each]);
      const remembers = [
        () => one.remember(late.attempt, { turns: lateTurns }),
        () => two.remember(taken.attempt, { turns: takenTurns }),
      ];
      const sizes = [];
      for (const remember of lateIsFirst ? remembers : remembers.reverse())
        sizes.push((await remember()).size);
      expect(sizes).toEqual([1, 0]);
    }
    // The first attempt's day, and each turn once in the tail.
    expect(await billed(one)).toEqual({ tokensIn: 14, tokensOut: 0 });
    expect(await billed(one, NEXT_DAY)).toEqual(NOTHING);
    expect((await tail()).sort()).toEqual([turnRecorded(11).id, turnRecorded(12).id].sort());
    await world.project(one);
    expect(await tail()).toEqual([]);
    expect(await billed(one)).toEqual({ tokensIn: 14, tokensOut: 0 });
  });

  it('reports no more than what is billed, when attempts at a turn differ in tokens', async () => {
    let expected = 0;
    const cases = [0, 1, 2, 3, 4, 5, 6, 7].map(bits => [1, 2, 4].map(bit => (bits & bit) > 0));
    for (const [n, [takenHasMore, takenIsFirst, takenRemembersFirst]] of cases.entries()) {
      const each = turnRecorded(20 + n);
      const tokens = takenHasMore ? [7, 500] : [500, 7];
      const attempts = [];
      for (const [i, admission] of [one, two].entries()) {
        const own = { ...each, tokens: tokens[i]! };
        attempts.push({ admission, own, admitted: await admit(admission, [own]), reserved: tokens[i]! });
        expect(await world.reserved('acme', DAY)).toBe(tokens[i]);
      }
      const inLog = takenIsFirst ? attempts.toReversed() : attempts;
      const appended = inLog.map(({ admitted, own, ...attempt }) => ({
        ...attempt,
        admitted,
        turns: append(world.log, admitted, [own]),
      }));
      expected += inLog[0]!.own.tokens;
      const remembering = takenRemembersFirst === takenIsFirst ? appended : appended.toReversed();
      let reported = 0;
      for (const { admission, admitted, turns } of remembering)
        for (const count of (await admission.remember(admitted.attempt, { turns })).values())
          reported += count;
      expect(reported, JSON.stringify({ takenHasMore, takenIsFirst, takenRemembersFirst })).toBe(7);
      expect(await world.reserved('acme', DAY)).toBe(0);
      await world.project(one);
      expect(await billed(one)).toEqual({ tokensIn: expected, tokensOut: 0 });
    }
  });

  it('keeps the claims of an append of unknown end, and gives a retry the options of the first attempt', async () => {
    const first = { active: false, passive: true };
    const other = { active: true, passive: false };
    const lost = await admit(one, [turn], { options: first });
    await one.leave(lost.attempt);
    await one.release(lost.attempt);
    expect(await world.reserved('acme', DAY)).toBe(7);
    for (const admission of [two, one]) {
      const { fresh, attempt } = await admit(admission, [turn, turnRecorded(2)], {
        options: other,
        recordedAt: NOW + 1,
      });
      expect(fresh.get(turn.id)).toMatchObject({ ...first, recordedAt: NOW });
      await admission.leave(attempt);
    }
    expect(await world.reserved('acme', DAY)).toBe(14);
  });

  it('leaves what was taken over to who took it, when the late owner lets go', async () => {
    const late = await admit(one, [turn]);
    const taken = await admit(two, [turn]);
    await one.release(late.attempt);
    await expect(
      world.instance({ holdMs: 60_000 }).admit({ ...asked([turn]), recordedAt: LATE }),
    ).resolves.toMatchObject({ fresh: new Map([[turn.id, { tokens: 7, recordedAt: NOW, taken: true }]]) });
    expect(await two.remember(taken.attempt, { turns: append(world.log, taken, [turn]) })).toEqual(
      new Map([[turn.id, 7]]),
    );
    expect(await billed(two)).toEqual(SEVEN);
  });

  it('reserves a taken turn once, and gives a dead process nothing for long', async () => {
    const short = world.instance({ holdMs: 100, reserveMs: 300 });
    const caps = { tokensIn: 10, tokensOut: 0 };
    await admit(short, [turn], { caps });
    expect((await admit(short, [turn], { caps })).fresh.size).toBe(1);
    expect(await world.reserved('acme', DAY)).toBe(7);
    expect((await one.admit(asked([turnRecorded(2)], { caps }))).kind).toBe('refused');
    await until(
      'the reservation is over',
      async () => (await one.admit(asked([turnRecorded(2)], { caps }))).kind === 'admitted',
    );
  });

  it('keeps what a dead process appended, in its name', async () => {
    const dead = await admit(one, [turn]);
    append(world.log, dead, [turn]);
    const taken = await admit(two, [turn]);
    const copies = append(world.log, taken, [turn]);
    await world.project(two, { 'turns/1': 1 });
    expect(await two.remember(taken.attempt, { turns: copies })).toEqual(new Map());
    await world.project(two);
    expect(await billed(two)).toEqual(SEVEN);
    expect(await world.reserved('acme', DAY)).toBe(0);
    expect(await tail()).toEqual([]);
    expect(addresses(copies)).toEqual([[1, 1]]);
  });

  it("bills the day of the log's first copy, although a later one was remembered", async () => {
    // Released because nobody knew how its append ended; it was in the log.
    const first = await admit(one, [turn]);
    append(world.log, first, [turn]);
    await one.release(first.attempt);
    const second = await admit(two, [turn], { recordedAt: LATE });
    await two.remember(second.attempt, { turns: append(world.log, second, [turn]) });
    expect(await billed(one, NEXT_DAY)).toEqual(SEVEN);
    await world.project(one);
    expect(await billed(one, NEXT_DAY)).toEqual(NOTHING);
    expect(await billed(one)).toEqual(SEVEN);
  });

  it('changes nothing when a batch is settled again, by whomever', async () => {
    for (const n of [1, 2, 3]) {
      const admitted = await admit(one, [turnRecorded(n)]);
      await one.remember(admitted.attempt, { turns: append(world.log, admitted, [turnRecorded(n)]) });
    }
    const recall = await admit(one, [], { tokensIn: 2, recall: { org: 'acme' } });
    const event = recallMetered(1, { tokens_in: 2, tokens_out: 30 });
    recallAddress(world.log, event, recall.attempt);
    await world.project(two);
    const all = { tokensIn: 23, tokensOut: 30 };
    expect(await billed(one)).toEqual(all);
    for (const [from, to] of [
      [0, 3],
      [1, 2],
    ]) {
      await one.settle(world.log.read('turns/1', from!, to!), { 'turns/1': to! });
      await one.settle(world.log.read('usage/0', 0, 1), { 'usage/0': 1 });
    }
    const { tokens_in: tokensIn, tokens_out: tokensOut } = event.data;
    await one.remember(recall.attempt, {
      turns: [],
      recall: { id: event.id, tokensIn, tokensOut, partition: 0, offset: 0 },
    });
    // A second copy of the recall's event, at an offset of its own.
    recallAddress(world.log, event, recall.attempt);
    await world.project(two);
    expect(await billed(one)).toEqual(all);
    expect(await world.reserved('acme', DAY)).toBe(0);
  });

  it('tells a retry what the first attempt said, when only its answer was lost', async () => {
    const admitted = await admit(one, [turn]);
    const turns = append(world.log, admitted, [turn]);
    const lost = world.gate.redis.evalsha.bind(world.gate.redis);
    let losses = 0;
    world.gate.redis.evalsha = (async (...call: Parameters<typeof lost>) => {
      const reply = await lost(...call);
      if (losses++ > 0) return reply;
      throw unavailable('lost');
    }) as typeof lost;
    expect(await one.remember(admitted.attempt, { turns })).toEqual(new Map([[turn.id, 7]]));
    expect(losses).toBe(2);
    expect(await billed(one)).toEqual(SEVEN);
    expect(await tail()).toEqual([turn.id]);
  });

  /** Lives are measured on Redis's clock. */
  const hence = (hours: number) => ({ timestamp: Date.now() + hours * HOUR_MS });

  it('asks the index for turns that are older than a claim lives or dated far ahead, and only for those', async () => {
    const questions: string[][] = [];
    const curious = world.instance({
      isIndexed: async (_org, _user, ids) => {
        questions.push([...ids]);
        return new Map([
          [old.id, true],
          [bare.id, false],
        ]);
      },
    });
    const [old, bare, unheard, far] = [-8 * 24, -9 * 24, -10 * 24, 25].map((hours, n) =>
      turnRecorded(n, hence(hours)),
    ) as [typeof turn, typeof turn, typeof turn, typeof turn];
    const [young, near] = [-6 * 24, 23].map((hours, n) => turnRecorded(10 + n, hence(hours)));
    const { fresh, inactive } = await admit(curious, [old, bare, unheard, young!, far, near!]);
    expect([...fresh.keys()]).toEqual([unheard.id, young!.id, far.id, near!.id]);
    expect([...inactive]).toEqual([bare.id]);
    expect(questions).toEqual([[old.id, bare.id, unheard.id, far.id]]);
  });

  // The claim of such a turn ends before its date comes: that it is near then says nothing.
  it('asks for the turns of a day that was dated ahead once, and for no others of its organization', async () => {
    const questions: string[][] = [];
    const curious = world.instance({
      isIndexed: async (_org, _user, ids) => {
        questions.push([...ids]);
        return new Map();
      },
    });
    const [now, ahead] = [turnRecorded(60, hence(0)), turnRecorded(61, hence(48))];
    await curious.release((await admit(curious, [now])).attempt);
    const admitted = await admit(one, [ahead]);
    await one.remember(admitted.attempt, { turns: append(world.log, admitted, [ahead]) });
    await world.project(one);
    const last = turnRecorded(63, { timestamp: Date.parse('9999-12-31T23:59:59Z') });
    const far = await admit(one, [last]);
    await one.remember(far.attempt, { turns: append(world.log, far, [last]) });
    await world.project(one);
    expect(questions).toEqual([]);
    await curious.release((await admit(curious, [now])).attempt);
    expect(questions).toEqual([]);
    // Its date has come near: the claim ended long ago.
    const { redis } = world.gate;
    const days = `${world.keysOf('acme')}ahead`;
    const today = Math.floor(Date.parse(now.data!.timestamp) / (24 * HOUR_MS));
    await redis.zadd(days, today, String(today));
    await curious.release((await admit(curious, [now])).attempt);
    expect(questions).toEqual([[now.id]]);
    await admit(curious, [turnRecorded(62, { ...hence(0), org: 'other' })], { org: 'other' });
    expect(questions).toEqual([[now.id]]);
    expect(await redis.zrange(days, '0', '-1')).toEqual(
      [today, ...[ahead, last].map(one => Math.floor(Date.parse(one.data!.timestamp) / (24 * HOUR_MS)))].map(
        String,
      ),
    );
  });

  it('keeps no more days than a year has, and then asks for all of them', async () => {
    const questions: string[][] = [];
    const curious = world.instance({
      isIndexed: async (_org, _user, ids) => {
        questions.push([...ids]);
        return new Map();
      },
    });
    const turns = Array.from({ length: 410 }, (_, n) => turnRecorded(100 + n, hence(48 + 24 * n)));
    const admitted = await admit(one, turns);
    await one.remember(admitted.attempt, { turns: append(world.log, admitted, turns) });
    await world.project(one);
    expect(await world.gate.redis.zcard(`${world.keysOf('acme')}ahead`)).toBe(401);
    const now = turnRecorded(60, hence(0));
    await admit(curious, [now]);
    expect(questions).toEqual([[now.id]]);
  });

  it('takes no more turns when the tail is full, until the projector has been there', async () => {
    const small = world.instance({ mostTail: 2 });
    const turns = [turnRecorded(1), turnRecorded(2)];
    const admitted = await admit(small, turns);
    await small.remember(admitted.attempt, { turns: append(world.log, admitted, turns) });
    await expect(small.admit(asked([turnRecorded(3)]))).rejects.toMatchObject({
      code: 'unavailable',
      retryAfter: 2,
    });
    expect((await admit(small, turns)).fresh.size).toBe(0);
    expect((await admit(small, [], { tokensIn: 1, recall: { org: 'acme' } })).tail).toHaveLength(2);
    await world.project(small);
    expect((await admit(small, [turnRecorded(3)])).fresh.size).toBe(1);
  });

  it('takes no more bytes of turns and jobs than the tail may have, until they left it', async () => {
    const small = world.instance({ mostTailBytes: 3_000 });
    const long = [1, 2].map(n => turnRecorded(n, { text: 'x'.repeat(1_500) }));
    const job = {
      id: 'job_1',
      org: 'acme',
      user: 'ada',
      session: 's',
      turnIds: [],
      passive: true,
      keyId: 'key-1',
      partition: 1,
    };
    for (const each of long) {
      const admitted = await admit(small, [each]);
      const turns = append(world.log, admitted, [each]);
      await small.remember(admitted.attempt, {
        turns,
        job: { ...job, id: each.id, offset: turns[0]!.offset },
      });
    }
    await expect(small.admit(asked([turnRecorded(3)]))).rejects.toMatchObject({ code: 'unavailable' });
    expect((await admit(small, long)).fresh.size).toBe(0);
    await world.project(small);
    expect(await world.gate.redis.hmget(`${world.keysOf('acme')}meta`, 'tail', 'bytes')).toEqual(['0', '0']);
    expect((await admit(small, [turnRecorded(3)])).fresh.size).toBe(1);
  });

  it('lets go of a turn that is set aside, although the step has no other event of its organization', async () => {
    const admitted = await admit(one, [turn]);
    const [kept] = append(world.log, admitted, [turn]);
    await one.remember(admitted.attempt, { turns: [kept!] });
    expect(await tail()).toEqual([turn.id]);
    const { topic, partition, offset, keyId, ...envelope } = turn;
    const letters: NewRecord[] = [];
    const none = { apply: async () => ALL_WRITTEN };
    const step = makeStep({
      log: {
        append: async records => {
          letters.push(...records);
          return [];
        },
      },
      store: makeProjectionStore({
        admission: one,
        recall: none,
        usage: none,
        accounts: none,
        audit: none,
        activity: none,
      }),
      decode: async () => ({ kind: 'poison', step: 'open', reason: 'of this test' }),
      projections: {} as Projections,
      logged: () => [],
      limits: { inARow: 0, share: 0 },
    });
    const value = serialiseEnvelope({ ...envelope, key_id: keyId, data: 'flipped' });
    await step([{ topic, partition: kept!.partition, offset: kept!.offset, value, headers: {} }]);
    expect(letters).toHaveLength(1);
    expect(await tail()).toEqual([]);
    // Its claim stays: a retry of it is known for as long as any other.
    expect((await admit(two, [turn])).fresh.size).toBe(0);
    const [bucket] = await bucketsOf(world.gate.redis, world.keysOf('acme'));
    expect(bucket).toMatchObject({ kept: 0, claims: { [turn.id]: expect.stringMatching(/^S /) } });
    expect(bucket!.ends - Date.now()).toBeGreaterThan(7 * 24 * HOUR_MS);
  });

  it('tells names apart, whatever is in them', async () => {
    const names = [
      'a',
      '',
      '{acme}',
      '}{',
      'a b',
      ' ',
      'turn x',
      '\ud800',
      '\udfff',
      '💬',
      '%',
      'a:b',
      '*',
      '\n',
    ];
    for (const [n, name] of names.entries()) {
      const each = turnRecorded(n, { user: name, org: name, session: name });
      const admitted = await admit(one, [each], { org: name, user: name });
      await one.remember(admitted.attempt, { turns: append(world.log, admitted, [each]) });
    }
    for (const [n, name] of names.entries()) {
      expect((await two.tail({ org: name, user: name, session: name })).map(({ id }) => id)).toEqual([
        turnRecorded(n, { user: name, org: name, session: name }).id,
      ]);
      expect(await billed(two, DAY, name)).toEqual(SEVEN);
    }
    await world.project(two);
    for (const name of names) expect(await two.tail({ org: name })).toEqual([]);
  });

  it('has a job until the index shows its write', async () => {
    const job = {
      id: `job_${'1'.repeat(32)}`,
      org: 'acme',
      user: 'ada',
      session: 's',
      turnIds: [turn.id],
      passive: true,
      keyId: turn.keyId!,
    };
    const admitted = await admit(one, [turn]);
    const turns = append(world.log, admitted, [turn]);
    const logged = { ...job, partition: 1, offset: 0 };
    await one.remember(admitted.attempt, { turns, job: logged });
    expect(await two.job('acme', job.id)).toEqual(logged);
    expect(await two.job('other', job.id)).toBeUndefined();
    await world.project(two);
    expect(await two.job('acme', job.id)).toBeUndefined();
  });
});
