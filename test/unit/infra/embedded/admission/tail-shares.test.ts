import { expect, it } from 'vitest';
import { makeTailShares } from '../../../../../infra/embedded/admission/tail-shares.ts';

const MOST = { events: 10, bytes: 1_000 };

it('leaves one organization alone the whole tail, and half of it once another writes', () => {
  let now = 0;
  const shares = makeTailShares(() => now);
  shares.asks('a');
  shares.count('a', { events: 8, bytes: 80 });
  expect(shares.isBelow('a', MOST)).toBe(true);
  shares.asks('b');
  expect(shares.isBelow('a', MOST)).toBe(false);
  expect(shares.isBelow('b', MOST)).toBe(true);
  expect(shares.isBelow(undefined, MOST)).toBe(true);
  shares.count('b', { events: 1, bytes: 500 });
  expect(shares.isBelow('b', MOST)).toBe(false);
  shares.count('a', { events: -4, bytes: -40 });
  expect(shares.isBelow('a', MOST)).toBe(true);
  shares.count('a', { events: 1, bytes: 10 });
  expect(shares.isBelow('a', MOST)).toBe(false);
  now = 61_000;
  expect(shares.isBelow('a', MOST)).toBe(true);
});
