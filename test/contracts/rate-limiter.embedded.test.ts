import { describe, expect, it } from 'vitest';
import { makeTokenBuckets } from '../../services/core/token-buckets.ts';
import { describeRateLimiter } from './rate-limiter.contract.ts';

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
