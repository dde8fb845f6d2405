import type { JsonWebKey } from 'node:crypto';
import type { SigningKey } from '../../../../core/ports.ts';

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
