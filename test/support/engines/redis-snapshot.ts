/** The state that a Redis may come back with when it restarts: everything as it was at one moment. */

import { keysOf } from '../../../infra/cluster/redis/key-names.ts';
import type { RedisClient } from '../../../infra/cluster/redis/redis-client.ts';

const COPIES = 'saved:';

/** Keeps a copy of every key of the namespace, with its expiry, in place of the copies before. */
export const saveKeys = async (redis: RedisClient, namespace: string): Promise<void> => {
  await redis.eval(
    `for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ARGV[2] .. '*')) do redis.call('DEL', key) end
    for _, key in ipairs(redis.call('KEYS', ARGV[2] .. '*')) do redis.call('COPY', key, ARGV[1] .. key) end`,
    0,
    COPIES,
    keysOf(namespace),
  );
};

/** Puts the copies in the place of the keys, in one step with `script`, whose arguments begin at ARGV[3]. */
export const bringBack = async (
  redis: Pick<RedisClient, 'eval'>,
  namespace: string,
  script = '',
  ...values: string[]
): Promise<void> => {
  await redis.eval(
    `for _, key in ipairs(redis.call('KEYS', ARGV[2] .. '*')) do redis.call('DEL', key) end
    for _, key in ipairs(redis.call('KEYS', ARGV[1] .. ARGV[2] .. '*')) do
      redis.call('COPY', key, string.sub(key, #ARGV[1] + 1))
    end
    ${script}`,
    0,
    COPIES,
    keysOf(namespace),
    ...values,
  );
};

export const dropSaved = async (redis: RedisClient, namespace: string): Promise<void> => {
  const keys = await redis.keys(`${COPIES}${keysOf(namespace)}*`);
  await Promise.all(keys.map(key => redis.unlink(key)));
};
