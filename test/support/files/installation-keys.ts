import { createSecretKey } from 'node:crypto';
import type { InstallationKeys } from '../../../core/log/keys/installation-keys.ts';

/** Keys of an installation that nobody rotates: the first wraps. */
export const installationOf = (...keys: readonly Uint8Array[]): InstallationKeys => {
  const objects = keys.map(key => createSecretKey(key));
  return { read: () => objects, reread: () => objects };
};
