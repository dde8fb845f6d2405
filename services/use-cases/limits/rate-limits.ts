import { addressName } from '../../../core/address-name.ts';
import type { Rate, RateLimiter } from '../../../core/ports.ts';
import { rateLimited } from '../../../core/rate-limited.ts';

/**
 * Limits that a call is counted against before anything is done for it. Each throws `rate_limited` above its
 * limit.
 */
export interface RateLimits {
  /** A call with a valid token. */
  ofOrganization(orgId: string): Promise<void>;
  /** A call of an open endpoint; an IPv6 address counts as its /64. */
  ofAddress(address: string): Promise<void>;
}

export interface RateLimitsConfig {
  /** The limit of an organization, over all its keys and all API instances; 0: none. */
  perSecond: number;
  /** The limit of an address, on open endpoints; 0: none. */
  openPerMinute: number;
}

const makeLimit =
  (limiter: RateLimiter) =>
  (kind: string, rate: Rate, message: string) =>
  async (name: string): Promise<void> => {
    if (rate.most === 0) return;
    const wait = await limiter.take(`${kind} ${name}`, rate);
    if (wait !== undefined) throw rateLimited(message, wait);
  };

/** The limit of sign-ups of an address; 0: none. An IPv6 address counts as its /64. */
export const makeSignUpLimit = (limiter: RateLimiter, perMinute: number) => {
  const limit = makeLimit(limiter)(
    'signups',
    { most: perMinute, perMs: 60_000 },
    `An address may sign up ${perMinute} organizations a minute; wait and try again.`,
  );
  return (address: string): Promise<void> => limit(addressName(address));
};

export const makeRateLimits = (
  limiter: RateLimiter,
  { perSecond, openPerMinute }: RateLimitsConfig,
): RateLimits => {
  const limit = makeLimit(limiter);
  const ofAddress = limit(
    'open',
    { most: openPerMinute, perMs: 60_000 },
    `An address may call open endpoints ${openPerMinute} times a minute; wait and try again.`,
  );
  return {
    ofOrganization: limit(
      'calls',
      { most: perSecond, perMs: 1_000 },
      `An organization may make ${perSecond} requests a second; wait and try again.`,
    ),
    ofAddress: address => ofAddress(addressName(address)),
  };
};
