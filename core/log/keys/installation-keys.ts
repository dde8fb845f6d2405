/**
 * The keys of the installation, which wrap the users' keys. During a rotation there are several: the first
 * wraps new keys, and each unwraps the keys that it has wrapped.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { boundTo, unwrapKey, type WrappedKey } from './key-wrapping.ts';
import { seal } from './sealing.ts';

export interface InstallationKeys {
  /**
   * Returns the keys, never none; the first one wraps. `anew`: reads them from their source instead of the
   * cache.
   */
  read(anew?: boolean): readonly KeyObject[];
  /** Reads them from their source. Throws where that is impossible, instead of returning cached keys. */
  reread(): readonly KeyObject[];
}

/**
 * Progress of a rotation: the users' keys that it has seen, and those that it wrapped anew or, in a dry run,
 * would wrap.
 */
export interface RewrapProgress {
  kind: 'progress' | 'done';
  checked: number;
  rewrapped: number;
}

/**
 * Returns the id of an installation key: 12 hexadecimal digits of its SHA-256, which reveal nothing of it.
 */
export const kidOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 12);

const openedBy = (keys: readonly KeyObject[], key: Omit<WrappedKey, 'keyId'>): KeyObject | undefined => {
  for (const one of keys) {
    try {
      return unwrapKey(one, key);
    } catch {
      // Another installation key wrapped it.
    }
  }
  return undefined;
};

/** Unwraps a user's key, whichever installation key wrapped it. Throws when none of them did. */
export const unwrapUserKey = (installation: InstallationKeys, key: Omit<WrappedKey, 'keyId'>): KeyObject => {
  // Another process may have wrapped it with a key that this one has not read yet.
  const opened = openedBy(installation.read(), key) ?? openedBy(installation.read(true), key);
  if (!opened) throw new Error('a sealing key was wrapped by none of the keys of this installation');
  return opened;
};

/** Whether the installation's first key wraps it. */
export const isWrappedByFirst = (installation: InstallationKeys, key: Omit<WrappedKey, 'keyId'>): boolean =>
  openedBy(installation.read().slice(0, 1), key) !== undefined;

/** Returns the same key, wrapped by the installation's first key. */
export const rewrapped = <Key extends WrappedKey>(installation: InstallationKeys, key: Key): Key => {
  const plain = unwrapUserKey(installation, key).export();
  return { ...key, wrapped: seal(installation.read()[0]!, plain, boundTo(key)) };
};
