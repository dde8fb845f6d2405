import { Redis } from 'ioredis';
import type { ClusterConfig } from '../../schemas/config.ts';

export type RedisClient = Redis;

/** One connection of this process; commands fail at once while there is none. */
export const connectRedis = (config: Pick<ClusterConfig, 'redisUrl'>): RedisClient =>
  new Redis(config.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
