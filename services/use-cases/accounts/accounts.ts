import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../../core/errors.ts';
import { makeTokenBuckets } from '../../../core/fairness/token-buckets.ts';
import type { Organization, OwnLimits, RecoveredKey } from '../../../core/operator/organizations.ts';
import { NO_BUDGETS } from '../../../core/payers/budgets.ts';
import { makeTill } from '../../../core/payers/till.ts';
import type { IdentityProviders } from '../../../core/ports/accounts/identity-providers.ts';
import type { Positions } from '../../../core/ports.ts';
import type { Caller, Principal } from '../../../core/use-cases.ts';
import type { Horizon } from '../../../domain/search/horizon.ts';
import {
  checkSignUp,
  type MeAnswer,
  type RetentionAnswer,
  type ScreeningAnswer,
  type SignUpAnswer,
  type SignUpBody,
} from '../../../schemas/http/accounts.ts';
import type {
  CreateKeyBody,
  KeyAnswer,
  NewKeyAnswer,
  RotateKeyBody,
} from '../../../schemas/http/api-keys.ts';
import type { TokenAnswer } from '../../../schemas/http/tokens.ts';
import type { ScreenChoice } from '../../../schemas/screening.ts';
import { makeSignUpLimit } from '../limits/rate-limits.ts';
import { makeAccountEntries } from './account-entries.ts';
import type { AccountContext } from './account-events.ts';
import type { AccountsOptions } from './accounts-options.ts';
import { type AccountCaps, boundAppends } from './bounded-appends.ts';
import { type Identities, makeIdentities } from './identities/sign-in.ts';
import { type CheckKey, makeCheckKey, makeCheckKeyOfCall } from './keys/check-key.ts';
import { makeFailures } from './keys/failures.ts';
import { makeKeys } from './keys/keys.ts';
import { makeLastUse } from './keys/last-use.ts';
import { type Deletions, makeDeletions } from './organizations/deletion.ts';
import { makeOrganizations } from './organizations/organizations.ts';
import { makeRecover } from './organizations/recover.ts';
import { makeSignUp } from './organizations/sign-up.ts';
import { makeKeepInUse, makePruneUnused } from './organizations/unused.ts';
import { makeReceipts, type Receipts } from './signed/receipts.ts';
import { makeUsageStatements, type UsageStatements } from './signed/usage-statements.ts';
import { makeAuthenticate } from './tokens/authenticate.ts';
import { makeExchange, principalOf } from './tokens/exchange.ts';
import { makeTokens } from './tokens/jwt.ts';
import { type PublicJwk, publicJwk } from './tokens/public-jwk.ts';
import { makeRefresh, type Refreshed } from './tokens/refresh.ts';

/** Organizations, their API keys, and the tokens issued for them. */
export interface Accounts {
  /** Throws `forbidden` when sign-up is closed: called before the body is checked. */
  assertSignUpOpen(): void;
  /** Throws `rate_limited` after too many of the address; those without one share a limit. */
  signUp(body: SignUpBody, context: AccountContext, address?: string): Promise<SignUpAnswer>;
  exchange(apiKey: string, address: string, context: AccountContext): Promise<TokenAnswer>;
  refresh(refreshToken: string, address: string, context: AccountContext): Promise<Refreshed>;
  /**
   * Takes an access token without the word Bearer, and the client's address. Throws `unauthenticated` (401),
   * `forbidden` (403).
   */
  authenticate(accessToken: string, address: string): Promise<Caller>;
  /**
   * The same for an API key that came instead of a token. Throws what an exchange throws, and counts what
   * fails as one.
   */
  authenticateKey(apiKey: string, address: string, context: AccountContext): Promise<Caller>;
  /** Sign-ins by an identity provider. */
  identities: Identities;
  jwks(): { keys: PublicJwk[] };
  me(principal: Principal): Promise<MeAnswer>;
  listKeys(principal: Principal): Promise<KeyAnswer[]>;
  createKey(principal: Principal, body: CreateKeyBody, context: AccountContext): Promise<NewKeyAnswer>;
  rotateKey(
    principal: Principal,
    keyId: string,
    body: RotateKeyBody,
    context: AccountContext,
  ): Promise<NewKeyAnswer>;
  revokeKey(principal: Principal, keyId: string, context: AccountContext): Promise<void>;
  /** Receipts of erasures, signed with the keys that sign tokens. */
  receipts: Receipts;
  /** Statements of usage, signed with the same keys. */
  statements: UsageStatements;
  organizations(): Promise<Organization[]>;
  horizonOf(orgId: string): Promise<Horizon>;
  /** Offsets below which the organization has no events. */
  beganAt(orgId: string): Promise<Positions>;
  setLimits(orgId: string, limits: OwnLimits, context?: AccountContext): Promise<OwnLimits>;
  /** How long the organization keeps what has no expiry of its own. Throws `not_found`. */
  retention(orgId: string): Promise<RetentionAnswer>;
  /** In force a day later. Throws `not_found`, `invalid`. */
  setRetention(orgId: string, days: number | null, context?: AccountContext): Promise<RetentionAnswer>;
  /** Returns what is screened of what the organization sends. Throws `not_found`. */
  screening(orgId: string): Promise<ScreeningAnswer>;
  /** From the next call on. Throws `not_found`, `invalid`. */
  setScreening(orgId: string, choice: ScreenChoice, context?: AccountContext): Promise<ScreeningAnswer>;
  /** The deletion of an organization, by an owner. */
  deletions: Deletions;
  /** For operators, even while sign-up is closed. Throws `conflict`, `invalid`. */
  createOrganization(orgId: string): Promise<SignUpAnswer>;
  /** To be awaited before the organization's first append. Throws `forbidden` for one that was removed. */
  keepInUse(orgId: string, context?: AccountContext): Promise<void>;
  /** A round that removes open sign-ups that have written nothing (unused.ts). */
  pruneUnused: ReturnType<typeof makePruneUnused>;
  /** For operators: a new key with every role, whatever keys the organization has. Throws `not_found`. */
  recoverKey(orgId: string, keep?: (apiKey: string) => Promise<void>): Promise<RecoveredKey>;
  /**
   * Creates the organization `local` with a `*` key on the first start; undefined when it exists. `keep`
   * receives the key before it is recorded and writes it to its file, so that no crash in between loses it.
   */
  ensureLocalOrganization(
    keep?: (apiKey: string) => Promise<void>,
  ): Promise<{ orgId: string; apiKey: string } | undefined>;
}

/** Where none is configured. */
const refuseAll = async (): Promise<never> => {
  throw new ServiceError('unauthenticated', 'No such identity provider is configured.');
};
const NO_PROVIDERS: IdentityProviders = { offered: async () => [], ofCode: refuseAll, ofToken: refuseAll };

const NO_CAPS: AccountCaps = { organizations: 0, keysPerOrganization: 0, refreshesPerDay: 0 };

export const makeAccounts = ({
  store: unbounded,
  rateLimiter = makeTokenBuckets(),
  pay = makeTill({ limiter: rateLimiter, shortage: () => undefined }),
  signingKeys,
  clock,
  random,
  failureCounter,
  ends,
  clockAgrees = async () => {},
  past = async () => clock(),
  identityProviders = NO_PROVIDERS,
  notes = { note: async () => {} },
  config,
}: AccountsOptions): Accounts => {
  const entries = makeAccountEntries(notes);
  const caps = config.caps ?? NO_CAPS;
  const store = boundAppends(unbounded, pay, caps, ({ org_id, correlation_id }) =>
    keepInUse(org_id, { correlationId: correlation_id }),
  );
  const keepInUse = makeKeepInUse({ store, clock });
  const tokens = makeTokens(signingKeys);
  const failures = makeFailures(config.authFailuresPerMinute, failureCounter);
  const organizations = makeOrganizations({
    store,
    clock,
    random,
    defaults: { ...config.limits, ...(config.budgets ?? NO_BUDGETS) },
    screen: config.screen ?? 'off',
    clockAgrees,
  });
  const lastUse = makeLastUse({ store, clock, onFirst: entries.firstUsed });
  const keys = makeKeys({ store, clock, random, lastUse, mostKeys: caps.keysPerOrganization });
  const { signUp, createOrganization, ensureLocalOrganization } = makeSignUp({
    store,
    clock,
    random,
    ends,
    mostOrganizations: caps.organizations,
  });
  const limitSignUps = makeSignUpLimit(rateLimiter, config.signupsPerMinute ?? 0);
  const recover = makeRecover({ store: unbounded, clock, random, keepInUse });
  const check = makeCheckKey({ store, clock, failures, lastUse, onRefused: entries.notSignedIn });
  const { allowedOf } = organizations;
  const checkOfCall = makeCheckKeyOfCall({
    store,
    clock,
    lastUse,
    allowedOf,
    check,
    onRefused: entries.notSignedIn,
  });
  /** The context of calls without a request. */
  const ownContext = (): AccountContext => ({ correlationId: randomUUID() });

  const assertSignUpOpen = (): void => {
    if (config.signup === 'closed') throw new ServiceError('forbidden', 'Sign-up is closed.');
  };

  const checkSigningIn: CheckKey = async (apiKey, address, context) => {
    const key = await check(apiKey, address, context);
    entries.signedIn(key, context, address);
    return key;
  };

  return {
    assertSignUpOpen,
    signUp: async (body, context, address = '') => {
      assertSignUpOpen();
      await limitSignUps(address);
      const made = await signUp(body, context);
      entries.made(made, context, address);
      return made;
    },
    exchange: makeExchange({ tokens, clock, random, check: checkSigningIn }),
    refresh: makeRefresh({ store, tokens, clock, random, lastUse }),
    authenticate: makeAuthenticate({ store, tokens, allowedOf, clock }),
    authenticateKey: async (apiKey, address, context) => {
      const { key, allowed } = await checkOfCall(apiKey, address, context);
      return { ...principalOf(key), ...allowed };
    },
    identities: makeIdentities({
      providers: identityProviders,
      rules: config.identityRules ?? [],
      onSignedIn: entries.signedIn,
      ...{ store, tokens, keys, failures, lastUse, clock, random },
    }),
    jwks: () => ({ keys: signingKeys().map(publicJwk) }),
    me: organizations.me,
    listKeys: keys.list,
    createKey: keys.create,
    rotateKey: keys.rotate,
    revokeKey: keys.revoke,
    receipts: makeReceipts(signingKeys),
    statements: makeUsageStatements(signingKeys),
    organizations: organizations.organizations,
    horizonOf: organizations.horizonOf,
    beganAt: organizations.beganAt,
    retention: organizations.retention,
    setRetention: (orgId, days, context = ownContext()) => organizations.setRetention(orgId, days, context),
    deletions: makeDeletions({ store, clock, random, clockAgrees, past }),
    screening: organizations.screening,
    setScreening: (orgId, choice, context = ownContext()) =>
      organizations.setScreening(orgId, choice, context),
    setLimits: (orgId, limits, context = ownContext()) => organizations.setLimits(orgId, limits, context),
    createOrganization: async orgId => {
      const checked = checkSignUp({ org_id: orgId });
      if (!checked.ok)
        throw new ServiceError('invalid', `The organization id ${checked.errors[0]!.message}.`);
      return createOrganization(checked.value, ownContext());
    },
    keepInUse: (orgId, context = ownContext()) => keepInUse(orgId, context),
    pruneUnused: makePruneUnused({ store: unbounded, clock }),
    recoverKey: (orgId, keep) => recover(orgId, ownContext(), keep),
    ensureLocalOrganization: async keep => {
      const context = ownContext();
      const made = await ensureLocalOrganization(context, keep);
      if (made) entries.made({ org_id: made.orgId, api_key: made.apiKey }, context, null);
      return made;
    },
  };
};
