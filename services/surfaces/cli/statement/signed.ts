import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

export interface StatedTotals {
  tokens_in: number;
  tokens_out: number;
  events: number;
}

/** The claims of a statement (schemas/http/usage.ts). */
export interface StatementClaims extends StatedTotals {
  iss: string;
  type: string;
  /** Unix seconds. */
  iat: number;
  org_id: string;
  /** YYYY-MM. */
  month: string;
  root: string;
  days: (StatedTotals & { day: string })[];
}

export interface SignedStatement {
  kid: string;
  claims: StatementClaims;
  /** Whether one of these keys signed it. */
  isSignedBy(keys: readonly (JsonWebKey & { kid?: string })[]): boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const hasTotals = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && [value.tokens_in, value.tokens_out, value.events].every(isCount);

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

const isClaims = (value: unknown): value is StatementClaims =>
  hasTotals(value) &&
  value.type === 'usage_statement' &&
  [value.org_id, value.month, value.root].every(text => typeof text === 'string') &&
  MONTH.test(String(value.month)) &&
  isCount(value.iat) &&
  Array.isArray(value.days) &&
  value.days.every(day => hasTotals(day) && typeof day.day === 'string');

/** Reads a compact JWS, or the answer of the service that has it; undefined for anything else. */
export const readStatement = (text: string): SignedStatement | undefined => {
  const answer = parsed(text);
  const jws = isObject(answer) ? String(answer.statement) : text.trim();
  const [head, payload, signature, ...rest] = jws.split('.');
  if (!head || !payload || !signature || rest.length > 0) return undefined;
  const header = parsed(Buffer.from(head, 'base64url').toString());
  const claims = parsed(Buffer.from(payload, 'base64url').toString());
  if (!isObject(header) || header.alg !== 'RS256' || typeof header.kid !== 'string' || !isClaims(claims))
    return undefined;
  const { kid } = header;
  return {
    kid,
    claims,
    isSignedBy: keys =>
      keys
        .filter(key => key.kid === kid)
        .some(key =>
          verify(
            'RSA-SHA256',
            Buffer.from(`${head}.${payload}`),
            createPublicKey({ key, format: 'jwk' }),
            Buffer.from(signature, 'base64url'),
          ),
        ),
  };
};

/** The keys of a JWK set, or of a single JWK; undefined for anything else. */
export const readKeys = (text: string): (JsonWebKey & { kid?: string })[] | undefined => {
  const value = parsed(text);
  if (!isObject(value)) return undefined;
  const keys = Array.isArray(value.keys) ? value.keys : [value];
  return keys.every(key => isObject(key) && key.kty === 'RSA') ? (keys as JsonWebKey[]) : undefined;
};
