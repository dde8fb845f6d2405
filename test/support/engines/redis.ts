import { afterAll, beforeAll } from 'vitest';
import { nodesOf } from '../../../infra/cluster/redis/cluster/nodes.ts';
import { keysOf } from '../../../infra/cluster/redis/key-names.ts';
import {
  connectRedis,
  type RedisClient,
  type RedisConnection,
} from '../../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';

/** A connection that is ready. */
export const openTestRedis = async (config: RedisConnection): Promise<RedisClient> => {
  const redis = connectRedis(config);
  await new Promise<void>(resolve => redis.once('ready', resolve));
  return redis;
};

/** The keys of a namespace. */
export const redisKeys = async (redis: RedisClient, namespace: string): Promise<string[]> => {
  const found: string[] = [];
  for (const node of nodesOf(redis).all) {
    let cursor = '0';
    do {
      const [next, keys] = await node.redis.scan(cursor, 'MATCH', `${keysOf(namespace)}*`, 'COUNT', 1_000);
      found.push(...keys);
      cursor = next;
    } while (cursor !== '0');
  }
  return [...new Set(found)].sort();
};

/** As a wipe of the server would: the other namespaces are others'. */
export const dropRedisKeys = async (redis: RedisClient, namespace: string): Promise<void> => {
  const keys = await redisKeys(redis, namespace);
  // One by one: they may be in several slots of a Redis Cluster.
  await Promise.all(keys.map(key => redis.unlink(key)));
};

/**
 * For a suite: a connection, told to `use` when it is ready, and namespaces that are emptied when the suite
 * is done.
 */
export const makeNamespaces = (
  config: RedisConnection & Pick<ClusterConfig, 'namespace'>,
  use: (redis: RedisClient) => void,
): (() => string) => {
  const namespaces: string[] = [];
  let redis: RedisClient;
  beforeAll(async () => {
    redis = await openTestRedis(config);
    use(redis);
  });
  afterAll(async () => {
    for (const each of namespaces) await dropRedisKeys(redis, each);
    redis.disconnect();
  });
  return () => {
    namespaces.push(`${config.namespace}-${namespaces.length}`);
    return namespaces.at(-1)!;
  };
};

/** Everything that the namespace holds, whatever its type. */
export const redisContents = async (
  redis: RedisClient,
  namespace: string,
): Promise<Record<string, unknown>> => {
  const contents: Record<string, unknown> = {};
  for (const key of await redisKeys(redis, namespace)) {
    const type = await redis.type(key);
    if (type === 'string') contents[key] = await redis.get(key);
    else if (type === 'hash') contents[key] = await redis.hgetall(key);
    else if (type === 'zset') contents[key] = await redis.zrange(key, '0', '-1', 'WITHSCORES');
    else contents[key] = (await redis.smembers(key)).sort();
  }
  return contents;
};

/**
 * The connection of a process that dies: from the moment that `dies` says so of a command, it and every later
 * one is refused, unsent.
 */
export const mortal = (redis: RedisClient, dies: (command: string) => boolean): RedisClient => {
  let dead = false;
  return new Proxy(redis, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        dead ||= dies(String(name));
        if (dead) return Promise.reject(new Error('the process is dead'));
        return value.apply(target, values);
      };
    },
  });
};
