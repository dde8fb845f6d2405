import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage, unavailable } from '../../../../core/errors.ts';
import { FORMAT } from '../../../../core/format.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { isCluster, nodesOf } from '../cluster/nodes.ts';
import { ready } from '../connection.ts';
import { keysOf } from '../key-names.ts';
import { connectRedis, type RedisClient, type RedisConnection, redisScript } from '../redis-client.ts';
import { drop } from './drop.ts';
import { hasMarks, setMarks } from './marks.ts';
import {
  connectionsOf,
  hasAll,
  killConnections,
  type Member,
  readMembers,
  runIdsOf,
  withNewcomers,
} from './members.ts';

/** How long a process that dies during a rebuild can block the others. */
const LOCK_MS = 5_000;
const POLL_MS = 100;

/** Identifies our data in Redis since the last rebuild. */
export interface Generation<Facts> {
  /**
   * The run id of the server process that last held the data in agreement with the log. It changes with every
   * start. For a Redis Cluster: the ids of all primaries, separated by spaces.
   */
  runId: string;
  /** Identifies the rebuild; a repair keeps it. */
  epoch: string;
  /** Changes with each rebuild and each repair: either may forget claims that were not appended. */
  version: string;
  /** The result of the rebuild, which every process receives. */
  facts: Facts;
}

export interface RebuildOptions<Facts> {
  config: RedisConnection & Pick<ClusterConfig, 'namespace'>;
  /**
   * Writes all our data from the log through a connection that bypasses the gate, after the old data was
   * dropped. If it rejects, the whole rebuild is repeated. Its result must survive JSON serialization.
   */
  rebuild: (inside: RedisClient, epoch: string) => Promise<Facts>;
  /**
   * Brings the data that Redis came back with up to the log, through a connection that bypasses the gate.
   * Resolves to false if that is impossible; then everything is rebuilt. May be interrupted anywhere and is
   * then called again. Never called for a Redis Cluster.
   */
  repair?: (inside: RedisClient, before: Generation<Facts>) => Promise<boolean>;
  /** Called with errors that are retried. */
  onTrouble: (error: unknown) => void;
}

/** A full Redis must be repaired and rebuilt too, since it can't be drained before that. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

const ifMine = (then: string) =>
  redisScript(
    `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}\nreturn 1`,
    EVEN_WHEN_FULL,
  );
const renew = ifMine(`redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const unlock = ifMine(`redis.call('DEL', KEYS[1])`);
const finish = ifMine(`redis.call('SET', KEYS[2], ARGV[2]) redis.call('DEL', KEYS[1])`);
/** ARGV: the marker's old value, its new value. */
const exchange = redisScript(
  `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end`,
  EVEN_WHEN_FULL,
);
/** Sets a missing key for ARGV[2] milliseconds; returns 1 on success. */
const take = redisScript(
  `return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') and 1 or 0`,
  EVEN_WHEN_FULL,
);
/** Sets the key and returns its previous value. */
const replace = redisScript(`return redis.call('SET', KEYS[1], ARGV[1], 'GET')`, EVEN_WHEN_FULL);

/**
 * Returns the names of the marker, checkpoint, rebuilder and lock, all in one slot whose hash tag no
 * organization has. Data in another format has another marker, so it is replaced. The lock contains the run
 * id: a server that died during a rebuild and restarted with the lock is another run, for which the lock is
 * void.
 */
export const gateKeys = (namespace: string) => {
  const tagged = `${keysOf(namespace)}{:gate}:`;
  return {
    marker: `${tagged}marker-${FORMAT}`,
    checkpoint: `${tagged}checkpoint`,
    /** The turn to write the next checkpoint. */
    turn: `${tagged}turn`,
    rebuilder: `${tagged}rebuilder`,
    /** The connections of all processes, by their last sign of life. */
    connections: `${tagged}connections`,
    lockOf: (runId: string) => `${tagged}lock:${runId}`,
  };
};

/** Parses the marker of the last rebuild from the reply to a GET. */
const readMarker = async <Facts>(found: Promise<string | null>): Promise<Generation<Facts> | undefined> => {
  const text = await found;
  return text === null ? undefined : (JSON.parse(text) as Generation<Facts>);
};

/** The state in which a process finds Redis. */
export interface Found<Facts> {
  members: readonly Member[];
  /** Undefined: Redis was wiped, or a rebuild was interrupted. */
  generation: Generation<Facts> | undefined;
  /** Redis holds all data of this generation. */
  isWhole: boolean;
}

export const findGeneration = async <Facts>(redis: RedisClient, namespace: string): Promise<Found<Facts>> => {
  const members = await readMembers(redis);
  const generation = await readMarker<Facts>(redis.get(gateKeys(namespace).marker));
  const isWhole =
    generation !== undefined &&
    hasAll(generation.runId, members) &&
    (await hasMarks(redis, namespace, generation.epoch));
  return { members, generation, isWhole };
};

/** Adds primaries that joined without slots to the marker, unless another process was first. */
export const admitNewcomers = async <Facts>(
  redis: RedisClient,
  namespace: string,
  { members, generation }: Found<Facts>,
): Promise<void> => {
  const runId = generation && withNewcomers(generation.runId, members);
  if (runId === undefined) return;
  const values = [JSON.stringify(generation), JSON.stringify({ ...generation, runId })];
  await exchange(redis, [gateKeys(namespace).marker], values);
};

/**
 * Attempts a repair or a rebuild in the process that gets the lock; other processes return after a moment.
 * The caller must read the marker again afterwards, whatever the outcome. `redis`: the gate's client, which
 * has not let any call through; `own`: its connections.
 */
export const rebuildOnce = async <Facts>(
  options: RebuildOptions<Facts>,
  redis: RedisClient,
  { members }: Pick<Found<Facts>, 'members'>,
  own: string,
): Promise<void> => {
  const { config, onTrouble } = options;
  const keys = gateKeys(config.namespace);
  const home = members.find(({ id }) => id === nodesOf(redis).of(keys.marker));
  if (!home) throw unavailable('Redis is unreachable.', undefined, 2);
  const lock = keys.lockOf(home.runId);
  const token = randomBytes(12).toString('base64url');
  if ((await take(redis, [lock], [token, LOCK_MS])) !== 1) return pause(POLL_MS);
  // It doesn't reconnect: either all writes through it are there, or the rebuild fails.
  const inside = connectRedis(config, { once: true, onTrouble });
  const renewal = setInterval(() => {
    renew(inside, [lock], [token, LOCK_MS]).then(
      mine => mine === 1 || inside.disconnect(),
      () => inside.disconnect(),
    );
  }, LOCK_MS / 4);
  try {
    await ready(inside);
    await rebuildLocked(options, inside, { runIds: runIdsOf(members), lock, token, own });
  } finally {
    clearInterval(renewal);
    await unlock(inside, [lock], [token]).catch(() => {});
    inside.disconnect();
  }
};

interface Locked {
  /** The run ids of the servers on which the lock was taken. */
  runIds: string;
  lock: string;
  token: string;
  /** See `rebuildOnce`. */
  own: string;
}

/** Repairs or replaces all our data and then the marker, unless another process did so meanwhile. */
const rebuildLocked = async <Facts>(
  options: RebuildOptions<Facts>,
  inside: RedisClient,
  { runIds, lock, token, own }: Locked,
): Promise<void> => {
  const { namespace } = options.config;
  const { marker, rebuilder } = gateKeys(namespace);
  const { members, generation: found, isWhole } = await findGeneration<Facts>(inside, namespace);
  // The servers are not those of the lock, or another process has finished between our read of the marker and
  // our lock.
  if (runIdsOf(members) !== runIds || isWhole) return;
  // A process that lost the lock without noticing must not write among our writes: kill its connection.
  const previous = await replace(inside, [rebuilder], [await connectionsOf(inside, members)]);
  await killConnections(inside, members, [String(previous ?? '')]);
  const isRepaired = found !== undefined && (await isRepairedBy(options, inside, found));
  const made = isRepaired ? found : await replaceAll(options, inside, { members, lock, own });
  const generation: Generation<Facts> = { ...made, runId: runIdsOf(members), version: newId() };
  if ((await finish(inside, [lock, marker], [token, JSON.stringify(generation)])) !== 1) {
    throw unavailable('The lock of the rebuild was lost.');
  }
};

/**
 * Tries to repair a single server, which comes back with a prefix of all writes. Servers of a Redis Cluster
 * may come back with prefixes beside others that lost nothing, so a cluster is rebuilt. An outage says
 * nothing about the data and is retried. After any other error the data is not trusted.
 */
const isRepairedBy = async <Facts>(
  { repair, onTrouble }: RebuildOptions<Facts>,
  inside: RedisClient,
  before: Generation<Facts>,
): Promise<boolean> => {
  if (!repair || isCluster(inside)) return false;
  try {
    return await repair(inside, before);
  } catch (error) {
    if (isOutage(error)) throw error;
    onTrouble(error);
    return false;
  }
};

const replaceAll = async <Facts>(
  { config: { namespace }, rebuild }: RebuildOptions<Facts>,
  inside: RedisClient,
  { members, lock, own }: Pick<Locked, 'lock' | 'own'> & Pick<Found<Facts>, 'members'>,
): Promise<Omit<Generation<Facts>, 'runId' | 'version'>> => {
  const { marker, rebuilder, connections } = gateKeys(namespace);
  await inside.del(marker);
  // Each process that opens its gate from now on has noted its connections and read this rebuild's marker.
  // Commands that others sent earlier may still be on their way to a server that was not lost.
  const noted = await inside.zrange(connections, '0', '-1');
  await killConnections(
    inside,
    members,
    noted.filter(one => one !== own),
  );
  await drop(inside, keysOf(namespace), new Set([lock, rebuilder, connections]));
  const epoch = newId();
  const facts = await rebuild(inside, epoch);
  await setMarks(inside, namespace, epoch);
  return { epoch, facts };
};

const newId = (): string => randomBytes(9).toString('base64url');
