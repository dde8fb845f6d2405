import { describe, expect, it } from 'vitest';
import { makeTokenBuckets } from '../../core/fairness/token-buckets.ts';
import { makeRateLimiter } from '../../infra/cluster/redis/rate-limiter.ts';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { makeNamespaces, redisKeys } from '../support/engines/redis.ts';
import { pause, until } from '../support/wait.ts';
import { describeRateLimiter } from './rate-limiter.contract.ts';

describeInBothModes('rate limiter', {
  embedded: () => {
    describe('rate limits in memory', () => {
      describeRateLimiter(async () => {
        let now = 0;
        const one = makeTokenBuckets(() => now);
        const pass = async (ms: number): Promise<void> => {
          now += ms;
        };
        return { one, another: one, pass };
      });

      it('forgets names that were not used for longest, and stays bounded', async () => {
        let now = 0;
        const buckets = makeTokenBuckets(() => now);
        const rate = { most: 1, perMs: 1_000 };
        await buckets.take('used', rate);
        for (let i = 0; i < 300_000; i++) {
          await buckets.take(`name ${i}`, rate);
          if (i % 10_000 === 0) expect(await buckets.take('used', rate)).toBe(1_000);
        }
        // The first ones had to go, the last ones are still counted.
        expect(await buckets.take('name 299999', rate)).toBe(1_000);
        expect(await buckets.take('name 0', rate)).toBeUndefined();
        now += 1_000;
        expect(await buckets.take('name 299999', rate)).toBeUndefined();
      });
    });
  },
  cluster: () => {
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
  },
});
