/** People and programs that sign in by an identity provider instead of an API key. */
import { hash } from 'node:crypto';
import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import type {
  CodeGrant,
  Identity,
  IdentityProviders,
  OfferedProvider,
} from '../../../../core/ports/accounts/identity-providers.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';
import type { IdentityTokenAnswer } from '../../../../schemas/http/identities.ts';
import type { IdentityProvider } from '../../../../schemas/identity-providers.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import type { Random } from '../keys/api-key.ts';
import type { Failures } from '../keys/failures.ts';
import type { Keys } from '../keys/keys.ts';
import type { LastUse } from '../keys/last-use.ts';
import { assertUsable } from '../keys/usable.ts';
import { isThere } from '../organizations/unused.ts';
import { randomId } from '../tokens/exchange.ts';
import type { Tokens } from '../tokens/jwt.ts';
import { type Grant, grantOf } from './grant.ts';

/** Short, since the provider is asked again then: there is no refresh token. */
const IDENTITY_SECONDS = 3_600;

const MOST_NAME = 128;

export interface Identities {
  offered(): Promise<OfferedProvider[]>;
  withCode(grant: CodeGrant, address: string, context: AccountContext): Promise<IdentityTokenAnswer>;
  withToken(token: string, address: string, context: AccountContext): Promise<IdentityTokenAnswer>;
}

interface Options {
  providers: IdentityProviders;
  /** The rules of each, by its id. */
  rules: readonly IdentityProvider[];
  store: Pick<AccountStore, 'get'>;
  tokens: Pick<Tokens, 'signAccess'>;
  keys: Pick<Keys, 'keep'>;
  failures: Failures;
  lastUse: Pick<LastUse, 'note'>;
  /** Told of each that signs in. */
  onSignedIn: (key: ApiKeyDocument, context: AccountContext, address: string) => void;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
}

/** The same for every sign-in of somebody: 64 bits of a hash, as a key's id has. */
const keyIdOf = ({ orgId, subject }: Grant, { issuer }: IdentityProvider): string =>
  hash('sha256', JSON.stringify(['turnstone identity', orgId, issuer, subject])).slice(0, 16);

export const makeIdentities = ({
  providers,
  rules,
  store,
  tokens,
  keys,
  failures,
  lastUse,
  onSignedIn,
  clock,
  random,
}: Options): Identities => {
  /**
   * Each identity has one entry among the organization's keys, by which it is seen, audited and revoked. No
   * secret opens it, and it holds no role: those come with each sign-in.
   */
  const entryOf = async (
    grant: Grant,
    provider: IdentityProvider,
    context: AccountContext,
  ): Promise<ApiKeyDocument> => {
    const keyId = keyIdOf(grant, provider);
    const known = await store.get('api_key', keyId);
    if (known) return known;
    const record = {
      key_id: keyId,
      name: `${grant.subject} of ${provider.id}`.slice(0, MOST_NAME),
      prefix: `ts_${keyId}`,
      secret_hash: hash('sha256', random(32)),
      roles: [],
      user_id: grant.userId,
      session_id: null,
      strict: grant.strict,
      expires_at: null,
      addresses: null,
    };
    await keys.keep(
      accountEvent('api_key.created', keyId, { org: grant.orgId, now: clock(), context }, record),
    );
    const entry = await store.get('api_key', keyId);
    // Revoked so long ago that the key is forgotten, and the event that made it is not.
    if (!entry) throw new ServiceError('forbidden', 'The identity was revoked here.');
    return entry;
  };

  const signIn = async (
    { provider: id, claims }: Identity,
    address: string,
    context: AccountContext,
  ): Promise<IdentityTokenAnswer> => {
    const provider = rules.find(each => each.id === id)!;
    const grant = grantOf(provider, claims);
    if (!isThere(await store.get('organization', grant.orgId)))
      throw new ServiceError('forbidden', 'The identity has no organization here.');
    const entry = await entryOf(grant, provider, context);
    assertUsable(entry, address, clock());
    lastUse.note(entry, context, address);
    onSignedIn(entry, context, address);
    const { orgId, userId, roles, strict } = grant;
    const principal = { orgId, userId, roles, keyId: entry.key_id, ...(strict && { strict }) };
    const token = await tokens.signAccess(principal, randomId(random), clock(), IDENTITY_SECONDS);
    return { access_token: token, token_type: 'bearer', expires_in: IDENTITY_SECONDS };
  };

  /** A refused sign-in counts as a refused key does: nobody guesses for long. */
  const counted = async <T>(address: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      if (error instanceof ServiceError && (error.code === 'unauthenticated' || error.code === 'forbidden'))
        await failures.add(address, undefined, clock());
      throw error;
    }
  };

  return {
    offered: providers.offered,
    withCode: (grant, address, context) =>
      counted(address, async () => signIn(await providers.ofCode(grant), address, context)),
    withToken: (token, address, context) =>
      counted(address, async () => signIn(await providers.ofToken(token), address, context)),
  };
};
