import { expect, it } from 'vitest';
import { makeRecent } from '../../../../../projections/recall/tail/recent.ts';

const keptOf = (cache: ReturnType<typeof makeRecent<number, string>>, keys: number): number =>
  Array.from({ length: keys }, (_, key) => cache.get(key)).filter(value => value !== undefined).length;

it('keeps no more bytes than it may, however few entries they are', () => {
  const cache = makeRecent<number, string>({ entries: 1_000, bytes: 100, bytesOf: value => value.length });
  for (let key = 0; key < 50; key++) cache.set(key, 'x'.repeat(20));
  const kept = Array.from({ length: 50 }, (_, key) => key).filter(key => cache.get(key) !== undefined);
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length * 20).toBeLessThanOrEqual(100);
  expect(kept).toContain(49);
});

it('keeps a single entry that alone is too large, and drops it with the next', () => {
  const cache = makeRecent<number, string>({ entries: 10, bytes: 10, bytesOf: value => value.length });
  cache.set(0, 'x'.repeat(50));
  expect(cache.get(0)).toHaveLength(50);
  cache.set(1, 'x'.repeat(50));
  cache.set(2, 'x');
  expect(cache.get(0)).toBeUndefined();
});

it('keeps no more entries than it may', () => {
  const cache = makeRecent<number, string>({ entries: 10, bytes: 1_000, bytesOf: () => 1 });
  for (let key = 0; key < 30; key++) cache.set(key, 'x');
  expect(keptOf(cache, 30)).toBeLessThanOrEqual(10);
});
