/** The buckets of an organization's claims in Redis, as lua/shared/claims.lua keeps them. */
import type { RedisClient } from '../../../infra/cluster/redis/redis-client.ts';

export interface Bucket {
  /** Days from 1970 on the server's clock. */
  day: number;
  key: string;
  /** The claims in it that `days` counts as kept. */
  kept: number;
  /** Unix milliseconds. */
  ends: number;
  /** By turn id. */
  claims: Record<string, string>;
}

/** @param prefix the beginning of the organization's keys */
export const bucketsOf = async (redis: RedisClient, prefix: string): Promise<Bucket[]> => {
  const days = Object.entries(await redis.hgetall(`${prefix}days`));
  return Promise.all(
    days.map(async ([day, text]) => {
      const [kept, ends] = text.split(' ').map(Number) as [number, number];
      const key = `${prefix}c:${day}`;
      return { day: Number(day), key, kept, ends, claims: await redis.hgetall(key) };
    }),
  );
};

const MOVE = `local prefix, from, to = KEYS[1], ARGV[1], ARGV[2]
local text = redis.call('HGET', prefix .. 'days', from)
if not text or redis.call('HEXISTS', prefix .. 'days', to) == 1 then return 0 end
if redis.call('EXISTS', prefix .. 'c:' .. from) == 1 then
  redis.call('RENAME', prefix .. 'c:' .. from, prefix .. 'c:' .. to)
end
local kept, ends = string.match(text, '(%d+) (%d+)')
redis.call('HDEL', prefix .. 'days', from)
redis.call('HSET', prefix .. 'days', to, kept .. ' ' .. string.format('%d', ends + (to - from) * 86400000))
return 1`;

/**
 * Makes a bucket one of another day, as if its claims had been made then. Changes nothing where that day has
 * one.
 */
export const moveBucket = async (
  redis: RedisClient,
  prefix: string,
  { day }: Pick<Bucket, 'day'>,
  by: { days: number },
): Promise<void> => void (await redis.eval(MOVE, 1, prefix, day, day + by.days));

/** Drops the claims of turns, as if their time were over. */
export const dropClaims = async (
  redis: RedisClient,
  prefix: string,
  ids: readonly string[],
): Promise<void> => {
  for (const { key } of await bucketsOf(redis, prefix)) await redis.hdel(key, ...ids);
};
