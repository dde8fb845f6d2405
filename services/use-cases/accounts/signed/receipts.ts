import { SignJWT } from 'jose';
import type { SigningKeys } from '../../../../core/ports.ts';
import type { ErasureCounts } from '../../../../schemas/events/curation/erasure.ts';
import { signingKeyOf } from '../tokens/jwt.ts';

export interface Erasure {
  id: string;
  org: string;
  user: string;
  session: string | null;
  /** RFC 3339. */
  erasedAt: string;
  counts: ErasureCounts;
}

export interface Receipts {
  /**
   * Signs a compact JWS (RFC 7515), verifiable with the keys of `/.well-known/jwks.json`. It can't serve as a
   * token: it has no audience.
   */
  sign(erasure: Erasure): Promise<string>;
}

/** Throws when there is no key to sign with. */
export const makeReceipts = (keys: SigningKeys): Receipts => ({
  sign: ({ id, org, user, session, erasedAt, counts }) => {
    const signing = signingKeyOf(keys());
    return new SignJWT({
      iss: 'turnstone',
      jti: id,
      iat: Math.floor(Date.parse(erasedAt) / 1_000),
      type: 'erasure',
      scope: { org_id: org, user_id: user, session_id: session },
      erased_at: erasedAt,
      erased: { ...counts },
    })
      .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: 'erasure+jwt' })
      .sign(signing.privateKey!);
  },
});
