import { ServiceError, unavailable } from '../../../../core/errors.ts';
import type { Organization, OwnLimits } from '../../../../core/operator/organizations.ts';
import { BUDGETS } from '../../../../core/payers/budgets.ts';
import type { AccountStore, Positions } from '../../../../core/ports.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import { RULES_VERSION } from '../../../../domain/screening/rules.ts';
import type { Horizon } from '../../../../domain/search/horizon.ts';
import type { OrganizationDocument } from '../../../../projections/accounts/accounts-projection.ts';
import { keptAfterAt } from '../../../../projections/accounts/retention.ts';
import type {
  Limits,
  MeAnswer,
  RetentionAnswer,
  ScreeningAnswer,
} from '../../../../schemas/http/accounts.ts';
import { MOST_DAYS } from '../../../../schemas/http/ingestion.ts';
import { SCREEN_CHOICES, type Screen, type ScreenChoice } from '../../../../schemas/screening.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import type { Random } from '../keys/api-key.ts';
import type { Allowed } from '../keys/check-key.ts';
import { positionsOfBegan } from './began.ts';
import { assertNotGone, isThere } from './unused.ts';

interface Options {
  store: AccountStore;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** The limits of organizations that have none of their own. */
  defaults: OwnLimits;
  /** Screened of organizations that have set nothing. */
  screen: Screen;
  /** Rejects while this process's clock is known to be wrong. */
  clockAgrees: () => Promise<unknown>;
}

const MOST_TOKENS = 1e15;
/** Clocks of one installation differ by seconds. */
const APART_MS = 5 * 60_000;

const isCap = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;

const ownExpiries = (expiries: number | undefined): { expiries?: number } =>
  expiries === undefined ? {} : { expiries };

const retentionIn = ({ retention }: OrganizationDocument, now: number): RetentionAnswer => {
  if (!retention) return { days: null, next: null };
  const { days, before, in_force_at } = retention;
  if (Date.parse(in_force_at) <= now) return { days, next: null };
  return { days: before, next: days === before ? null : { days, in_force_at } };
};

export const makeOrganizations = ({ store, clock, random, defaults, screen, clockAgrees }: Options) => {
  const limitsIn = (organization: OrganizationDocument | undefined): OwnLimits => {
    const { tokens_in, tokens_out, names, retractions, erasures, expiries } =
      organization?.limits ?? defaults;
    return { tokens_in, tokens_out, names, retractions, erasures, ...ownExpiries(expiries) };
  };
  const capsIn = (organization: OrganizationDocument): Limits => {
    const { tokens_in, tokens_out } = limitsIn(organization);
    return { tokens_in, tokens_out };
  };

  const screeningIn = (organization: OrganizationDocument | undefined): ScreeningAnswer => {
    const set = organization?.screening?.set ?? 'default';
    return set === 'default'
      ? { screen, own: false, rules: RULES_VERSION }
      : { screen: set, own: true, rules: RULES_VERSION };
  };

  const known = async (orgId: string): Promise<OrganizationDocument> => {
    const organization = await store.get('organization', orgId);
    if (!isThere(organization)) throw new ServiceError('not_found', 'The organization is not known.');
    return organization;
  };

  return {
    /** The caller, and the limits of its organization. */
    me: async ({ orgId, userId, sessionId, strict, roles }: Principal): Promise<MeAnswer> => {
      const organization = await known(orgId);
      return {
        org_id: orgId,
        user_id: userId,
        session_id: sessionId ?? null,
        strict: strict ?? false,
        roles,
        plan: organization.limits ? 'custom' : 'free',
        limits: capsIn(organization),
        created_at: organization.created_at,
      };
    },

    /** Every organization, oldest first; for operators. */
    organizations: async (): Promise<Organization[]> => {
      const all = await store.list('organization');
      return all
        .filter(isThere)
        .map(one => ({
          org_id: one.org_id,
          created_at: one.created_at,
          limits: limitsIn(one),
          retention: retentionIn(one, clock()),
          screening: screeningIn(one),
        }))
        .sort((a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)));
    },

    /** The organization's caps and budgets of a day, and what it screens. */
    allowedOf: async (orgId: string): Promise<Allowed> => {
      const organization = await store.get('organization', orgId);
      assertNotGone(organization);
      const { tokens_in, tokens_out, expiries: _, ...budgets } = limitsIn(organization);
      const caps = { tokensIn: tokens_in, tokensOut: tokens_out };
      const unused = organization?.unused && { isUnused: true as const };
      return { caps, budgets, screen: screeningIn(organization).screen, ...unused };
    },

    /** The retention in force, and the changes set after it. Throws `not_found`. */
    retention: async (orgId: string): Promise<RetentionAnswer> => retentionIn(await known(orgId), clock()),

    /**
     * Throws `not_found`, `invalid`; `unavailable` while the clock is known to be wrong: it dates what ends.
     */
    setRetention: async (
      orgId: string,
      days: number | null,
      context: AccountContext,
    ): Promise<RetentionAnswer> => {
      if (days !== null && !(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS))
        throw new ServiceError(
          'invalid',
          `A retention must be a whole number of days from 1 to ${MOST_DAYS}.`,
        );
      const organization = await known(orgId);
      await clockAgrees().catch(() => {
        throw unavailable("This machine's clock is wrong for now (GET /readyz says how).");
      });
      const { days: now, next } = retentionIn(organization, clock());
      // Setting the current retention again changes nothing, and doesn't postpone it, unless a clock that ran
      // ahead has set it.
      const setAt = organization.retention?.set_at;
      const isAhead = setAt !== undefined && Date.parse(setAt) > clock() + APART_MS;
      if (isAhead || days !== (next ? next.days : now)) {
        const change = Buffer.from(random(16)).toString('hex');
        const about = { org: orgId, now: clock(), context };
        await store.record(accountEvent('org.retention_changed', `${orgId}:${change}`, about, { days }));
      }
      return retentionIn(await known(orgId), clock());
    },

    /** Returns what is screened, and whether the organization has set it. Throws `not_found`. */
    screening: async (orgId: string): Promise<ScreeningAnswer> => screeningIn(await known(orgId)),

    /** Throws `not_found`, `invalid`. */
    setScreening: async (
      orgId: string,
      choice: ScreenChoice,
      context: AccountContext,
    ): Promise<ScreeningAnswer> => {
      if (!SCREEN_CHOICES.includes(choice))
        throw new ServiceError('invalid', `What is screened must be one of ${SCREEN_CHOICES.join(', ')}.`);
      const { screening } = await known(orgId);
      if (choice !== (screening?.set ?? 'default')) {
        const change = Buffer.from(random(16)).toString('hex');
        const about = { org: orgId, now: clock(), context };
        const set = { screen: choice };
        await store.record(accountEvent('org.screening_changed', `${orgId}:${change}`, about, set));
      }
      return screeningIn(await known(orgId));
    },

    /** The horizon for readers of the organization: everything beyond it has expired by now. */
    horizonOf: async (orgId: string): Promise<Horizon> => {
      const organization = await store.get('organization', orgId);
      const now = clock();
      return { now, keptAfter: keptAfterAt(organization?.retention, now) };
    },

    /** Offsets below which the organization has no events: its export begins there. */
    beganAt: async (orgId: string): Promise<Positions> =>
      positionsOfBegan((await store.get('organization', orgId))?.began),

    /** Replaces the organization's caps and budgets. Throws `not_found`, `invalid`. */
    setLimits: async (orgId: string, limits: OwnLimits, context: AccountContext): Promise<OwnLimits> => {
      const { tokens_in, tokens_out, names, retractions, erasures, expiries } = limits;
      if (expiries !== undefined && !(isCap(expiries) && expiries <= 100))
        throw new ServiceError('invalid', 'The expiries must be a whole percentage from 0 to 100.');
      if (![tokens_in, tokens_out, ...BUDGETS.map(name => limits[name])].every(isCap)) {
        throw new ServiceError('invalid', `A cap must be a whole number from 0 to ${MOST_TOKENS}.`);
      }
      await known(orgId);
      const change = Buffer.from(random(16)).toString('hex');
      const about = { org: orgId, now: clock(), context };
      const set = { tokens_in, tokens_out, names, retractions, erasures, ...ownExpiries(expiries) };
      await store.record(accountEvent('org.limits_changed', `${orgId}:${change}`, about, set));
      return set;
    },
  };
};
