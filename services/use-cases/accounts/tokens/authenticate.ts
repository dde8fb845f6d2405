import { hash } from 'node:crypto';
import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports.ts';
import type { Caller } from '../../../../core/use-cases.ts';
import type { Allowed } from '../keys/check-key.ts';
import { assertUsable } from '../keys/usable.ts';
import type { AccessToken, Tokens } from './jwt.ts';

/** The most verified tokens in the cache: a verification costs more than the rest of a small request. */
const REMEMBERED = 10_000;

interface Options {
  store: Pick<AccountStore, 'get'>;
  tokens: Pick<Tokens, 'verifyAccess' | 'keys'>;
  allowedOf: (org: string) => Promise<Allowed>;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * The caller that an access token names, with the allowances of its organization, read with its key. Its
 * signature is verified once and cached by the token's hash; its expiry and the revocation of its key are
 * checked on every call. Throws `unauthenticated`, and what `assertUsable` throws of its key.
 */
export const makeAuthenticate = ({ store, tokens, allowedOf, clock }: Options) => {
  /** Least recently used first. */
  const verified = new Map<string, AccessToken>();
  let keys = tokens.keys();

  const verify = async (token: string, now: number): Promise<AccessToken> => {
    if (keys !== tokens.keys()) {
      // The key that signed a token may be gone.
      verified.clear();
      keys = tokens.keys();
    }
    const verifiedBy = keys;
    const digest = hash('sha256', token, 'base64');
    const known = verified.get(digest);
    if (known) verified.delete(digest);
    const access = known ?? (await tokens.verifyAccess(token, now));
    if (access.expiresAt * 1_000 <= now) {
      throw new ServiceError('unauthenticated', 'The token is missing, invalid or expired.');
    }
    if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value!);
    // Another call may have seen new keys meanwhile: this one's signature is by those of before.
    if (verifiedBy === tokens.keys()) verified.set(digest, access);
    return access;
  };

  return async (token: string, address: string): Promise<Caller> => {
    const { principal } = await verify(token, clock());
    const [key, allowed] = await Promise.all([
      store.get('api_key', principal.keyId),
      allowedOf(principal.orgId),
    ]);
    if (!key || key.org_id !== principal.orgId) {
      throw new ServiceError('unauthenticated', 'The token is missing, invalid or expired.');
    }
    assertUsable(key, address, clock());
    return { ...principal, ...allowed };
  };
};
