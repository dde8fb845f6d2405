import type { KeyObject } from 'node:crypto';

/** An RSA key of the installation. A key without its private half only verifies. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject | undefined;
  publicKey: KeyObject;
}
