import type { FailureCounter } from '../../../core/ports.ts';
import { keysOf, nameInKey } from './key-names.ts';
import { type RedisClient, redisScript } from './redis-client.ts';

const WINDOW_MS = 60_000;

/**
 * KEYS[1]: the name's count; ARGV: the limit, the window in milliseconds. Returns -1 below the limit, else
 * the remaining time of the window.
 */
const count = redisScript(`
  local failures = tonumber(redis.call('GET', KEYS[1]) or '0')
  if failures >= tonumber(ARGV[1]) then return redis.call('PTTL', KEYS[1]) end
  if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return -1`);

/** Counts refused API keys for all API processes, in windows that start with a name's first failure. */
export const makeFailureCounter = ({
  redis,
  namespace,
}: {
  redis: RedisClient;
  namespace: string;
}): FailureCounter => {
  const keyOf = (name: string): string => `${keysOf(namespace)}failures:${nameInKey(name)}`;
  return {
    add: async (name, most) => {
      const left = Number(await count(redis, [keyOf(name)], [most, WINDOW_MS]));
      return left < 0 ? undefined : left;
    },
  };
};
