import type { Budgets } from '../../../core/payers/budgets.ts';
import type { Pay } from '../../../core/payers/till.ts';
import type { IdentityProviders } from '../../../core/ports/accounts/identity-providers.ts';
import type { RateLimiter } from '../../../core/ports/admission/rate-limiter.ts';
import type { AccountStore, FailureCounter, Positions, SigningKeys } from '../../../core/ports.ts';
import type { Limits } from '../../../schemas/http/accounts.ts';
import type { IdentityProvider } from '../../../schemas/identity-providers.ts';
import type { Screen } from '../../../schemas/screening.ts';
import type { AuditNotes } from '../audit/audit-notes.ts';
import type { AccountCaps } from './bounded-appends.ts';
import type { Random } from './keys/api-key.ts';

export interface AccountsOptions {
  store: AccountStore;
  /** Takes what callers append from their budgets; default: in this process. */
  pay?: Pay | undefined;
  /** Counts sign-ups of an address, for all instances; default: in this process. */
  rateLimiter?: RateLimiter | undefined;
  /** The first key with a private half signs; all of them verify. */
  signingKeys: SigningKeys;
  /** Unix milliseconds. */
  clock: () => number;
  /** Returns `bytes` random bytes, fit for secrets. */
  random: Random;
  /** Shared by all instances that answer exchanges; default: counts in this process. */
  failureCounter?: FailureCounter | undefined;
  /** Vouch for people and programs that have no key; default: nobody does. */
  identityProviders?: IdentityProviders | undefined;
  /** The log's end offsets. */
  ends: () => Promise<Positions>;
  /** Rejects while this process's clock is known to be wrong; default: it is right. */
  clockAgrees?: (() => Promise<unknown>) | undefined;
  /** The instant that two sources of time agree on; undefined: none for now. Default: the clock's. */
  past?: (() => Promise<number | undefined>) | undefined;
  /** Takes what the audit log has of accounts; default: nothing is noted. */
  notes?: Pick<AuditNotes, 'note'> | undefined;
  config: {
    signup: 'open' | 'closed';
    /** Sign-ups of an address a minute; 0: no limit. */
    signupsPerMinute?: number;
    /** Failed exchanges per address; a third of this per key id. */
    authFailuresPerMinute: number;
    /** Caps of organizations that have none of their own. */
    limits: Limits;
    /** Default: none. */
    caps?: AccountCaps;
    /** Budgets of organizations that have none of their own; default: none. */
    budgets?: Budgets | undefined;
    /** Screened of organizations that have set nothing; default: nothing is. */
    screen?: Screen | undefined;
    /** The rights of those whom the identity providers vouch for. */
    identityRules?: readonly IdentityProvider[] | undefined;
  };
}
