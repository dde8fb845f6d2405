import { ServiceError, unavailable } from '../../../core/errors.ts';
import { intervalOf, makeTokenBuckets } from '../../../core/fairness/token-buckets.ts';
import type { RateLimiter } from '../../../core/ports.ts';
import { within } from '../../../core/timing/within.ts';
import { keysOf, nameInKey } from './key-names.ts';
import { type RedisClient, redisScript } from './redis-client.ts';

/** The longest wait for an answer: the limit must not cost more than the calls it limits. */
const ANSWER_MS = 250;

/**
 * Works like core/fairness/token-buckets.ts, by Redis's clock. KEYS[1]: when the bucket is full again, in
 * microseconds; it expires then. ARGV: the interval of the tokens taken, the time to fill the bucket, and the
 * slack for rounding, in microseconds. Returns -1, or the milliseconds to wait.
 */
const take = redisScript(`
  local clock = redis.call('TIME')
  local time = clock[1] * 1000000 + clock[2]
  local interval, fills, slack = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  -- A clock that was set back must not leave a bucket empty for longer than it takes to fill.
  local full = math.min(math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), time), time + fills + slack)
  local following = full + interval
  local early = following - time - fills
  if early > slack then return math.ceil(early / 1000) end
  local life = math.ceil((following - time) / 1000)
  redis.call('SET', KEYS[1], string.format('%.0f', following), 'PX', string.format('%.0f', life))
  return -1`);

/**
 * Limits calls across all API processes. While Redis is unreachable, slow or full, each process counts by
 * itself: a limit protects working services, so it must neither vanish under overload nor refuse calls that
 * don't need Redis.
 */
export const makeRateLimiter = ({
  redis,
  namespace,
}: {
  redis: RedisClient;
  namespace: string;
}): RateLimiter => {
  const own = makeTokenBuckets();
  const late = (): Error => unavailable('Redis is slow.');
  return {
    take: async (name, rate, count = 1) => {
      const key = `${keysOf(namespace)}rate:${nameInKey(name)}`;
      const values = [count * intervalOf(rate), rate.perMs * 1_000, rate.most];
      try {
        const wait = Number(await within(ANSWER_MS, take(redis, [key], values), late));
        return wait < 0 ? undefined : wait;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return own.take(name, rate, count);
      }
    },
  };
};
