import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { isOutage, unavailable } from '../../../services/core/errors.ts';
import { connectRedis, type RedisClient, type RedisPlace, redisScript } from './client.ts';
import { keysOf } from './names.ts';

/** How long a process that dies during a rebuild can block the others. */
const LOCK_MS = 5_000;
const POLL_MS = 100;

/** Identifies our data in Redis since the last rebuild. */
export interface Generation<Facts> {
  /** The run id of the server process that held them last, and agreed with the log. It changes with every start. */
  runId: string;
  /** Identifies the rebuild; a repair keeps it. */
  epoch: string;
  /** Changes with each rebuild and each repair: either may forget what nobody had appended. Former releases have none. */
  version?: string;
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
  /**
   * Brings the data that Redis came back with up to the log, through a connection that bypasses the gate. Resolves to false
   * when that can't be done, so that everything is rebuilt. It may be interrupted anywhere, and is then called again.
   */
  repair?: (inside: RedisClient, before: Generation<Facts>) => Promise<boolean>;
  /** Called with errors that are retried. */
  onTrouble: (error: unknown) => void;
}

/** A full Redis is repaired and rebuilt too: nobody could drain it before. */
const EVEN_WHEN_FULL = { evenWhenFull: true };

const ifMine = (then: string) =>
  redisScript(
    `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end\n${then}\nreturn 1`,
    EVEN_WHEN_FULL,
  );
const renew = ifMine(`redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const unlock = ifMine(`redis.call('DEL', KEYS[1])`);
const finish = ifMine(`redis.call('SET', KEYS[2], ARGV[2]) redis.call('DEL', KEYS[1])`);
/** Returns the value that it replaces. */
const replace = redisScript(`return redis.call('SET', KEYS[1], ARGV[1], 'GET')`, EVEN_WHEN_FULL);

/**
 * Marker, checkpoint, rebuilder and lock, all in one slot whose hash tag is no organization's. The lock contains the run id: a server
 * that died during a rebuild and restarted with the lock is another run, for which the lock is void.
 */
export const gateKeys = (namespace: string) => {
  const tagged = `${keysOf(namespace)}{:gate}:`;
  return {
    marker: `${tagged}marker`,
    checkpoint: `${tagged}checkpoint`,
    /** Who writes the next checkpoint. */
    turn: `${tagged}turn`,
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
 * Attempts a repair or a rebuild in the process that gets the lock; other processes return after a moment. Whatever the outcome, the
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

/** Repairs or replaces all our data and then the marker, unless another process did so since the marker was read. */
const rebuildLocked = async <Facts>(
  options: RebuildOptions<Facts>,
  inside: RedisClient,
  { runId, lock, token }: { runId: string; lock: string; token: string },
): Promise<void> => {
  const { marker, rebuilder } = gateKeys(options.config.namespace);
  if ((await runIdOf(inside.info('server'))) !== runId) return;
  // Another process may have finished between our read of the marker and our lock.
  const found = await readMarker<Facts>(inside.get(marker));
  if (found?.runId === runId) return;
  // A process that lost the lock without noticing must not write among our writes: kill its connection.
  const previous = await replace(inside, [rebuilder], [`${runId} ${await inside.client('ID')}`]);
  const [itsRun, itsConnection] = String(previous ?? '').split(' ');
  if (itsRun === runId) await inside.client('KILL', 'ID', itsConnection!);
  // Without a marker Redis was wiped, or a rebuild was interrupted.
  const isRepaired = found !== undefined && (await isRepairedBy(options, inside, found));
  const made = isRepaired ? found : await replaceAll(options, inside, new Set([lock, rebuilder]));
  const generation: Generation<Facts> = { ...made, runId, version: newId() };
  if ((await finish(inside, [lock, marker], [token, JSON.stringify(generation)])) !== 1) {
    throw unavailable('The lock of the rebuild was lost.');
  }
};

/** An outage says nothing about the data: it is tried again. After any other fault nothing of them is trusted. */
const isRepairedBy = async <Facts>(
  { repair, onTrouble }: RebuildOptions<Facts>,
  inside: RedisClient,
  before: Generation<Facts>,
): Promise<boolean> => {
  if (!repair) return false;
  try {
    return await repair(inside, before);
  } catch (error) {
    if (isOutage(error)) throw error;
    onTrouble(error);
    return false;
  }
};

const replaceAll = async <Facts>(
  { config, rebuild }: RebuildOptions<Facts>,
  inside: RedisClient,
  spared: ReadonlySet<string>,
): Promise<Omit<Generation<Facts>, 'runId'>> => {
  await inside.del(gateKeys(config.namespace).marker);
  await drop(inside, keysOf(config.namespace), spared);
  const epoch = newId();
  return { epoch, facts: await rebuild(inside, epoch) };
};

const newId = (): string => randomBytes(9).toString('base64url');

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
