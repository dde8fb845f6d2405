import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { ServiceError } from '../../../../core/errors.ts';
import type { SigningKey, SigningKeys } from '../../../../core/ports.ts';
import type { Principal } from '../../../../core/use-cases.ts';

export const ACCESS_SECONDS = 24 * 60 * 60;

const ISSUER = 'turnstone';
/** Our tokens have about 800 characters; much longer ones are refused unread. */
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
  /** Shared by all tokens that descend from one exchange. */
  familyId: string;
  /** The token's `jti`. */
  tokenId: string;
  /** Unix seconds. */
  issuedAt: number;
  expiresAt: number;
}

export interface Tokens {
  /** Valid for `seconds`; default: `ACCESS_SECONDS`. */
  signAccess(principal: Principal, tokenId: string, now: number, seconds?: number): Promise<string>;
  /**
   * Deterministic, since RS256 is: the same input gives the same string. `kid`: the key to sign with, if it
   * still exists.
   */
  signRefresh(token: RefreshToken, kid?: string): Promise<string>;
  /** The keys that verify now. */
  keys: SigningKeys;
  /** The `kid` of the current signing key. */
  signingKid(): string;
  /** Throws `unauthenticated` for anything but a valid token of ours of that type. */
  verifyAccess(token: string, now: number): Promise<AccessToken>;
  verifyRefresh(token: string, now: number): Promise<RefreshToken>;
}

const unauthenticated = (cause?: unknown): ServiceError =>
  new ServiceError('unauthenticated', 'The token is missing, invalid or expired.', { cause });

/**
 * Whether it has the form of ids from `randomId` and `successorOf`: a signed token with any other id was
 * never issued.
 */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const accessPayload = (
  { orgId, userId, sessionId, strict, roles, keyId }: Principal,
  tokenId: string,
  now: number,
  seconds: number,
): JWTPayload => {
  const iat = Math.floor(now / 1_000);
  return {
    iss: ISSUER,
    aud: ISSUER,
    type: 'access',
    org_id: orgId,
    user_id: userId,
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
    ...(strict ? { strict } : {}),
    roles,
    key_id: keyId,
    jti: tokenId,
    iat,
    exp: iat + seconds,
  };
};

const refreshPayload = (token: RefreshToken): JWTPayload => ({
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
});

/** The claims that tokens of both types have; `verify` has checked them. */
type VerifiedPayload = JWTPayload & {
  org_id: string;
  user_id: string;
  key_id: string;
  iat: number;
  exp: number;
};

const accessTokenOf = (payload: VerifiedPayload): AccessToken => {
  const { org_id, user_id, session_id, strict, roles, key_id, exp } = payload;
  if (!Array.isArray(roles) || !roles.every(isText)) throw unauthenticated();
  const reach = {
    ...(isText(session_id) ? { sessionId: session_id } : {}),
    ...(strict === true ? { strict: true } : {}),
  };
  return {
    principal: { orgId: org_id, userId: user_id, ...reach, roles, keyId: key_id },
    expiresAt: exp,
  };
};

const refreshTokenOf = (payload: VerifiedPayload): RefreshToken => {
  const { org_id, user_id, key_id, family_id, jti, iat, exp } = payload;
  if (!isId(jti) || !isId(family_id)) throw unauthenticated();
  return {
    orgId: org_id,
    userId: user_id,
    keyId: key_id,
    familyId: family_id,
    tokenId: jti,
    issuedAt: iat,
    expiresAt: exp,
  };
};

/** The first key with a private half; throws when there is none. */
export const signingKeyOf = (keys: readonly SigningKey[]): SigningKey => {
  const signing = keys.find(key => key.privateKey);
  if (!signing) throw new Error('no signing key with a private half');
  return signing;
};

/** `now` is in Unix milliseconds everywhere. */
export const makeTokens = (keys: SigningKeys): Tokens => {
  const keyOf = (kid: string): SigningKey | undefined => keys().find(key => key.kid === kid);

  const sign = (payload: JWTPayload, { kid, privateKey }: SigningKey): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey!);

  const verify = async (token: string, type: string, now: number): Promise<VerifiedPayload> => {
    if (token.length > MOST_CHARACTERS) throw unauthenticated();
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : keyOf(kid);
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
      return payload as VerifiedPayload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw unauthenticated(error);
      throw error;
    }
  };

  return {
    keys,
    signingKid: () => signingKeyOf(keys()).kid,
    signAccess: (principal, tokenId, now, seconds = ACCESS_SECONDS) =>
      sign(accessPayload(principal, tokenId, now, seconds), signingKeyOf(keys())),
    signRefresh: (token, kid) => {
      const key = kid === undefined ? undefined : keyOf(kid);
      return sign(refreshPayload(token), key?.privateKey ? key : signingKeyOf(keys()));
    },
    verifyAccess: async (token, now) => accessTokenOf(await verify(token, 'access', now)),
    verifyRefresh: async (token, now) => refreshTokenOf(await verify(token, 'refresh', now)),
  };
};
