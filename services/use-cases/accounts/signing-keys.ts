import type { JsonWebKey, KeyObject } from 'node:crypto';

/** An RSA key of the installation. One without its private half verifies only. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject | undefined;
  publicKey: KeyObject;
}

/** A public key as `/.well-known/jwks.json` shows it. */
export interface PublicJwk {
  kty: 'RSA';
  kid: string;
  use: 'sig';
  alg: 'RS256';
  n: string;
  e: string;
}

export const publicJwk = ({ kid, publicKey }: SigningKey): PublicJwk => {
  const { n, e } = publicKey.export({ format: 'jwk' }) as JsonWebKey & { n: string; e: string };
  return { kty: 'RSA', kid, use: 'sig', alg: 'RS256', n, e };
};
