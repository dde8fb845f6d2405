import type { Budget } from '../../../core/payers/budgets.ts';
import { noteChange } from '../../../core/payers/changes.ts';
import { type Pay, type Payer, TAKES_AWAY } from '../../../core/payers/till.ts';
import type { AccountStore } from '../../../core/ports.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';

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
/** Changes a day of each of an organization's settings; webhooks that it makes a day. */
const SETTINGS = 100;
/** Moves of a webhook a day. Beyond it more of what was delivered is repeated after a crash. */
const MOVES = 10_000;

/** A new key, and settings: whoever makes them means to stay. */
const KEEPING: ReadonlySet<AccountEvent['type']> = new Set([
  'api_key.created',
  'org.limits_changed',
  'org.retention_changed',
  'org.screening_changed',
  'org.deletion_asked',
  'webhook.created',
]);

const budgeted = (needsRoom: boolean, ...budgets: Budget[]): Payer => ({
  kind: 'budgeted',
  budgets,
  needsRoom,
});

/** Returns the payer of an event of accounts. None is billed. */
const payerOf = (event: AccountEvent, caps: AccountCaps): Payer => {
  const org = event.org_id;
  switch (event.type) {
    case 'api_key.created':
      return budgeted(true, {
        name: `keys ${org}`,
        perDay: caps.keysPerOrganization,
        what: 'API keys of an organization',
      });
    // On a full disk people still recall and erase, and need tokens for it.
    case 'refresh_token.rotated':
      return budgeted(
        false,
        {
          name: `family ${event.data.family_id}`,
          perDay: REFRESHES_OF_FAMILY,
          what: 'refreshes after one token exchange',
        },
        { name: `refreshes ${org}`, perDay: caps.refreshesPerDay, what: 'refreshes of an organization' },
      );
    case 'api_key.used':
      return budgeted(true, { name: `uses ${org}`, perDay: USES, what: 'uses of API keys' });
    case 'org.retention_changed':
      return budgeted(false, {
        name: `retention ${org}`,
        perDay: SETTINGS,
        what: 'changes of a retention',
      });
    case 'org.screening_changed':
      return budgeted(false, {
        name: `screening ${org}`,
        perDay: SETTINGS,
        what: 'changes of what is screened',
      });
    case 'org.deletion_asked':
      return budgeted(false, {
        name: `deletion ${org}`,
        perDay: SETTINGS,
        what: 'times that the deletion of an organization is asked for',
      });
    case 'webhook.created':
      return budgeted(true, {
        name: `webhooks ${org}`,
        perDay: SETTINGS,
        what: 'webhooks of an organization',
      });
    // On a full disk what is stored is still delivered.
    case 'webhook.moved':
      return budgeted(false, {
        name: `webhook ${event.data.webhook_id}`,
        perDay: MOVES,
        what: 'moves of a webhook',
      });
    // The erasure that it is about has paid, one of each for at most ten webhooks.
    case 'webhook.noticed':
      return budgeted(false);
    // The installation's cap of organizations bounds them.
    case 'org.signed_up':
      return budgeted(true);
    // Once an organization, unless nobody projects it meanwhile.
    case 'org.wrote':
      return budgeted(false, {
        name: `wrote ${org}`,
        perDay: SETTINGS,
        what: 'first writes of an organization',
      });
    case 'org.pruned':
    case 'org.deletion_withdrawn':
    case 'org.deleted':
    case 'org.emptied':
      return TAKES_AWAY;
    // An operator's, or the end of what was counted above: one of each.
    case 'org.limits_changed':
    case 'refresh_token.delivered':
      return budgeted(false);
    case 'api_key.revoked':
    case 'api_key.retired':
    case 'refresh_family.revoked':
    case 'webhook.deleted':
      return TAKES_AWAY;
  }
};

/**
 * The store, with a payer for what an organization's callers append: events stay in the log for ever and are
 * not billed. Buckets of a day, so that a day's number may be used at once. Throws what `pay` throws.
 */
export const boundAppends = (
  store: AccountStore,
  pay: Pay,
  caps: AccountCaps,
  /** Awaited before what keeps an open sign-up: beyond signing in, that is all but what takes rights away. */
  keepInUse: (event: AccountEvent) => Promise<void> = async () => {},
): AccountStore => {
  const paid = async (event: AccountEvent): Promise<void> => pay(payerOf(event, caps));
  return {
    ...store,
    record: async event => {
      await paid(event);
      if (KEEPING.has(event.type)) await keepInUse(event);
      const outcome = await store.record(event);
      // It is no change by itself: what follows is.
      if (outcome === 'recorded' && event.type !== 'org.wrote') noteChange();
      return outcome;
    },
    rotate: async event => {
      await paid(event);
      return store.rotate(event);
    },
    note: async event => {
      await paid(event);
      return store.note(event);
    },
  };
};
