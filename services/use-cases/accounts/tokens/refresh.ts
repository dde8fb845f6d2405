import { createHash } from 'node:crypto';
import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import { ServiceError } from '../../../../core/errors.ts';
import type { RotationDocument } from '../../../../projections/accounts/accounts-projection.ts';
import { REFRESH_SECONDS } from '../../../../projections/accounts/lifetimes.ts';
import type { TokenAnswer } from '../../../../schemas/http/tokens.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import { assertUsable } from '../keys/usable.ts';
import { assertNotGone } from '../organizations/unused.ts';
import { principalOf, randomId, type TokenContext } from './exchange.ts';
import { ACCESS_SECONDS, type RefreshToken } from './jwt.ts';

/**
 * Within this time after its answer, a used token gets its successor again: the answer may not have arrived
 * after all.
 */
const RETRY_MS = 60_000;
/** The most deliveries that are remembered, so that retries note each once. */
const REMEMBERED = 10_000;

export interface Refreshed {
  answer: TokenAnswer;
  /** To be called once the answer was written out whole. */
  delivered: () => void;
}

const refused = (message: string): ServiceError => new ServiceError('unauthenticated', message);

/** The id of a token's successor, which is the same on every instance. */
const successorOf = (tokenId: string): string =>
  createHash('sha256').update(`turnstone successor\n${tokenId}`).digest('hex').slice(0, 32);

/**
 * Exchanges a refresh token for its successor and a new access token. One of several racing uses is recorded,
 * and the successor is derived from its event alone, so every retry, on any instance and after any crash,
 * gets the same string. A used token counts as stolen once its successor was used, or when it comes back more
 * than `RETRY_MS` after an answer with the successor was written out; its family is then revoked. While no
 * answer was (it was lost, or a 503), it may be presented again for as long as it lives.
 */
export const makeRefresh = ({ store, tokens, clock, random, lastUse }: TokenContext) => {
  const deliveries = boundedMap<true>(REMEMBERED);

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
    const { outcome, rotation } = await store.rotate(event);
    return { rotation, first: outcome === 'recorded' };
  };

  const isStolen = async ({ delivered_at, successor_id }: RotationDocument): Promise<boolean> => {
    const isLate = delivered_at !== undefined && clock() - Date.parse(delivered_at) > RETRY_MS;
    return isLate || (await store.get('rotation', successor_id)) !== undefined;
  };

  const revokeFamily = async (token: RefreshToken, context: AccountContext): Promise<void> => {
    const about = { org: token.orgId, now: clock(), context };
    const { familyId } = token;
    await store.record(accountEvent('refresh_family.revoked', familyId, about, { family_id: familyId }));
  };

  /** If noting it fails, the token may be repeated for longer than it should: a person is not locked out. */
  const noteDelivery = ({ token_id, org_id }: RotationDocument, context: AccountContext): void => {
    if (deliveries.get(token_id)) return;
    deliveries.set(token_id, true);
    const about = { org: org_id, now: clock(), context };
    store
      .note(accountEvent('refresh_token.delivered', token_id, about, { token_id }))
      .catch(() => deliveries.delete(token_id));
  };

  return async (presented: string, address: string, context: AccountContext): Promise<Refreshed> => {
    const token = await tokens.verifyRefresh(presented, clock());
    const [key, family] = await Promise.all([
      store.get('api_key', token.keyId),
      store.get('family', token.familyId),
    ]);
    if (!key || key.org_id !== token.orgId || key.revoked_at) throw refused('The API key is revoked.');
    assertNotGone(await store.get('organization', key.org_id));
    assertUsable(key, address, clock());
    if (family) throw refused('The refresh token is revoked.');

    const { rotation, first } = await rotate(token, context);
    if (!first && (await isStolen(rotation))) {
      await revokeFamily(token, context);
      throw refused('The refresh token was used before; its family is revoked.');
    }
    lastUse.note(key, context, address);

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
    return {
      answer: {
        access_token: access,
        refresh_token: refresh,
        token_type: 'bearer',
        expires_in: ACCESS_SECONDS,
      },
      delivered: () => {
        if (rotation.delivered_at === undefined) noteDelivery(rotation, context);
      },
    };
  };
};
