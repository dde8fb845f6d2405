import { SignJWT } from 'jose';
import type { SigningKeys } from '../../../../core/ports.ts';
import type { MonthTotals } from '../../../../projections/usage/statement.ts';
import { signingKeyOf } from '../tokens/jwt.ts';

export interface Statement extends MonthTotals {
  org: string;
  /** YYYY-MM. */
  month: string;
  /** When it was computed, Unix milliseconds. */
  statedAt: number;
}

export interface UsageStatements {
  /**
   * Signs a compact JWS (RFC 7515), verifiable with the keys of `/.well-known/jwks.json`. It can't serve as a
   * token: it has no audience.
   */
  sign(statement: Statement): Promise<string>;
}

/** Throws when there is no key to sign with. */
export const makeUsageStatements = (keys: SigningKeys): UsageStatements => ({
  sign: ({ org, statedAt, month, tokens_in, tokens_out, events, root, days }) => {
    const signing = signingKeyOf(keys());
    return new SignJWT({
      iss: 'turnstone',
      iat: Math.floor(statedAt / 1_000),
      type: 'usage_statement',
      org_id: org,
      month,
      tokens_in,
      tokens_out,
      events,
      root,
      days: days.map(day => ({ ...day })),
    })
      .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: 'usage-statement+jwt' })
      .sign(signing.privateKey!);
  },
});
