import type { KeyObject } from 'node:crypto';

/** An RSA key of the installation. A key without its private half only verifies. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject | undefined;
  publicKey: KeyObject;
}

/**
 * Return the current keys, in a new array after a change. The first with a private half signs, all of them
 * verify.
 */
export type SigningKeys = () => readonly SigningKey[];
