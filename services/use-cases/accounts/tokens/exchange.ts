import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';
import { REFRESH_SECONDS } from '../../../../projections/accounts/lifetimes.ts';
import type { TokenAnswer } from '../../../../schemas/http/tokens.ts';
import type { AccountContext } from '../account-events.ts';
import type { Random } from '../keys/api-key.ts';
import type { CheckKey } from '../keys/check-key.ts';
import type { LastUse } from '../keys/last-use.ts';
import { ACCESS_SECONDS, type Tokens } from './jwt.ts';

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
  ...(key.strict ? { strict: key.strict } : {}),
  roles: key.roles,
  keyId: key.key_id,
});

export const randomId = (random: Random): string => Buffer.from(random(16)).toString('hex');

/** Exchanges an API key for tokens; throws what `check` throws. */
export const makeExchange =
  ({ tokens, clock, random, check }: Omit<TokenContext, 'store' | 'lastUse'> & { check: CheckKey }) =>
  async (apiKey: string, address: string, context: AccountContext): Promise<TokenAnswer> => {
    const key = await check(apiKey, address, context);
    const now = clock();
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
