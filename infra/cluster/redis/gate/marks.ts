/**
 * Keys that say in every part of a Redis Cluster that it holds our data. The marker is in one slot: without them nobody would notice that
 * another server was emptied (FLUSHALL), as its process stays the same.
 */
import { Command } from 'ioredis';
import { type RedisClient, redisScript } from '../client.ts';
import { isCluster } from '../cluster/nodes.ts';
import { keysOf } from '../names.ts';

const SLOTS = 16_384;
/** One in so many parts of the slots: whoever serves 511 slots in a row has one. */
const PARTS = 64;

const set = redisScript(`return redis.call('SET', KEYS[1], ARGV[1])`, { evenWhenFull: true });

/** A hash tag in each part. */
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

/** None for a server alone: it has the marker. */
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
