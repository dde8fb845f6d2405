import { type ExpiryCounts, slotsOf } from '../../../core/ports/projection/expiry-counts.ts';
import { keysOfOrganization } from './key-names.ts';
import { type RedisClient, redisScript } from './redis-client.ts';

/** Counts of a day, whatever its clock: the agreed one may stand still for a while. */
const KEPT_MS = 50 * 3_600_000;

const SUM = `
  local sum = 0
  local counts = redis.call('HGETALL', KEYS[1])
  for i = 1, #counts, 2 do
    if tonumber(counts[i]) >= tonumber(ARGV[1]) then sum = sum + tonumber(counts[i + 1])
    else redis.call('HDEL', KEYS[1], counts[i]) end
  end`;

/** KEYS[1]: a hash, hour -> count. ARGV: the first hour that counts. */
const taken = redisScript(`${SUM}
  return sum`);

/** ARGV: also the hour, the most, and how long the hash is kept. Returns whether one was counted. */
const take = redisScript(`${SUM}
  if sum >= tonumber(ARGV[3]) then return 0 end
  redis.call('HINCRBY', KEYS[1], ARGV[2], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return 1`);

/** Counts in Redis, for all processes. A Redis that was wiped begins another day. */
export const makeExpiryCounts = ({
  redis,
  namespace,
}: {
  redis: RedisClient;
  namespace: string;
}): ExpiryCounts => {
  const keyOf = (org: string): string => `${keysOfOrganization(namespace, org)}expiries`;
  return {
    taken: async (org, at) => Number(await taken(redis, [keyOf(org)], [slotsOf(at).since])),
    take: async (org, most, at) => {
      const { slot, since } = slotsOf(at);
      return (await take(redis, [keyOf(org)], [since, slot, most, KEPT_MS])) === 1;
    },
  };
};
