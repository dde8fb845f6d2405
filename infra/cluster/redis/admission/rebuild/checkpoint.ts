import { furthest, positionsIn } from '../../../../../core/log/positions.ts';
import type { Positions, Topic } from '../../../../../core/ports.ts';
import { type Generation, gateKeys } from '../../gate/gate-rebuild.ts';
import { type RedisClient, redisScript } from '../../redis-client.ts';

/** A checkpoint is written at most this often, by one process. */
export const EVERY_MS = 1_000;

/** The topics that projectors apply to Redis. */
const APPLIED: readonly Topic[] = ['accounts', 'turns', 'usage'];

/**
 * The positions up to which Redis holds the log's decisions. After a restart or a failover Redis comes back
 * with a prefix of all writes: if that has a checkpoint, it has everything the checkpoint covers, so a repair
 * reads the log only from there.
 */
export interface Checkpoint {
  /** Everything below is applied: projectors acknowledge a step after its writes to Redis. */
  applied: Positions;
}

export interface HeldCheckpoint {
  checkpoint: Checkpoint;
  /** Milliseconds since it was written, by Redis's clock; negative if that clock went back. */
  age: number;
}

/**
 * KEYS: the checkpoint and, unless the gate is bypassed, the marker. ARGV: the epoch, JSON of the checkpoint,
 * the marker's run id. A process that is now connected to another Redis changes nothing: its positions were
 * acknowledged for the first one.
 */
const write = redisScript(
  `if KEYS[2] then
    local marker = redis.call('GET', KEYS[2])
    if not marker then return 0 end
    local held = cjson.decode(marker)
    if held.epoch ~= ARGV[1] or held.runId ~= ARGV[3] then return 0 end
  end
  local time = redis.call('TIME')
  local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'at', now, 'checkpoint', ARGV[2])
  return 1`,
  // Without new checkpoints, the next restart of a full Redis would take long.
  { evenWhenFull: true },
);

/** KEYS: the turn to write. ARGV: milliseconds. Returns 1 to one caller in that time. */
const takeTurn = redisScript(`return redis.call('SET', KEYS[1], '1', 'PX', ARGV[1], 'NX') and 1 or 0`, {
  evenWhenFull: true,
});

const timeOf = async (redis: RedisClient): Promise<number> => {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
};

/** Returns the checkpoint of an epoch, if Redis holds one. */
export const readCheckpoint = async (
  redis: RedisClient,
  namespace: string,
  epoch: string,
): Promise<HeldCheckpoint | undefined> => {
  const held = await redis.hgetall(gateKeys(namespace).checkpoint);
  if (held.epoch !== epoch) return undefined;
  const checkpoint = JSON.parse(held.checkpoint!) as Checkpoint;
  return { checkpoint, age: (await timeOf(redis)) - Number(held.at) };
};

/**
 * Writes the checkpoint of a rebuild or a repair, through a connection that bypasses the gate: everything
 * below these positions was read from the log and is applied.
 */
export const startCheckpoint = async (
  inside: RedisClient,
  namespace: string,
  epoch: string,
  applied: Positions,
): Promise<void> => {
  const checkpoint: Checkpoint = { applied };
  await write(inside, [gateKeys(namespace).checkpoint], [epoch, JSON.stringify(checkpoint)]);
};

export interface AdvanceCheckpoint {
  /** The gate's connection. */
  redis: RedisClient;
  namespace: string;
  /** Must be read from the open gate before the positions. */
  generation: Pick<Generation<unknown>, 'runId' | 'epoch'>;
  /** The next offsets that the projectors have not acknowledged. */
  committed: () => Promise<Positions>;
}

/** Writes the next checkpoint, unless another process did so a moment ago. */
export const advanceCheckpoint = async ({
  redis,
  namespace,
  generation: { runId, epoch },
  committed,
}: AdvanceCheckpoint): Promise<void> => {
  const { checkpoint: key, marker, turn } = gateKeys(namespace);
  if ((await takeTurn(redis, [turn], [EVERY_MS])) !== 1) return;
  const held = (await readCheckpoint(redis, namespace, epoch))?.checkpoint;
  const next: Checkpoint = {
    // Applied positions never decrease: projectors go back only because another store has lost data.
    applied: furthest(held?.applied ?? {}, positionsIn(await committed(), APPLIED)),
  };
  await write(redis, [key, marker], [epoch, JSON.stringify(next), runId]);
};
