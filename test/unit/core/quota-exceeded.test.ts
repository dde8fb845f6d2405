import { expect, it } from 'vitest';
import { quotaExceeded } from '../../../core/quota-exceeded.ts';
import { utcDay } from '../../../core/time.ts';

const noon = Date.UTC(2026, 1, 28, 12);
const midnight = Date.UTC(2026, 2, 1);

it('names the UTC day', () => {
  expect(utcDay(noon)).toBe('2026-02-28');
  expect([utcDay(midnight - 1), utcDay(midnight)]).toEqual(['2026-02-28', '2026-03-01']);
});

it('says which cap, how far, and when it ends', () => {
  const refused = { kind: 'refused', cap: 'tokens_out_daily', used: 7, limit: 5 } as const;
  const error = quotaExceeded(refused, noon);
  expect(error.status).toBe(429);
  expect(error.retryAfter).toBe(43_200);
  expect(error.details).toMatchObject({
    error: 'quota_exceeded',
    kind: 'tokens_out_daily',
    used: 7,
    limit: 5,
    period: 'day_utc',
    period_start: '2026-02-28T00:00:00.000Z',
  });
  expect(error.details!.message).toMatch(/egress/);
});

it('a used-up quota never asks to come back before midnight, nor at once', () => {
  const refused = { kind: 'refused', cap: 'tokens_in_daily', used: 7, limit: 5 } as const;
  expect(quotaExceeded(refused, midnight - 1).retryAfter).toBe(1);
  expect(quotaExceeded(refused, midnight - 1_001).retryAfter).toBe(2);
  expect(quotaExceeded(refused, midnight).retryAfter).toBe(86_400);
});
