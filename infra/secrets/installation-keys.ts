import { createSecretKey, type KeyObject } from 'node:crypto';
import type { InstallationKeys } from '../../core/log/keys/installation-keys.ts';
import { readInstallationKeys } from './files.ts';

/** Maximum delay until a process wraps by the first key of its changed file. */
const FOLLOWED_WITHIN_MS = 2_000;

/**
 * Returns the keys of a file, which is read again as it is used, so that every process follows a rotation
 * without a restart. Throws if the file can't be read at first; later the keys stay as they were, and a fault
 * is reported once.
 */
export const followInstallationKeys = (
  path: string,
  onFault: (error: unknown) => void = () => {},
): InstallationKeys => {
  const load = (): KeyObject[] => readInstallationKeys(path).map(key => createSecretKey(key));
  let keys = load();
  let at = performance.now();
  let fault = '';
  const reread = (): readonly KeyObject[] => {
    at = performance.now();
    keys = load();
    fault = '';
    return keys;
  };
  return {
    reread,
    read: (anew = false) => {
      if (!anew && performance.now() - at < FOLLOWED_WITHIN_MS) return keys;
      try {
        return reread();
      } catch (error) {
        // A mount may be away for a moment, but a file that stays unreadable keeps this process from
        // following a rotation.
        const { message } = error as Error;
        if (message !== fault) onFault(error);
        fault = message;
        return keys;
      }
    },
  };
};
