import { expect, it } from 'vitest';
import { makeTailShares } from '../../../../../infra/embedded/admission/tail-shares.ts';

const MOST = { events: 10, bytes: 1_000 };

it('leaves one organization alone the whole tail, and half of it once another writes', () => {
  let now = 0;
  const shares = makeTailShares(() => now);
  shares.asks('a');
  shares.count('a', { events: 8, bytes: 80 });
  expect(shares.fill('a', MOST)).toBe(0);
  shares.asks('b');
  expect(shares.fill('a', MOST)).toBe(1.6);
  expect(shares.fill('b', MOST)).toBe(0);
  expect(shares.fill(undefined, MOST)).toBe(0);
  shares.count('b', { events: 1, bytes: 500 });
  expect(shares.fill('b', MOST)).toBe(1);
  shares.count('a', { events: -4, bytes: -40 });
  expect(shares.fill('a', MOST)).toBe(0.8);
  shares.count('a', { events: 1, bytes: 10 });
  expect(shares.fill('a', MOST)).toBe(1);
  now = 61_000;
  expect(shares.fill('a', MOST)).toBe(0);
});
