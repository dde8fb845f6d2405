import { expect, it } from 'vitest';
import { makeShares } from '../../../../core/fairness/shares.ts';

it('gives one organization half, and takes each share back once', () => {
  const shares = makeShares(3, 'streams', 30);
  const refused = (org: string): unknown => {
    try {
      shares.take(org);
      return undefined;
    } catch (error) {
      const { code, retryAfter } = error as { code: string; retryAfter: number };
      return [code, retryAfter];
    }
  };
  const giveBack = shares.take('a');
  shares.take('a');
  expect(refused('a')).toEqual(['rate_limited', 30]);
  expect(refused('b')).toBeUndefined();
  expect(refused('c')).toEqual(['unavailable', 30]);
  giveBack();
  giveBack();
  expect(refused('c')).toBeUndefined();
  expect(refused('d')).toEqual(['unavailable', 30]);
});
