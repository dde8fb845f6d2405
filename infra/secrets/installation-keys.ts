import { createSecretKey, type KeyObject } from 'node:crypto';
import type { InstallationKeys } from '../../services/core/log/installation-keys.ts';
import { readInstallationKeys } from './files.ts';

/** How soon a process wraps by the key that its file has as the first one. */
export const FOLLOWED_WITHIN_MS = 2_000;

/**
 * The keys of a file, which is read again as it is used, so that every process follows a rotation without a restart. Throws
 * when the file can't be read at first; later the keys stay as they were.
 */
export const followInstallationKeys = (path: string): InstallationKeys => {
  const load = (): KeyObject[] => readInstallationKeys(path).map(key => createSecretKey(key));
  let keys = load();
  let at = performance.now();
  return {
    read: (anew = false) => {
      if (!anew && performance.now() - at < FOLLOWED_WITHIN_MS) return keys;
      at = performance.now();
      try {
        keys = load();
      } catch {
        // It is being replaced, or its mount is away for a moment.
      }
      return keys;
    },
  };
};
