import { createHash } from 'node:crypto';
import { ServiceError } from '../../core/errors.ts';
import type { AccountStore } from '../../core/ports/account-store.ts';
import type { Principal } from '../../core/use-cases.ts';
import type { AccessToken, Tokens } from './jwt.ts';

/** Verified tokens that are remembered: a verification costs more than the rest of a small request. */
const REMEMBERED = 10_000;

interface Options {
  store: Pick<AccountStore, 'get'>;
  tokens: Pick<Tokens, 'verifyAccess'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Tells who calls from an access token. The signature is verified once a token, by its hash; whether its time is
 * over or its key revoked is asked on every call. Throws `unauthenticated`; `forbidden` for a revoked key.
 */
export const makeAuthenticate = ({ store, tokens, clock }: Options) => {
  /** In the order of use, the least recent first. */
  const verified = new Map<string, AccessToken>();

  const verify = async (token: string, now: number): Promise<AccessToken> => {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = verified.get(digest);
    if (known) verified.delete(digest);
    const access = known ?? (await tokens.verifyAccess(token, now));
    if (access.expiresAt * 1_000 <= now) {
      throw new ServiceError('unauthenticated', 'The token is missing, invalid or expired.');
    }
    if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value!);
    verified.set(digest, access);
    return access;
  };

  return async (token: string): Promise<Principal> => {
    const { principal } = await verify(token, clock());
    const key = await store.get('api_key', principal.keyId);
    if (!key || key.org_id !== principal.orgId) {
      throw new ServiceError('unauthenticated', 'The token is missing, invalid or expired.');
    }
    if (key.revoked_at) throw new ServiceError('forbidden', "The token's API key is revoked.");
    return principal;
  };
};
