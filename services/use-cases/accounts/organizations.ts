import type { OrganizationDocument } from '../../../projections/accounts/projection.ts';
import type { SignUpBody } from '../../../schemas/http/requests.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountStore, Caps } from '../../core/ports.ts';
import type { Principal } from '../../core/use-cases.ts';
import { makeApiKey, type Random } from './api-key.ts';
import { type AccountContext, accountEvent } from './events.ts';

/** Tokens a UTC day; 0: no cap. */
export interface Limits {
  tokens_in: number;
  tokens_out: number;
}

export interface SignUpAnswer {
  org_id: string;
  user_id: string;
  /** Shown this once. */
  api_key: string;
}

export interface MeAnswer {
  org_id: string;
  user_id: string;
  roles: string[];
  plan: 'free' | 'custom';
  limits: Limits;
  created_at: string;
}

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
  /** Of an organization that has none of its own. */
  defaultLimits: Limits;
}

const FIRST_USER = 'owner';
const LOCAL = 'local';
const MOST_TOKENS = 1e15;

const isCap = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;

export const makeOrganizations = ({ store, clock, random, defaultLimits }: Options) => {
  const limitsIn = (organization: OrganizationDocument | undefined): Limits => {
    const { tokens_in, tokens_out } = organization?.limits ?? defaultLimits;
    return { tokens_in, tokens_out };
  };

  const taken = (): ServiceError => new ServiceError('conflict', 'The organization id is taken.');

  /**
   * Makes an organization and its first key in one event. Throws `conflict` when the id is taken. `keep` gets the
   * key before anything is recorded: a key that was kept and isn't in force is made anew, a lost one could not be.
   */
  const signUp = async (
    body: SignUpBody,
    context: AccountContext,
    keep?: (apiKey: string) => Promise<void>,
  ): Promise<SignUpAnswer> => {
    const org = body.org_id;
    if (await store.get('organization', org)) throw taken();
    const { keyId, apiKey, prefix, secretHash } = makeApiKey(random);
    await keep?.(apiKey);
    const event = accountEvent(
      'org.signed_up',
      org,
      { org, now: clock(), context },
      {
        name: body.name ?? null,
        email: body.email ?? null,
        key: {
          key_id: keyId,
          name: 'first key',
          prefix,
          secret_hash: secretHash,
          roles: ['*'],
          user_id: FIRST_USER,
          session_id: null,
        },
      },
    );
    if ((await store.record(event)) === 'conflict') throw taken();
    return { org_id: org, user_id: FIRST_USER, api_key: apiKey };
  };

  return {
    signUp: (body: SignUpBody, context: AccountContext): Promise<SignUpAnswer> => signUp(body, context),

    /** Who the caller is, and what the organization may use. */
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

    /** Every organization, oldest first: for an operator. */
    organizations: async (): Promise<OrganizationAnswer[]> => {
      const all = await store.list('organization');
      return all
        .map(one => ({ org_id: one.org_id, created_at: one.created_at, limits: limitsIn(one) }))
        .sort((a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)));
    },

    /** The caps of the organization's calls today. */
    capsOf: async (orgId: string): Promise<Caps> => {
      const { tokens_in, tokens_out } = limitsIn(await store.get('organization', orgId));
      return { tokensIn: tokens_in, tokensOut: tokens_out };
    },

    /** Sets the caps for good. Throws `not_found`, `invalid`. */
    setLimits: async (orgId: string, limits: Limits, context: AccountContext): Promise<Limits> => {
      const { tokens_in, tokens_out } = limits;
      if (!isCap(tokens_in) || !isCap(tokens_out)) {
        throw new ServiceError('invalid', `A cap must be a whole number from 0 to ${MOST_TOKENS}.`);
      }
      const organization = await store.get('organization', orgId);
      if (!organization) throw new ServiceError('not_found', 'The organization is not known.');
      // A clock that was set back must not make this change older than the last one.
      const now = Math.max(clock(), Date.parse(organization.limits?.changed_at ?? organization.created_at));
      const change = Buffer.from(random(16)).toString('hex');
      const about = { org: orgId, now, context };
      await store.record(
        accountEvent('org.limits_changed', `${orgId}:${change}`, about, { tokens_in, tokens_out }),
      );
      return { tokens_in, tokens_out };
    },

    /** On the first start: the organization `local` with its key; undefined when it is there already. */
    ensureLocalOrganization: async (
      context: AccountContext,
      keep?: (apiKey: string) => Promise<void>,
    ): Promise<{ orgId: string; apiKey: string } | undefined> => {
      if (await store.get('organization', LOCAL)) return undefined;
      const { org_id, api_key } = await signUp({ org_id: LOCAL }, context, keep);
      return { orgId: org_id, apiKey: api_key };
    },
  };
};
