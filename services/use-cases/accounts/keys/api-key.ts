import { createHash, timingSafeEqual } from 'node:crypto';

const KEY_ID = '[0-9a-f]{16}';
const API_KEY = new RegExp(`^ts_(${KEY_ID})_([A-Za-z0-9_-]{43})$`);

export type Random = (bytes: number) => Uint8Array;

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * `ts_<id>_<secret>`: the id is public and selects the record, the secret has 256 random bits. A plain hash
 * is enough to store it: with so many bits guessing is infeasible, so a slow hash would add nothing.
 */
export const makeApiKey = (
  random: Random,
): { keyId: string; apiKey: string; prefix: string; secretHash: string } => {
  const keyId = Buffer.from(random(8)).toString('hex');
  const secret = Buffer.from(random(32)).toString('base64url');
  return {
    keyId,
    apiKey: `ts_${keyId}_${secret}`,
    prefix: `ts_${keyId}`,
    secretHash: hashOf(secret).toString('hex'),
  };
};

export const parseApiKey = (apiKey: string): { keyId: string; secret: string } | undefined => {
  const match = API_KEY.exec(apiKey);
  return match ? { keyId: match[1]!, secret: match[2]! } : undefined;
};

/** Compares in constant time, also without a stored hash, which gives false. */
export const secretMatches = (secret: string, storedHash: string | undefined): boolean => {
  const stored = storedHash === undefined ? Buffer.alloc(32) : Buffer.from(storedHash, 'hex');
  const presented = hashOf(secret);
  const equal = stored.length === presented.length && timingSafeEqual(stored, presented);
  return equal && storedHash !== undefined;
};
