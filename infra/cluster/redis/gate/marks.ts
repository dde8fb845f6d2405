/**
 * Keys that mark every part of a Redis Cluster as holding our data. The marker is in one slot: without these
 * keys nobody would notice that another server was emptied (FLUSHALL), since its process stays the same.
 */
import { Command } from 'ioredis';
import { isCluster } from '../cluster/nodes.ts';
import { keysOf } from '../key-names.ts';
import { type RedisClient, redisScript } from '../redis-client.ts';

const SLOTS = 16_384;
/** The number of parts of the slots; each has one mark, so a server with 511 consecutive slots has one. */
const PARTS = 64;

const set = redisScript(`return redis.call('SET', KEYS[1], ARGV[1])`, { evenWhenFull: true });

/** Returns a hash tag in each part. */
const tagsOf = (): string[] => {
  const found = new Map<number, string>();
  for (let n = 0; found.size < PARTS; n++) {
    const tag = `{:gate:${n}}`;
    const part = Math.floor((new Command('get', [tag]).getSlot() * PARTS) / SLOTS);
    if (!found.has(part)) found.set(part, tag);
  }
  return [...found.values()];
};

let tags: string[] | undefined;

/** Returns the marks; none for a single server, which has the marker. */
const markKeys = (redis: RedisClient, namespace: string): string[] => {
  if (!isCluster(redis)) return [];
  tags ??= tagsOf();
  return tags.map(tag => `${keysOf(namespace)}${tag}:mark`);
};

export const setMarks = async (redis: RedisClient, namespace: string, epoch: string): Promise<void> => {
  await Promise.all(markKeys(redis, namespace).map(key => set(redis, [key], [epoch])));
};

export const hasMarks = async (redis: RedisClient, namespace: string, epoch: string): Promise<boolean> => {
  const found = await Promise.all(markKeys(redis, namespace).map(key => redis.get(key)));
  return found.every(mark => mark === epoch);
};
