import { expect, it } from 'vitest';
import type { TailTurn } from '../../core/ports.ts';
import type { RedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import { NOW } from '../contracts/openers/cluster-admission.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { pause } from '../support/wait.ts';
import { recallMetered, turnRecorded } from '../support/worlds/builders.ts';
import { bucketsOf, moveBucket } from '../support/worlds/claim-buckets.ts';
import {
  type Admission,
  admit,
  append,
  billed,
  DAY,
  NEXT_DAY,
  openWorld,
  type Turn,
  type World,
} from '../support/worlds/cluster-admission-world.ts';

const ORGS = ['acme', 'other'];
const USERS = ['ada', 'alan'];
const CLIENTS = 12;
const REQUESTS = 40;
const RESERVE_MS = 300;
const LATE = Date.parse('2026-03-11T00:00:01Z');

const isOutage = (error: unknown): boolean => (error as { code?: string }).code === 'unavailable';

/** Again while Redis is out of reach: somebody may be killing it. */
const patiently = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!isOutage(error) || tries > 200) throw error;
      await pause(50);
    }
  }
};

/** Park and Miller's minimal generator: a run's decisions come from its seed, their interleaving does not. */
const makeRandom = (seed: number) => {
  let state = seed;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return {
    chance: (probability: number): boolean => random() < probability,
    below: (n: number): number => Math.floor(random() * n),
  };
};

/** Clients on three instances, two projectors; whatever may go wrong does, at random. */
const run = async (
  world: World,
  { seed, crashes, wipes, returns = 0 }: { seed: number; crashes: boolean; wipes: number; returns?: number },
) => {
  const { chance, below } = makeRandom(seed);
  const instances = [1, 2, 3].map(() => world.instance({ holdMs: 60, reserveMs: RESERVE_MS }));
  const anyOf = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const crash = () => crashes && chance(0.08);
  /** The tokens that answers told, by turn or recall. */
  const answered = new Map<string, number>();
  const answer = (id: string, tokens: number): void => {
    answered.set(id, (answered.get(id) ?? 0) + tokens);
  };
  const resends: (() => void)[] = [];

  let writes = 0;
  /** A conversation goes on, and everybody wants to write the same few turns of it. */
  const turnsOf = (org: string): Turn[] => {
    const user = anyOf(USERS);
    const first = Math.floor(++writes / 6) + below(6);
    return Array.from({ length: 1 + below(4) }, (_, i) =>
      turnRecorded(first + i, { org, user, tokens: first + i + 1 }),
    );
  };

  const appendAll = async (admitted: Admission, turns: Turn[]): Promise<TailTurn[]> => {
    // An append that is slower than its claim is held.
    await pause(chance(0.1) ? 90 + below(60) : below(4));
    const addresses = append(world.log, admitted, turns);
    // A producer that sends again what had arrived, now or later.
    if (chance(0.15)) resends.push(() => append(world.log, admitted, turns));
    if (chance(0.05)) append(world.log, admitted, turns);
    return addresses;
  };

  const write = async (admission: RedisAdmission, org: string): Promise<void> => {
    const turns = turnsOf(org);
    const { user_id: user } = turns[0]!.data;
    const admitted = await admit(admission, turns, { org, user, recordedAt: chance(0.5) ? NOW : LATE });
    if (crash()) return;
    if (chance(0.05)) return admission.release(admitted.attempt);
    const fresh = turns.filter(({ id }) => admitted.fresh.has(id));
    if (crash()) {
      // A part of it arrived; whether its process lived on to let go of it or not.
      await appendAll(admitted, fresh.slice(0, below(fresh.length + 1)));
      return chance(0.5) ? admission.release(admitted.attempt) : undefined;
    }
    const addresses = await appendAll(admitted, fresh);
    if (crash()) return;
    await pause(chance(0.1) ? 80 : 0);
    const own = await admission.remember(admitted.attempt, { turns: addresses });
    if (crash()) return;
    for (const turn of fresh) if (own.has(turn.id)) answer(turn.id, turn.tokens!);
    await admission.release(admitted.attempt);
  };

  let recalls = 0;
  const recall = async (admission: RedisAdmission, org: string): Promise<void> => {
    const event = { ...recallMetered(++recalls, { tokens_in: 3, tokens_out: 11 }), org_id: org };
    const { attempt } = await admit(admission, [], { org, tokensIn: 3, recall: { org } });
    if (crash()) return;
    const { partition, offset } = world.log.append(event, attempt);
    if (chance(0.2)) resends.push(() => world.log.append(event, attempt));
    if (crash()) return;
    await pause(below(5));
    await admission.remember(attempt, {
      turns: [],
      recall: { id: event.id, tokensIn: 3, tokensOut: 11, partition, offset },
    });
    answer(event.id, 14);
  };

  let busy = true;
  const client = async (): Promise<void> => {
    for (let n = 0; n < REQUESTS; n++) {
      const call = chance(0.2) ? recall : write;
      await call(anyOf(instances), anyOf(ORGS)).catch(error => {
        if (!isOutage(error)) throw error;
        return pause(50);
      });
      if (chance(0.2)) resends.shift()?.();
    }
  };
  const projector = async (): Promise<void> => {
    const by = world.instance();
    while (busy) {
      const [topicPartition, end] = anyOf(Object.entries(world.log.ends())) ?? ['turns/0', 0];
      const committed = world.committed[topicPartition] ?? 0;
      // One that was thought dead shows again what it had.
      const from = chance(0.2) ? below(committed + 1) : committed;
      const to = Math.min(end, from + 1 + below(9));
      await pause(below(8));
      if (to <= from) continue;
      world.indexed[topicPartition] = Math.max(world.indexed[topicPartition] ?? 0, to);
      try {
        await by.settle(world.log.read(topicPartition, from, to), { [topicPartition]: to });
      } catch (error) {
        if (!isOutage(error)) throw error;
        continue;
      }
      await pause(below(3));
      if (!chance(0.2)) world.committed[topicPartition] = Math.max(world.committed[topicPartition] ?? 0, to);
    }
  };
  const loser = async (): Promise<void> => {
    for (let n = 0; n < wipes; n++) {
      await pause(250);
      const { rebuilds } = world;
      await (n % 2 ? world.restart() : world.wipe()).catch(() => {});
      await expect
        .poll(() => world.gate.isOpen() && world.rebuilds > rebuilds, { timeout: 10_000 })
        .toBe(true);
    }
  };

  /** It is another day: what was claimed before is in the bucket of an earlier one. */
  const midnight = async (): Promise<void> => {
    const today = Math.floor(Date.now() / 86_400_000);
    while (busy) {
      await pause(20 + below(60));
      const org = anyOf(ORGS);
      await patiently(async () => {
        const [last] = (await bucketsOf(world.gate.redis, world.keysOf(org))).sort((a, b) => a.day - b.day);
        // Older ones end.
        if (last && last.day > today - 5)
          await moveBucket(world.gate.redis, world.keysOf(org), last, { days: -1 });
      });
    }
  };

  /** Redis comes back with what it had a moment ago, or a while: checkpoints go on. */
  const returner = async (): Promise<void> => {
    for (let n = 0; n < returns; n++) {
      await patiently(() => world.checkpoint());
      await pause(below(60));
      await patiently(() => world.save());
      if (chance(0.5)) await patiently(() => world.checkpoint());
      await pause(40 + below(160));
      const { repairs } = world;
      await world.comeBack();
      await expect.poll(() => world.gate.isOpen() && world.repairs > repairs, { timeout: 10_000 }).toBe(true);
    }
  };

  const others = [projector(), projector(), midnight()];
  await Promise.all([...Array.from({ length: CLIENTS }, client), loser(), returner()]);
  for (const resend of resends) resend();
  busy = false;
  await Promise.all(others);
  await patiently(() => world.project(instances[0]!));
  await pause(RESERVE_MS + 20);
  return { one: instances[0]!, answered };
};

describeOnEngines('admission on Redis at random', () => {
  const cases = [
    { seed: 1, crashes: false, wipes: 0 },
    { seed: 2, crashes: false, wipes: 4 },
    { seed: 3, crashes: true, wipes: 0 },
    { seed: 4, crashes: true, wipes: 0 },
    { seed: 5, crashes: true, wipes: 4 },
    { seed: 6, crashes: true, wipes: 4 },
    { seed: 7, crashes: false, wipes: 0, returns: 4 },
    { seed: 8, crashes: true, wipes: 0, returns: 4 },
    { seed: 9, crashes: true, wipes: 0, returns: 6 },
  ];
  it.each(cases)('bills what the log holds, and says no more: %o', async options => {
    const world = await openWorld();
    try {
      const { one, answered } = await run(world, options);
      let sum = 0;
      for (const org of ORGS) {
        for (const day of [DAY, NEXT_DAY]) {
          const tokens = await patiently(() => billed(one, day, org));
          expect({ org, day, ...tokens }).toEqual({ org, day, ...world.log.fold(org, day, day) });
          sum += tokens.tokensIn + tokens.tokensOut;
        }
        expect(await patiently(() => one.tail({ org }))).toEqual([]);
        await patiently(() => admit(one, [], { org }));
        const buckets = await bucketsOf(world.gate.redis, world.keysOf(org));
        const claims = buckets.flatMap(each => Object.values(each.claims));
        expect(claims.length).toBeGreaterThan(0);
        expect([
          buckets.filter(({ kept }) => kept > 0),
          claims.filter(text => text.startsWith('K ')),
        ]).toEqual([[], []]);
        for (const day of [DAY, NEXT_DAY]) expect(await patiently(() => world.reserved(org, day))).toBe(0);
      }
      for (const [id, tokens] of answered) {
        const most = world.log.tokensOf(id);
        expect({ id, tokens }).toEqual({ id, tokens: most });
      }
      const said = [...answered.values()].reduce((a, b) => a + b, 0);
      // Claims are held for so short a time here that after a wipe many can't know whether they lost one.
      if (options.crashes || options.wipes > 0 || options.returns) expect(said).toBeLessThanOrEqual(sum);
      else expect(said).toBe(sum);
      expect(sum).toBeGreaterThan(4_000);
    } finally {
      await world.close();
    }
  });
});
