import { REFRESH_SECONDS } from '../../../projections/accounts/lifetimes.ts';
import type { ApiKeyDocument } from '../../../projections/accounts/projection.ts';
import type { TokenAnswer } from '../../../schemas/http/tokens.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountStore } from '../../core/ports/account-store.ts';
import type { Principal } from '../../core/use-cases.ts';
import { parseApiKey, type Random, secretMatches } from './api-key.ts';
import type { AccountContext } from './events.ts';
import type { Failures } from './failures.ts';
import { ACCESS_SECONDS, type Tokens } from './jwt.ts';
import type { LastUse } from './last-use.ts';

/** The dependencies of exchange and refresh. */
export interface TokenContext {
  store: AccountStore;
  tokens: Tokens;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  lastUse: LastUse;
}

export const principalOf = (key: ApiKeyDocument): Principal => ({
  orgId: key.org_id,
  userId: key.user_id,
  ...(key.session_id === null ? {} : { sessionId: key.session_id }),
  roles: key.roles,
  keyId: key.key_id,
});

export const randomId = (random: Random): string => Buffer.from(random(16)).toString('hex');

/** Exchanges an API key for tokens: 401 for an unknown key, 403 for a revoked one, 429 after too many failures. */
export const makeExchange =
  ({ store, tokens, clock, random, lastUse, failures }: TokenContext & { failures: Failures }) =>
  async (apiKey: string, address: string, context: AccountContext): Promise<TokenAnswer> => {
    await failures.check(address, clock());
    const presented = parseApiKey(apiKey);
    const key = presented && (await store.get('api_key', presented.keyId));
    const matches = secretMatches(presented?.secret ?? '', key?.secret_hash);
    const now = clock();
    if (!key || !matches) {
      await failures.add(address, presented?.keyId, now);
      throw new ServiceError('unauthenticated', 'The API key is not known.');
    }
    if (key.revoked_at) {
      await failures.add(address, key.key_id, now);
      throw new ServiceError('forbidden', 'The API key is revoked.');
    }
    lastUse(key, context);

    const issuedAt = Math.floor(now / 1_000);
    const [access, refresh] = await Promise.all([
      tokens.signAccess(principalOf(key), randomId(random), now),
      tokens.signRefresh({
        orgId: key.org_id,
        userId: key.user_id,
        keyId: key.key_id,
        familyId: randomId(random),
        tokenId: randomId(random),
        issuedAt,
        expiresAt: issuedAt + REFRESH_SECONDS,
      }),
    ]);
    return { access_token: access, refresh_token: refresh, token_type: 'bearer', expires_in: ACCESS_SECONDS };
  };
