import type { OrganizationDocument } from '../../../projections/accounts/projection.ts';
import type { Limits, MeAnswer } from '../../../schemas/http/accounts.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountStore, Caps, Positions } from '../../core/ports.ts';
import type { Principal } from '../../core/use-cases.ts';
import type { Random } from './api-key.ts';
import { positionsOfBegan } from './began.ts';
import { type AccountContext, accountEvent } from './events.ts';

export interface OrganizationAnswer {
  org_id: string;
  created_at: string;
  limits: Limits;
}

interface Options {
  store: AccountStore;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** The limits of organizations that have none of their own. */
  defaultLimits: Limits;
}

const MOST_TOKENS = 1e15;

const isCap = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;

export const makeOrganizations = ({ store, clock, random, defaultLimits }: Options) => {
  const limitsIn = (organization: OrganizationDocument | undefined): Limits => {
    const { tokens_in, tokens_out } = organization?.limits ?? defaultLimits;
    return { tokens_in, tokens_out };
  };

  return {
    /** The caller, and the limits of its organization. */
    me: async ({ orgId, userId, roles }: Principal): Promise<MeAnswer> => {
      const organization = await store.get('organization', orgId);
      if (!organization) throw new ServiceError('not_found', 'The organization is not known.');
      return {
        org_id: orgId,
        user_id: userId,
        roles,
        plan: organization.limits ? 'custom' : 'free',
        limits: limitsIn(organization),
        created_at: organization.created_at,
      };
    },

    /** Every organization, oldest first; for operators. */
    organizations: async (): Promise<OrganizationAnswer[]> => {
      const all = await store.list('organization');
      return all
        .map(one => ({ org_id: one.org_id, created_at: one.created_at, limits: limitsIn(one) }))
        .sort((a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)));
    },

    /** The organization's daily caps. */
    capsOf: async (orgId: string): Promise<Caps> => {
      const { tokens_in, tokens_out } = limitsIn(await store.get('organization', orgId));
      return { tokensIn: tokens_in, tokensOut: tokens_out };
    },

    /** Offsets below which the organization has no events: its export begins there. */
    beganAt: async (orgId: string): Promise<Positions> =>
      positionsOfBegan((await store.get('organization', orgId))?.began),

    /** Replaces the organization's caps. Throws `not_found`, `invalid`. */
    setLimits: async (orgId: string, limits: Limits, context: AccountContext): Promise<Limits> => {
      const { tokens_in, tokens_out } = limits;
      if (!isCap(tokens_in) || !isCap(tokens_out)) {
        throw new ServiceError('invalid', `A cap must be a whole number from 0 to ${MOST_TOKENS}.`);
      }
      const organization = await store.get('organization', orgId);
      if (!organization) throw new ServiceError('not_found', 'The organization is not known.');
      // Even if the clock was set back, this change must not be older than the last one.
      const now = Math.max(clock(), Date.parse(organization.limits?.changed_at ?? organization.created_at));
      const change = Buffer.from(random(16)).toString('hex');
      const about = { org: orgId, now, context };
      await store.record(
        accountEvent('org.limits_changed', `${orgId}:${change}`, about, { tokens_in, tokens_out }),
      );
      return { tokens_in, tokens_out };
    },
  };
};
