import { expect, it } from 'vitest';
import type { RateLimiter } from '../../core/ports.ts';

/**
 * The contract of every adapter of the port; `open` returns limiters that share their counts, and lets their
 * time pass.
 */
export const describeRateLimiter = (
  open: () => Promise<{
    one: RateLimiter;
    another: RateLimiter;
    pass: (ms: number) => Promise<unknown>;
  }>,
): void => {
  const HOUR = { most: 30, perMs: 3_600_000 };

  it('grants a full bucket at once, however many ask together and wherever, and nothing beyond', async () => {
    const { one, another } = await open();
    const waits = await Promise.all(
      Array.from({ length: 90 }, (_, i) => (i % 2 ? one : another).take('a', HOUR)),
    );
    expect(waits.filter(wait => wait === undefined)).toHaveLength(30);
    for (const wait of waits.filter(wait => wait !== undefined)) {
      // The next one flows in after a thirtieth of the hour.
      expect(wait).toBeGreaterThan(115_000);
      expect(wait).toBeLessThanOrEqual(120_000);
    }
  });

  it('takes many at once, or none of them', async () => {
    const { one, another } = await open();
    expect(await one.take('a', HOUR, 20)).toBeUndefined();
    const wait = await another.take('a', HOUR, 20);
    expect(wait).toBeGreaterThan(1_150_000);
    expect(wait).toBeLessThanOrEqual(1_200_000);
    expect(await another.take('a', HOUR, 10)).toBeUndefined();
    expect(await one.take('a', HOUR)).toBeGreaterThan(110_000);
    expect(await one.take('b', HOUR, 30)).toBeUndefined();
  });

  it('counts each name by itself', async () => {
    const { one } = await open();
    const single = { most: 1, perMs: 60_000 };
    for (const name of ['a', 'b', 'a b', 'ä', '']) {
      expect(await one.take(name, single), name).toBeUndefined();
      expect(await one.take(name, single), name).toBeGreaterThan(50_000);
    }
  });

  it('fills evenly, and tells how long the next one takes', async () => {
    const { one, another, pass } = await open();
    const rate = { most: 4, perMs: 1_000 };
    for (let i = 0; i < 4; i++) expect(await one.take('a', rate)).toBeUndefined();
    const wait = await another.take('a', rate);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(250);
    await pass(wait! + 1);
    expect(await another.take('a', rate)).toBeUndefined();
    expect(await one.take('a', rate)).toBeGreaterThan(0);
    // A refusal takes nothing, and an idle bucket holds no more than a full one.
    await pass(1_010);
    let granted = 0;
    while ((await one.take('a', rate)) === undefined) granted++;
    expect(granted).toBe(4);
  });

  it('grants rates that no microsecond divides, and those of a million a second', async () => {
    const { one } = await open();
    for (const most of [3, 7, 1_000]) {
      let granted = 0;
      while ((await one.take(`of ${most}`, { most, perMs: 86_400_000 })) === undefined) granted++;
      expect(granted).toBe(most);
    }
    for (let i = 0; i < 100; i++)
      expect(await one.take('many', { most: 1_000_000, perMs: 1_000 })).toBeUndefined();
  });
};
