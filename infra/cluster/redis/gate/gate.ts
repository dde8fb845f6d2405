import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../../core/errors.ts';
import { connectRedis, type RedisClient } from '../redis-client.ts';
import {
  admitNewcomers,
  type Found,
  findGeneration,
  type Generation,
  gateKeys,
  type RebuildOptions,
  rebuildOnce,
} from './gate-rebuild.ts';
import { connectionsOf, isOutdated, noteConnections } from './members.ts';

const RETRY_MS = 500;
const WATCH_MS = 1_000;

export interface RedisGate<Facts> {
  /** Its commands throw `unavailable` while the gate is closed. */
  redis: RedisClient;
  /** Throws `unavailable` while the gate is closed. */
  generation(): Generation<Facts>;
  /**
   * Throws `unavailable` and closes the gate if Redis no longer holds this generation or may delete some of
   * it.
   */
  confirm(): Promise<void>;
  isOpen(): boolean;
  /** When the gate was last closed, on the clock of `performance.now()`. */
  closedAt(): number;
  /** Resolves when the gate is open. */
  opened(): Promise<void>;
  close(): void;
}

/** Returns the same client, with its commands sent through `wrap`. */
const wrapped = (redis: RedisClient, wrap: (send: () => unknown) => unknown): RedisClient =>
  Object.create(redis, {
    sendCommand: {
      value: (...command: Parameters<RedisClient['sendCommand']>) =>
        wrap(() => redis.sendCommand(...command)),
    },
  }) as RedisClient;

/**
 * Opens a connection to Redis that passes commands only while Redis agrees with the log, and deletes nothing
 * of its own accord. On each new connection the run ids of all servers that take writes are compared with our
 * marker. While they differ (Redis was wiped, or restarted without its last second), one process repairs or
 * rebuilds all our data under a lock, the others wait for its marker, and no command passes.
 *
 * No earlier command can slip through: commands sent on the old connection end with it, since the client
 * never resends. The gate closes with the connection and opens only for the one on which run ids and marker
 * were read. Commands still on their way to a server that was not lost end with their connection too: each
 * process notes its own before it opens, and a rebuild ends all of them. If the marker vanishes but the
 * connection stays (a FLUSHALL, a failover behind an address), or Redis gets a `maxmemory-policy` that
 * evicts, the watch closes the gate within a second, and admission is fenced at every step, since its scripts
 * compare the epoch.
 */
export const openRedis = <Facts>(options: RebuildOptions<Facts>): RedisGate<Facts> => {
  const { config, onTrouble } = options;
  const { namespace } = config;

  let current: Generation<Facts> | undefined;
  /** Counts connections made and lost: a task that awaited during such a change starts over. */
  let connection = 0;
  let passing = false;
  let closedAt = 0;
  let closed = false;
  let waiting: (() => void)[] = [];
  /** The reason why no command passes, if it isn't a rebuild. */
  let unfit: string | undefined;
  let outage: string | undefined;
  /** This process's connections, as the other processes find them. */
  let connections = '';

  const redis = connectRedis(config, {
    isOpen: () => current !== undefined || passing,
    onTrouble: error => {
      outage = error instanceof Error ? error.message : undefined;
      onTrouble(error);
    },
  });
  /** The client for the gate's own commands. */
  const own = wrapped(redis, send => {
    passing = true;
    try {
      return send();
    } finally {
      passing = false;
    }
  });
  const look = async (): Promise<Found<Facts>> => {
    const found = await findGeneration<Facts>(own, namespace);
    unfit = found.members.find(member => member.unfit !== undefined)?.unfit;
    return found;
  };
  const note = (): Promise<void> => noteConnections(own, gateKeys(namespace).connections, connections);

  const enter = async (): Promise<void> => {
    outage = undefined;
    const mine = ++connection;
    connections = '';
    while (!closed && mine === connection) {
      try {
        connections ||= await connectionsOf(own, (await look()).members);
        // Before the marker is read: a rebuild removes the marker and then ends all connections that are
        // noted.
        await note();
        const found = await look();
        if (unfit !== undefined) throw unavailable(unfit);
        if (isOutdated(own, found.members)) {
          await pause(RETRY_MS);
          if (mine === connection) redis.disconnect(true);
          return;
        }
        if (!found.isWhole) await rebuildOnce(options, own, found, connections);
        else if (mine === connection && redis.status === 'ready') {
          current = found.generation;
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
    if (!current) throw unavailable(unfit ?? outage ?? 'Redis is being rebuilt from the log.', undefined, 2);
    return current;
  };
  let looking: Promise<Found<Facts>> | undefined;
  /** Starts a look after this call; calls of the same moment share it. */
  const lookSoon = (): Promise<Found<Facts>> => {
    looking ??= Promise.resolve().then(() => {
      looking = undefined;
      return look();
    });
    return looking;
  };
  const confirm = async (): Promise<Found<Facts> | undefined> => {
    const { epoch } = generation();
    const before = connection;
    const found = await lookSoon();
    if (before !== connection) return undefined;
    const isSame = found.isWhole && found.generation?.epoch === epoch;
    if (isSame && unfit === undefined && !isOutdated(own, found.members)) return found;
    shut();
    // Reconnect, since this connection has let calls through.
    redis.disconnect(true);
    generation();
    return undefined;
  };
  const watchOnce = async (): Promise<void> => {
    const found = await confirm();
    if (!found) return;
    await note();
    await admitNewcomers(own, namespace, found);
  };
  const watch = setInterval(() => {
    if (current) watchOnce().catch(onTrouble);
  }, WATCH_MS).unref();

  return {
    redis,
    generation,
    confirm: async () => void (await confirm()),
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
