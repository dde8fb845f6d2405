import { expect, it } from 'vitest';
import { makeTokenBuckets } from '../../../../core/fairness/token-buckets.ts';

it('token buckets stay small, however many names are counted', async () => {
  const buckets = makeTokenBuckets(() => 0);
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 300_000; i++) await buckets.take(`name ${i}`, { most: 1, perMs: 1_000 });
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1024 * 1024);
});
