import { ServiceError } from './errors.ts';
import type { Admitted } from './ports.ts';
import { DAY_MS, startOfDay } from './time.ts';

/** Returns the contract's 429: the exceeded cap, the tokens used, and the time of the reset. */
export const quotaExceeded = (refused: Extract<Admitted, { kind: 'refused' }>, now: number): ServiceError => {
  const message =
    refused.cap === 'tokens_in_daily'
      ? 'The daily cap of ingress tokens would be exceeded by this call.'
      : 'The daily cap of egress tokens is used up.';
  return new ServiceError('quota_exceeded', message, {
    details: {
      error: 'quota_exceeded',
      kind: refused.cap,
      used: refused.used,
      limit: refused.limit,
      period: 'day_utc',
      period_start: new Date(startOfDay(now)).toISOString(),
      message: `${message} It opens again at 00:00 UTC.`,
    },
    retryAfter: Math.ceil((startOfDay(now) + DAY_MS - now) / 1000),
  });
};
