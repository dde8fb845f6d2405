import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../services/core/errors.ts';
import { connectRedis, EVEN_WHEN_FULL, type RedisClient } from './client.ts';
import {
  type Generation,
  gateKeys,
  type RebuildOptions,
  readMarker,
  rebuildOnce,
  runIdOf,
  unfitBy,
} from './gate-rebuild.ts';

const RETRY_MS = 500;
const WATCH_MS = 1_000;
/** One command, in a full Redis too. */
const TAKE = `${EVEN_WHEN_FULL}return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') and 1 or 0`;

export interface RedisGate<Facts> {
  /** Its commands throw `unavailable` while the gate is closed. */
  redis: RedisClient;
  /** Throws `unavailable` while the gate is closed. */
  generation(): Generation<Facts>;
  /** Throws `unavailable`, and closes the gate, when Redis no longer holds this generation or may delete some of it. */
  confirm(): Promise<void>;
  isOpen(): boolean;
  /** When the gate was last closed, on the clock of `performance.now()`. */
  closedAt(): number;
  /** Resolves when the gate is open. */
  opened(): Promise<void>;
  close(): void;
}

/**
 * A connection to Redis that is open only while Redis agrees with the log, and deletes nothing of its own accord. On each new connection the server's run id is
 * compared with our marker. While they differ (Redis was wiped, or restarted without its last second), one process
 * repairs or rebuilds all our data under a lock, the others wait for its marker, and no command passes.
 *
 * No earlier command can slip through: commands sent on the old connection end with it, since the client never resends.
 * The gate closes with the connection and opens only for the one on which run id and marker were read. If the marker
 * vanishes but the connection stays (a FLUSHALL, a failover behind an address), or Redis gets a `maxmemory-policy` that
 * evicts, the watch closes the gate within a second, and admission is fenced at every step, since its scripts compare the epoch.
 */
export const openRedis = <Facts>(options: RebuildOptions<Facts>): RedisGate<Facts> => {
  const { config, onTrouble } = options;
  const { marker } = gateKeys(config.namespace);

  let current: Generation<Facts> | undefined;
  /** Counts connections made and lost: a task that awaited during such a change starts over. */
  let connection = 0;
  let passing = false;
  let closedAt = 0;
  let closed = false;
  let waiting: (() => void)[] = [];
  let unfit: string | undefined;

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
  /** Throws when Redis may delete what is still needed. */
  const assertFit = async (): Promise<void> => {
    unfit = unfitBy(await pass(() => redis.info('memory')));
    if (unfit !== undefined) throw unavailable(unfit);
  };
  const findMarker = () => readMarker<Facts>(pass(() => redis.get(marker)));
  const take = async (key: string, value: string, ms: number): Promise<boolean> =>
    (await pass(() => redis.eval(TAKE, 1, key, value, ms))) === 1;

  const enter = async (): Promise<void> => {
    const mine = ++connection;
    while (!closed && mine === connection) {
      try {
        await assertFit();
        const runId = await runIdOf(pass(() => redis.info('server')));
        const found = await findMarker();
        if (found?.runId !== runId) await rebuildOnce(options, runId, take);
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
    if (!current) throw unavailable(unfit ?? 'Redis is being rebuilt from the log.', undefined, 2);
    return current;
  };
  const confirm = async (): Promise<void> => {
    const { epoch } = generation();
    const before = connection;
    const [found] = await Promise.all([findMarker(), assertFit().catch(() => {})]);
    if (before !== connection || (found?.epoch === epoch && unfit === undefined)) return;
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
