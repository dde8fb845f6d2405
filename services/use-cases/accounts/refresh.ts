import { createHash } from 'node:crypto';
import { REFRESH_SECONDS } from '../../../projections/accounts/lifetimes.ts';
import type { RotationDocument } from '../../../projections/accounts/projection.ts';
import type { TokenAnswer } from '../../../schemas/http/tokens.ts';
import { ServiceError } from '../../core/errors.ts';
import { type AccountContext, accountEvent } from './events.ts';
import { principalOf, randomId, recordUse, type TokenContext } from './exchange.ts';
import { ACCESS_SECONDS, type RefreshToken } from './jwt.ts';

/** Within this time, a used token gets its successor again, because the answer to its first use may have been lost. */
const RETRY_MS = 60_000;

const refused = (message: string): ServiceError => new ServiceError('unauthenticated', message);

/** The id of a token's successor, which is the same on every instance. */
const successorOf = (tokenId: string): string =>
  createHash('sha256').update(`turnstone successor\n${tokenId}`).digest('hex').slice(0, 32);

/**
 * Exchanges a refresh token for its successor and a new access token. The id of the rotation's event is derived from the
 * used token's id, so only one of several racing uses is recorded; the successor is derived only from that event, so
 * every retry, on any instance and after any crash, gets the same string. A used token that is presented after
 * `RETRY_MS`, or once its successor was used, counts as stolen: its family is revoked.
 */
export const makeRefresh = (accounts: TokenContext) => {
  const { store, tokens, clock, random } = accounts;

  /** Records the use of the token, or returns the use that was recorded first. */
  const rotate = async (
    token: RefreshToken,
    context: AccountContext,
  ): Promise<{ rotation: RotationDocument; first: boolean }> => {
    const known = await store.get('rotation', token.tokenId);
    if (known) return { rotation: known, first: false };
    const now = clock();
    const issuedAt = Math.floor(now / 1_000);
    const event = accountEvent(
      'refresh_token.rotated',
      token.tokenId,
      { org: token.orgId, now, context },
      {
        token_id: token.tokenId,
        family_id: token.familyId,
        key_id: token.keyId,
        successor_id: successorOf(token.tokenId),
        issued_at: issuedAt,
        expires_at: issuedAt + REFRESH_SECONDS,
        signing_key: tokens.signingKid(),
      },
    );
    const outcome = await store.record(event);
    const rotation = await store.get('rotation', token.tokenId);
    if (!rotation) throw new Error('a recorded rotation can not be read');
    return { rotation, first: outcome === 'recorded' };
  };

  const revokeFamily = async (token: RefreshToken, context: AccountContext): Promise<void> => {
    const about = { org: token.orgId, now: clock(), context };
    const { familyId } = token;
    await store.record(accountEvent('refresh_family.revoked', familyId, about, { family_id: familyId }));
  };

  return async (presented: string, context: AccountContext): Promise<TokenAnswer> => {
    const token = await tokens.verifyRefresh(presented, clock());
    const [key, family] = await Promise.all([
      store.get('api_key', token.keyId),
      store.get('family', token.familyId),
    ]);
    if (!key || key.org_id !== token.orgId || key.revoked_at) throw refused('The API key is revoked.');
    if (family) throw refused('The refresh token is revoked.');

    const { rotation, first } = await rotate(token, context);
    if (!first) {
      const isLate = clock() - Date.parse(rotation.rotated_at) > RETRY_MS;
      if (isLate || (await store.get('rotation', rotation.successor_id))) {
        await revokeFamily(token, context);
        throw refused('The refresh token was used before; its family is revoked.');
      }
    }
    await recordUse(accounts, key, context);

    const [access, refresh] = await Promise.all([
      tokens.signAccess(principalOf(key), randomId(random), clock()),
      tokens.signRefresh(
        {
          orgId: token.orgId,
          userId: token.userId,
          keyId: token.keyId,
          familyId: token.familyId,
          tokenId: rotation.successor_id,
          issuedAt: rotation.issued_at,
          expiresAt: rotation.expires_at,
        },
        rotation.signing_key,
      ),
    ]);
    return { access_token: access, refresh_token: refresh, token_type: 'bearer', expires_in: ACCESS_SECONDS };
  };
};
