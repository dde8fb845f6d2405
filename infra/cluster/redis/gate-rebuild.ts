import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { unavailable } from '../../../services/core/errors.ts';
import { connectRedis, type RedisClient, type RedisPlace, redisScript } from './client.ts';
import { keysOf } from './names.ts';

/** How long a process that dies during a rebuild can block the others. */
const LOCK_MS = 5_000;
const POLL_MS = 100;

/** Identifies our data in Redis since the last rebuild. */
export interface Generation<Facts> {
  /** The server process's run id, which changes with every start. */
  runId: string;
  /** Identifies the rebuild. */
  epoch: string;
  /** The result of the rebuild that every process receives. */
  facts: Facts;
}

export interface RebuildOptions<Facts> {
  config: RedisPlace & Pick<ClusterConfig, 'namespace'>;
  /**
   * Writes all our data from the log, after the old data was dropped, through a connection that bypasses the gate. When
   * it rejects, the whole rebuild is repeated. Its result must survive JSON serialization.
   */
  rebuild: (inside: RedisClient, epoch: string) => Promise<Facts>;
  /** Called with errors that are retried. */
  onTrouble: (error: unknown) => void;
}

const ifMine = (then: string) =>
  redisScript(`if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}\nreturn 1`);
const renew = ifMine(`redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const unlock = ifMine(`redis.call('DEL', KEYS[1])`);
const finish = ifMine(`redis.call('SET', KEYS[2], ARGV[2]) redis.call('DEL', KEYS[1])`);

/**
 * Marker, rebuilder and lock, all in one slot whose hash tag is no organization's. The lock contains the run id: a server
 * that died during a rebuild and restarted with the lock is another run, for which the lock is void.
 */
export const gateKeys = (namespace: string) => {
  const tagged = `${keysOf(namespace)}{:gate}:`;
  return {
    marker: `${tagged}marker`,
    rebuilder: `${tagged}rebuilder`,
    lockOf: (runId: string) => `${tagged}lock:${runId}`,
  };
};

export const runIdOf = async (info: Promise<string>): Promise<string> => {
  const found = /^run_id:(\w+)/m.exec(await info);
  if (!found) throw unavailable('Redis does not report its run id.');
  return found[1]!;
};

/** The one policy with which Redis keeps everything until its time is over. */
const POLICY = 'noeviction';

/** Why Redis, which answered this to INFO memory, can't be used; undefined when it can. */
export const unfitBy = (memory: string): string | undefined => {
  const found = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  if (found === undefined || found === POLICY) return undefined;
  return `Redis has the maxmemory-policy ${found}, which deletes what is still needed: set it to ${POLICY}.`;
};

/** Parses the marker that the last rebuild has left, read by a GET. */
export const readMarker = async <Facts>(
  found: Promise<string | null>,
): Promise<Generation<Facts> | undefined> => {
  const text = await found;
  return text === null ? undefined : (JSON.parse(text) as Generation<Facts>);
};

/**
 * Attempts a rebuild in the process that gets the lock; other processes return after a moment. Whatever the outcome, the
 * marker is read again afterwards. `take` sets a key that doesn't exist, for so many milliseconds, and resolves to
 * whether it did.
 */
export const rebuildOnce = async <Facts>(
  options: RebuildOptions<Facts>,
  runId: string,
  take: (key: string, value: string, ms: number) => Promise<boolean>,
): Promise<void> => {
  const { config, onTrouble } = options;
  const lock = gateKeys(config.namespace).lockOf(runId);
  const token = randomBytes(12).toString('base64url');
  if (!(await take(lock, token, LOCK_MS))) return pause(POLL_MS);
  // It doesn't reconnect: either everything written through it is there, or the rebuild fails.
  const inside = connectRedis(config, { once: true, onTrouble });
  const renewal = setInterval(() => {
    renew(inside, [lock], [token, LOCK_MS]).then(
      mine => mine === 1 || inside.disconnect(),
      () => inside.disconnect(),
    );
  }, LOCK_MS / 4);
  try {
    await ready(inside);
    await rebuildLocked(options, inside, { runId, lock, token });
  } finally {
    clearInterval(renewal);
    await unlock(inside, [lock], [token]).catch(() => {});
    inside.disconnect();
  }
};

/** Replaces all our data and then the marker, unless another process did so since the marker was read. */
const rebuildLocked = async <Facts>(
  { config, rebuild }: RebuildOptions<Facts>,
  inside: RedisClient,
  { runId, lock, token }: { runId: string; lock: string; token: string },
): Promise<void> => {
  const { marker, rebuilder } = gateKeys(config.namespace);
  if ((await runIdOf(inside.info('server'))) !== runId) return;
  // Another process may have finished between our read of the marker and our lock.
  if ((await readMarker(inside.get(marker)))?.runId === runId) return;
  // A process that lost the lock without noticing must not write among our writes: kill its connection.
  const previous = await inside.set(rebuilder, `${runId} ${await inside.client('ID')}`, 'GET');
  const [itsRun, itsConnection] = previous?.split(' ') ?? [];
  if (itsRun === runId) await inside.client('KILL', 'ID', itsConnection!);
  await inside.del(marker);
  await drop(inside, keysOf(config.namespace), new Set([lock, rebuilder]));
  const epoch = randomBytes(9).toString('base64url');
  const facts = await rebuild(inside, epoch);
  const generation: Generation<Facts> = { runId, epoch, facts };
  if ((await finish(inside, [lock, marker], [token, JSON.stringify(generation)])) !== 1) {
    throw unavailable('The lock of the rebuild was lost.');
  }
};

const ready = (redis: RedisClient): Promise<void> =>
  new Promise((resolve, reject) => {
    redis.once('ready', resolve);
    redis.once('end', () => reject(unavailable('Redis is unreachable.')));
  });

/** Drops all our keys except the lock and its holder. Never FLUSH: several installations may share the server. */
const drop = async (redis: RedisClient, prefix: string, spared: ReadonlySet<string>): Promise<void> => {
  const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', 1_000);
    cursor = next;
    const ours = keys.filter(key => !spared.has(key));
    if (ours.length > 0) await redis.unlink(...ours);
  } while (cursor !== '0');
};
