import type { AccountStore, Rate, RateLimiter } from '../../../core/ports.ts';
import { DAY_MS } from '../../../core/time.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import { rateLimited } from '../limits/rate-limits.ts';

/** Caps on the accounts that callers may make; 0: no cap. */
export interface AccountCaps {
  /** Organizations of the installation; sign-ups end there. */
  organizations: number;
  /** Live keys of an organization, and keys that it makes a day. */
  keysPerOrganization: number;
  /** Refreshes of an organization a day. */
  refreshesPerDay: number;
}

/**
 * Refreshes of one family of tokens a day: a client that refreshes before each call must not use up its
 * organization's.
 */
const REFRESHES_OF_FAMILY = 100;
/** Recorded uses of an organization's keys a day. Beyond it `last_used_at` is less exact. */
const USES = 10_000;
/** Changes of an organization's retention a day. */
const RETENTIONS = 100;

interface Budget {
  /** The name of the bucket. */
  name: string;
  perDay: number;
  what: string;
}

/** The budgets that an event is taken from. */
const budgetsOf = (event: AccountEvent, caps: AccountCaps): Budget[] => {
  const org = event.org_id;
  switch (event.type) {
    case 'api_key.created':
      return [{ name: `keys ${org}`, perDay: caps.keysPerOrganization, what: 'API keys of an organization' }];
    case 'refresh_token.rotated':
      return [
        {
          name: `family ${event.data.family_id}`,
          perDay: REFRESHES_OF_FAMILY,
          what: 'refreshes after one token exchange',
        },
        { name: `refreshes ${org}`, perDay: caps.refreshesPerDay, what: 'refreshes of an organization' },
      ];
    case 'api_key.used':
      return [{ name: `uses ${org}`, perDay: USES, what: 'uses of API keys' }];
    case 'org.retention_changed':
      return [{ name: `retention ${org}`, perDay: RETENTIONS, what: 'changes of a retention' }];
    // Sign-ups have a cap of their own, and operators none. The others end what was counted above, once.
    case 'org.signed_up':
    case 'org.limits_changed':
    case 'api_key.revoked':
    case 'refresh_token.delivered':
    case 'refresh_family.revoked':
      return [];
  }
};

/**
 * The store, with a bound on what an organization's callers append: events stay in the log for ever and are
 * not billed. Token buckets of a day, so that a day's number may be used at once. Throws `rate_limited`
 * beyond them; nothing that takes rights away is ever refused.
 */
export const boundAppends = (store: AccountStore, limiter: RateLimiter, caps: AccountCaps): AccountStore => {
  const take = async (event: AccountEvent): Promise<void> => {
    for (const { name, perDay, what } of budgetsOf(event, caps)) {
      if (perDay === 0) continue;
      const rate: Rate = { most: perDay, perMs: DAY_MS };
      const wait = await limiter.take(name, rate);
      if (wait !== undefined)
        throw rateLimited(`There may be ${perDay} ${what} a day; wait and try again.`, wait);
    }
  };
  return {
    ...store,
    record: async event => {
      await take(event);
      return store.record(event);
    },
    rotate: async event => {
      await take(event);
      return store.rotate(event);
    },
    note: async event => {
      await take(event);
      return store.note(event);
    },
  };
};
