/**
 * Measures what a write of ten turns costs Redis: its admission, and its projection's settling, on a Redis
 * that it starts. All else of a write is left out.
 */
import { readFileSync } from 'node:fs';
import type { Logged } from '../../../core/ports.ts';
import { openRedisAdmission, type RebuiltFrom } from '../../../infra/cluster/redis/admission/admission.ts';
import { makeSealedTail } from '../../../infra/cluster/redis/admission/sealed-tail.ts';
import { openRedis } from '../../../infra/cluster/redis/gate/gate.ts';
import { type OwnRedis, startOwnRedis } from '../../../test/support/engines/redis-server.ts';
import { sessionKey, tailTurn, turnRecorded } from '../../../test/support/worlds/builders.ts';
import type { Part } from '../measure/figures-table.ts';
import { quantile } from '../measure/quantile.ts';

const TURNS_OF_A_WRITE = 10;
const ORGANIZATIONS = 4;
const AT_ONCE = 8;
const WRITES = 800;
/** The writes of a projector's step. */
const WRITES_OF_A_STEP = 40;
const ROUNDS = 5;

export interface RedisFigures {
  /** CPU microseconds of Redis a write, the median of several rounds. */
  redisMicros: number;
  /** The same of the client: this process. */
  clientMicros: number;
  /** Commands that the scripts of a write ran. */
  commands: number;
  /** Bytes of a settled claim. */
  claimBytes: number;
  /** CPU microseconds of Redis for the same bytes in one plain `SET`. */
  floorMicros: number;
}

/** Returns a reading of the server's own CPU time, microseconds. */
const cpuClock = async ({ redis }: OwnRedis): Promise<() => number> => {
  const pid = /^process_id:(\d+)/m.exec(await redis.info('server'))![1];
  return () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
};

/** Returns the commands that the server has run, those of scripts included. */
const commandsOf = async ({ redis }: OwnRedis): Promise<number> => {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/calls=(\d+)/g)].reduce((sum, [, calls]) => sum + Number(calls), 0);
};

export const measureRedisWrites = async (): Promise<RedisFigures> => {
  const own = await startOwnRedis('--maxmemory', '4gb', '--maxmemory-policy', 'noeviction');
  const config = { namespace: 'bench', redisUrl: own.url };
  const gate = openRedis<RebuiltFrom>({
    config,
    rebuild: async () => ({ floor: {}, lookUpUntil: 0 }),
    onTrouble: error => console.error(error),
  });
  await gate.opened();
  const admission = openRedisAdmission({
    gate,
    namespace: config.namespace,
    tail: makeSealedTail({ byId: async () => sessionKey().sealing }),
    clock: Date.now,
    isIndexed: async () => new Map(),
    partitions: 4,
    mostTail: 50_000,
    mostTailBytes: 64 * 1024 * 1024,
  });

  let next = 0;
  const offsets = new Map<string, number>();
  const write = async (n: number): Promise<Logged[]> => {
    const org = `org${n % ORGANIZATIONS}`;
    const partition = n % 4;
    const offset = offsets.get(`turns/${partition}`) ?? 0;
    offsets.set(`turns/${partition}`, offset + 1);
    const recordedAt = Date.now();
    const timestamp = recordedAt - 60_000;
    const turns = Array.from({ length: TURNS_OF_A_WRITE }, (_, at) => {
      const event = turnRecorded(n * TURNS_OF_A_WRITE + at, { org, user: `user${n % 100}`, timestamp });
      return { ...event, partition, offset, recorded_at: new Date(recordedAt).toISOString() };
    });
    const answer = await admission.admit({
      org,
      user: `user${n % 100}`,
      recordedAt,
      caps: { tokensIn: 1e12, tokensOut: 1e12 },
      claims: turns.map(({ id, tokens }) => ({ id, tokens: tokens!, timestamp })),
      tokensIn: 0,
    });
    if (answer.kind !== 'admitted' || answer.fresh.size !== TURNS_OF_A_WRITE)
      throw new Error('a write of the benchmark was not admitted');
    const remembered = turns.map((event, index) => tailTurn({ ...event, index }));
    const job = { id: `job${n}`, org, user: `user${n % 100}`, session: 's', turnIds: [] };
    await admission.remember(answer.attempt, {
      turns: remembered,
      job: { ...job, passive: true, keyId: remembered[0]!.keyId, partition, offset },
    });
    return remembered.map((turn, at) => ({
      id: turn.id,
      topic: 'turns' as const,
      partition,
      offset,
      attempt: answer.attempt,
      org,
      day: new Date(recordedAt).toISOString().slice(0, 10),
      tokens: { tokensIn: turns[at]!.tokens!, tokensOut: 0 },
      turn,
    }));
  };
  const settle = (logged: Logged[]): Promise<void> =>
    admission.settle(
      logged,
      Object.fromEntries([...offsets].map(([partition, offset]) => [partition, offset])),
    );
  const round = async (): Promise<void> => {
    for (let step = 0; step < WRITES; step += WRITES_OF_A_STEP) {
      const logged: Logged[] = [];
      let left = WRITES_OF_A_STEP;
      const writer = async (): Promise<void> => {
        while (left-- > 0) logged.push(...(await write(next++)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, writer));
      await settle(logged);
    }
  };

  try {
    await round();
    const cpu = await cpuClock(own);
    const bytes = 'x'.repeat(2_500);
    const floorFrom = cpu();
    for (let n = 0; n < WRITES; n++) await own.redis.set('floor', bytes);
    const floorMicros = (cpu() - floorFrom) / WRITES;
    const [redisMicros, clientMicros]: number[][] = [[], []];
    const before = { commands: await commandsOf(own), used: await own.used() };
    for (let n = 0; n < ROUNDS; n++) {
      const [from, usage] = [cpu(), process.cpuUsage()];
      await round();
      const { user, system } = process.cpuUsage(usage);
      redisMicros!.push((cpu() - from) / WRITES);
      clientMicros!.push((user + system) / WRITES);
    }
    const writes = ROUNDS * WRITES;
    return {
      redisMicros: quantile(redisMicros!, 0.5),
      clientMicros: quantile(clientMicros!, 0.5),
      commands: ((await commandsOf(own)) - before.commands) / writes,
      claimBytes: ((await own.used()) - before.used) / writes / TURNS_OF_A_WRITE,
      floorMicros,
    };
  } finally {
    gate.close();
    await own.close();
  }
};

export const redisWritesPart = (figures: RedisFigures): Part => ({
  title: 'Redis, writes of ten turns from admission to settled',
  figures: [
    {
      figure: 'CPU of Redis a write',
      measured: figures.redisMicros,
      unit: 'µs',
      target: { most: 120 },
      floor: figures.floorMicros,
    },
    { figure: 'CPU of its client a write', measured: figures.clientMicros, unit: 'µs' },
    { figure: 'commands a write', measured: figures.commands, unit: '' },
    { figure: 'memory of a settled claim', measured: figures.claimBytes, unit: 'bytes' },
  ],
});
