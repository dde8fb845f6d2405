import type { Partition } from '../../../core/log/positions.ts';
import type { BegunErasure, BegunErasures } from '../../../core/ports.ts';
import { scopeDigest } from '../../../domain/identity/identity.ts';
import { keysOfOrganization } from './key-names.ts';
import { type RedisClient, redisScript } from './redis-client.ts';

/** Longer than anybody repeats a call. */
const KEPT_MS = 86_400_000;

/** A full Redis refuses no erasure. */
const keep = redisScript("return redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])", { evenWhenFull: true });

/** Keeps them in Redis. One that was wiped has forgotten them. */
export const makeBegunErasures = ({
  redis,
  namespace,
}: {
  redis: RedisClient;
  namespace: string;
}): BegunErasures => {
  // An erased name is kept nowhere.
  const keyOf = ({ org, user, session }: BegunErasure): string =>
    `${keysOfOrganization(namespace, org)}erasure:${scopeDigest(session === undefined ? [org, user] : [org, user, session])}`;
  return {
    begin: async (scope, partitions) => {
      await keep(redis, [keyOf(scope)], [JSON.stringify(partitions), KEPT_MS]);
    },
    begun: async scope => JSON.parse((await redis.get(keyOf(scope))) ?? '[]') as Partition[],
    end: async scope => {
      await redis.del(keyOf(scope));
    },
  };
};
