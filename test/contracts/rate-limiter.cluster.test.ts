import { expect, it } from 'vitest';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/client.ts';
import { makeRateLimiter } from '../../infra/cluster/redis/rate-limiter.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { makeNamespaces, redisKeys } from '../support/redis.ts';
import { pause, until } from '../support/wait.ts';
import { describeRateLimiter } from './rate-limiter.contract.ts';

describeOnEngines('rate limits in Redis', () => {
  const config = clusterConfig();
  let redis: RedisClient;
  const newNamespace = makeNamespaces(config, opened => {
    redis = opened;
  });

  describeRateLimiter(async () => {
    const namespace = newNamespace();
    const limiter = () => makeRateLimiter({ redis, namespace });
    return { one: limiter(), another: limiter(), pass: pause };
  });

  it('keeps nothing of a bucket that is full again', async () => {
    const namespace = newNamespace();
    const { take } = makeRateLimiter({ redis, namespace });
    await Promise.all(Array.from({ length: 50 }, (_, i) => take(`name ${i}`, { most: 1, perMs: 4_000 })));
    expect(await redisKeys(redis, namespace)).toHaveLength(50);
    await until('they expire', async () => (await redisKeys(redis, namespace)).length === 0, 15_000);
  });

  it('counts in its process while Redis is unreachable, at once, and in Redis again afterwards', async () => {
    let isOpen = true;
    const mine = connectRedis(config, { isOpen: () => isOpen });
    await new Promise<void>(resolve => mine.once('ready', resolve));
    const { take } = makeRateLimiter({ redis: mine, namespace: newNamespace() });
    const rate = { most: 2, perMs: 3_600_000 };
    expect([await take('a', rate), await take('a', rate)]).toEqual([undefined, undefined]);
    expect(await take('a', rate)).toBeGreaterThan(0);
    isOpen = false;
    // Neither open nor closed: as many again, by its own count.
    expect([await take('a', rate), await take('a', rate)]).toEqual([undefined, undefined]);
    expect(await take('a', rate)).toBeGreaterThan(0);
    isOpen = true;
    expect(await take('b', rate)).toBeUndefined();
    expect(await take('a', rate)).toBeGreaterThan(0);
    mine.disconnect();
  });
});
