import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { ServiceError } from '../../core/errors.ts';
import type { SigningKey } from '../../core/ports.ts';
import type { Principal } from '../../core/use-cases.ts';

export const ACCESS_SECONDS = 24 * 60 * 60;

const ISSUER = 'turnstone';
/** Ours have some 800; anything much longer is not worth a look. */
const MOST_CHARACTERS = 4_096;

export interface AccessToken {
  principal: Principal;
  /** Unix seconds. */
  expiresAt: number;
}

export interface RefreshToken {
  orgId: string;
  userId: string;
  keyId: string;
  /** All tokens that were rotated out of one exchange. */
  familyId: string;
  /** Its `jti`. */
  tokenId: string;
  /** Unix seconds. */
  issuedAt: number;
  expiresAt: number;
}

export interface Tokens {
  signAccess(principal: Principal, tokenId: string, now: number): Promise<string>;
  /** The same input makes the same string: RS256 has no randomness. `kid`: the key to sign with, if it is still held. */
  signRefresh(token: RefreshToken, kid?: string): Promise<string>;
  /** The key that signs today. */
  signingKid(): string;
  /** Throws `unauthenticated` for anything but a live token of ours of that type. */
  verifyAccess(token: string, now: number): Promise<AccessToken>;
  verifyRefresh(token: string, now: number): Promise<RefreshToken>;
}

const unauthenticated = (cause?: unknown): ServiceError =>
  new ServiceError('unauthenticated', 'The token is missing, invalid or expired.', { cause });

/** An id as `randomId` and `successorOf` make it: a signed token with another one is none that was given out. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** `now` in Unix milliseconds everywhere. The first key with a private half signs, all of them verify. */
export const makeTokens = (keys: readonly SigningKey[]): Tokens => {
  const signing = keys.find(key => key.privateKey);
  if (!signing) throw new Error('no signing key with a private half');
  const byKid = new Map(keys.map(key => [key.kid, key]));

  const sign = (payload: JWTPayload, { kid, privateKey }: SigningKey): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey!);

  const verify = async (token: string, type: string, now: number): Promise<JWTPayload> => {
    if (token.length > MOST_CHARACTERS) throw unauthenticated();
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : byKid.get(kid);
          if (!key) throw new errors.JWKSNoMatchingKey();
          return key.publicKey;
        },
        {
          algorithms: ['RS256'],
          issuer: ISSUER,
          audience: ISSUER,
          currentDate: new Date(now),
          requiredClaims: ['exp', 'iat', 'org_id', 'user_id', 'key_id', 'type'],
        },
      );
      const { org_id, user_id, key_id } = payload;
      if (payload.type !== type || !isText(org_id) || !isText(user_id) || !isText(key_id)) {
        throw unauthenticated();
      }
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw unauthenticated(error);
      throw error;
    }
  };

  return {
    signingKid: () => signing.kid,

    signAccess: ({ orgId, userId, sessionId, roles, keyId }, tokenId, now) => {
      const iat = Math.floor(now / 1_000);
      const payload: JWTPayload = {
        iss: ISSUER,
        aud: ISSUER,
        type: 'access',
        org_id: orgId,
        user_id: userId,
        ...(sessionId === undefined ? {} : { session_id: sessionId }),
        roles,
        key_id: keyId,
        jti: tokenId,
        iat,
        exp: iat + ACCESS_SECONDS,
      };
      return sign(payload, signing);
    },

    signRefresh: (token, kid = signing.kid) => {
      const key = byKid.get(kid);
      const payload: JWTPayload = {
        iss: ISSUER,
        aud: ISSUER,
        type: 'refresh',
        org_id: token.orgId,
        user_id: token.userId,
        key_id: token.keyId,
        family_id: token.familyId,
        jti: token.tokenId,
        iat: token.issuedAt,
        exp: token.expiresAt,
      };
      return sign(payload, key?.privateKey ? key : signing);
    },

    verifyAccess: async (token, now) => {
      const payload = await verify(token, 'access', now);
      const { session_id, roles } = payload;
      if (!Array.isArray(roles) || !roles.every(isText)) throw unauthenticated();
      return {
        principal: {
          orgId: payload.org_id as string,
          userId: payload.user_id as string,
          ...(isText(session_id) ? { sessionId: session_id } : {}),
          roles,
          keyId: payload.key_id as string,
        },
        expiresAt: payload.exp!,
      };
    },

    verifyRefresh: async (token, now) => {
      const payload = await verify(token, 'refresh', now);
      const { jti, family_id } = payload;
      if (!isId(jti) || !isId(family_id)) throw unauthenticated();
      return {
        orgId: payload.org_id as string,
        userId: payload.user_id as string,
        keyId: payload.key_id as string,
        familyId: family_id,
        tokenId: jti,
        issuedAt: payload.iat!,
        expiresAt: payload.exp!,
      };
    },
  };
};
