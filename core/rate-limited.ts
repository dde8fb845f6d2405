import { ServiceError } from './errors.ts';

/** A refusal that says when to come back. */
export const rateLimited = (message: string, waitMs: number): ServiceError =>
  new ServiceError('rate_limited', message, {
    details: { error: 'rate_limited' },
    retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
