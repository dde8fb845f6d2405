import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { unavailable } from '../../../services/core/errors.ts';
import { connectRedis, type RedisClient, redisScript } from './client.ts';
import { keysOf } from './names.ts';

/** A process that dies during a rebuild blocks the others for no longer. */
const LOCK_MS = 5_000;
const POLL_MS = 100;
const RETRY_MS = 500;
const WATCH_MS = 1_000;

/** Identifies our data in Redis since the last rebuild. */
export interface Generation<Facts> {
  /** Of the server process: it changes with every start. */
  runId: string;
  /** Names the rebuild. */
  epoch: string;
  /** What the rebuild passes to every process. */
  facts: Facts;
}

export interface RedisGate<Facts> {
  /** Its commands are `unavailable` while the gate is closed. */
  redis: RedisClient;
  /** Throws `unavailable` while the gate is closed. */
  generation(): Generation<Facts>;
  /** Throws `unavailable`, and closes the gate, when Redis no longer holds this generation. */
  confirm(): Promise<void>;
  isOpen(): boolean;
  /** When the gate was last closed, by `performance.now()`. */
  closedAt(): number;
  /** Resolves when the gate is open. */
  opened(): Promise<void>;
  close(): void;
}

export interface RedisGateOptions<Facts> {
  config: Pick<ClusterConfig, 'redisUrl' | 'namespace'>;
  /**
   * Writes all our data from the log, after the old data was dropped, through a connection that bypasses the gate. When it
   * rejects, the whole rebuild is repeated. Its result must survive JSON.
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
 * Marker, rebuilder and lock, all in one slot whose tag is no organization's. The lock names the run: a server that died
 * during a rebuild and restarted with the lock is another run, for which the lock is void.
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

const ready = (redis: RedisClient): Promise<void> =>
  new Promise((resolve, reject) => {
    redis.once('ready', resolve);
    redis.once('end', () => reject(unavailable('Redis is unreachable.')));
  });

/** Drops all our keys but the lock and its holder. Never FLUSH: several installations may share the server. */
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

/**
 * A connection to Redis that is open only while Redis agrees with the log. On each new connection the server's run id is
 * compared with our marker. While they differ (Redis was wiped, or restarted without its last second) one process
 * rebuilds all our data under a lock, the others wait for its marker, and no command passes.
 *
 * No earlier command slips through: what was sent on the old connection ends with it, since the client never resends.
 * The gate closes with the connection and opens only for the one on which run id and marker were read. If the marker
 * vanishes but the connection stays (a FLUSHALL, a failover behind an address), the watch closes the gate within a
 * second, and admission is fenced at every step, since its scripts compare the epoch.
 */
export const openRedis = <Facts>({
  config,
  rebuild,
  onTrouble,
}: RedisGateOptions<Facts>): RedisGate<Facts> => {
  const prefix = keysOf(config.namespace);
  const { marker, rebuilder, lockOf } = gateKeys(config.namespace);

  let current: Generation<Facts> | undefined;
  /** Counts connections made and lost: a task that awaited across one starts over. */
  let connection = 0;
  let passing = false;
  let closedAt = 0;
  let closed = false;
  let waiting: (() => void)[] = [];

  const redis = connectRedis(config, { isOpen: () => current !== undefined || passing, onTrouble });
  /** Sends a command of the gate itself, synchronously. */
  const pass = <T>(command: () => T): T => {
    passing = true;
    try {
      return command();
    } finally {
      passing = false;
    }
  };

  const readMarker = async (): Promise<Generation<Facts> | undefined> => {
    const text = await pass(() => redis.get(marker));
    return text === null ? undefined : (JSON.parse(text) as Generation<Facts>);
  };

  /** One attempt, by the process that gets the lock. Whatever its outcome, the marker is read again afterwards. */
  const rebuildOnce = async (runId: string): Promise<void> => {
    const lock = lockOf(runId);
    const token = randomBytes(12).toString('base64url');
    const locked = await pass(() => redis.set(lock, token, 'PX', LOCK_MS, 'NX'));
    if (locked !== 'OK') {
      await pause(POLL_MS);
      return;
    }
    // Doesn't reconnect: either everything written through it is there, or the rebuild fails.
    const inside = connectRedis(config, { once: true, onTrouble });
    const renewal = setInterval(() => {
      renew(inside, [lock], [token, LOCK_MS]).then(
        mine => mine === 1 || inside.disconnect(),
        () => inside.disconnect(),
      );
    }, LOCK_MS / 4);
    try {
      await ready(inside);
      if ((await runIdOf(inside.info('server'))) !== runId) return;
      // Another process may have finished between our read of the marker and the lock.
      const done = await inside.get(marker);
      if (done !== null && (JSON.parse(done) as Generation<Facts>).runId === runId) return;
      // A process that lost the lock unknowingly must not write among our writes: kill its connection.
      const previous = await inside.set(rebuilder, `${runId} ${await inside.client('ID')}`, 'GET');
      const [itsRun, itsConnection] = previous?.split(' ') ?? [];
      if (itsRun === runId) await inside.client('KILL', 'ID', itsConnection!);
      await inside.del(marker);
      await drop(inside, prefix, new Set([lock, rebuilder]));
      const epoch = randomBytes(9).toString('base64url');
      const facts = await rebuild(inside, epoch);
      const generation: Generation<Facts> = { runId, epoch, facts };
      if ((await finish(inside, [lock, marker], [token, JSON.stringify(generation)])) !== 1) {
        throw unavailable('The lock of the rebuild was lost.');
      }
    } finally {
      clearInterval(renewal);
      await unlock(inside, [lock], [token]).catch(() => {});
      inside.disconnect();
    }
  };

  const enter = async (): Promise<void> => {
    const mine = ++connection;
    while (!closed && mine === connection) {
      try {
        const runId = await runIdOf(pass(() => redis.info('server')));
        const found = await readMarker();
        if (found?.runId !== runId) await rebuildOnce(runId);
        else if (mine === connection && redis.status === 'ready') {
          current = found;
          for (const wake of waiting.splice(0)) wake();
          return;
        }
      } catch (error) {
        if (mine !== connection || closed) return;
        onTrouble(error);
        await pause(RETRY_MS);
      }
    }
  };

  const shut = (): void => {
    if (current) closedAt = performance.now();
    current = undefined;
    connection += 1;
  };

  redis.on('close', shut);
  redis.on('ready', () => void enter());

  const generation = (): Generation<Facts> => {
    if (!current) throw unavailable('Redis is being rebuilt from the log.', undefined, 2);
    return current;
  };
  const confirm = async (): Promise<void> => {
    const { epoch } = generation();
    const before = connection;
    const found = await readMarker();
    if (before !== connection || found?.epoch === epoch) return;
    shut();
    void enter();
    generation();
  };
  const watch = setInterval(() => {
    if (current) confirm().catch(onTrouble);
  }, WATCH_MS).unref();

  return {
    redis,
    generation,
    confirm,
    isOpen: () => current !== undefined,
    closedAt: () => closedAt,
    opened: () => (current ? Promise.resolve() : new Promise(resolve => waiting.push(resolve))),
    close: () => {
      closed = true;
      shut();
      waiting = [];
      clearInterval(watch);
      redis.disconnect();
    },
  };
};
