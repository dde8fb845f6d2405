import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { connectCluster } from './cluster/cluster-client.ts';
import { type ConnectOptions, connectServer, type RedisConnection } from './connection.ts';

export type { ConnectOptions, RedisConnection } from './connection.ts';

export type RedisClient = Redis;

/**
 * Opens this process's connection to Redis: one server, or every primary of a Redis Cluster
 * (cluster-client.ts). Commands fail in the same ways in both cases: see connection.ts.
 */
export const connectRedis = (config: RedisConnection, options: ConnectOptions = {}): RedisClient =>
  config.redis?.cluster ? connectCluster(config, options) : connectServer(config, options).redis;

export type RedisScript = (
  redis: RedisClient,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/**
 * For scripts that Redis must not refuse when it is out of memory: they free memory, or write what is already
 * in the log.
 */
const EVEN_WHEN_FULL = '#!lua flags=allow-oom\n';

/** Runs a Lua script by its digest; sends the text only to a server that doesn't have it. */
export const redisScript = (script: string, { evenWhenFull = false } = {}): RedisScript => {
  const text = evenWhenFull ? EVEN_WHEN_FULL + script : script;
  const digest = createHash('sha1').update(text).digest('hex');
  return async (redis, keys, values) => {
    try {
      return await redis.evalsha(digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(text, keys.length, ...keys, ...values);
    }
  };
};
