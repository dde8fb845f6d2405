/**
 * The keys of the installation, which wrap the users' keys. There is more than one while they are rotated: the first wraps what
 * is new, and each opens what it has wrapped.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { boundTo, unwrapKey, type WrappedKey } from './key-wrapping.ts';
import { seal } from './sealing.ts';

export interface InstallationKeys {
  /** The first wraps; never empty. `anew`: as they are at this moment, not as they were a moment ago. */
  read(anew?: boolean): readonly KeyObject[];
  /** Reads them now. Throws where they can't be read, instead of returning them as they were. */
  reread(): readonly KeyObject[];
}

/** Progress of a rotation: users whose keys it checked, and users whose keys it rewrapped, or would rewrap. */
export interface RewrapProgress {
  kind: 'progress' | 'done';
  checked: number;
  rewrapped: number;
}

/** Names an installation key, and reveals nothing of it: 12 hexadecimal digits of its SHA-256. */
export const kidOf = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex').slice(0, 12);

const openedBy = (keys: readonly KeyObject[], key: Omit<WrappedKey, 'keyId'>): KeyObject | undefined => {
  for (const one of keys) {
    try {
      return unwrapKey(one, key);
    } catch {
      // Another one wrapped it.
    }
  }
  return undefined;
};

/** Opens a user's key, whichever key of the installation has wrapped it. Throws when none of them did. */
export const unwrapUserKey = (installation: InstallationKeys, key: Omit<WrappedKey, 'keyId'>): KeyObject => {
  // Another process may have wrapped it by a key that this one has not read yet.
  const opened = openedBy(installation.read(), key) ?? openedBy(installation.read(true), key);
  if (!opened) throw new Error('a sealing key was wrapped by none of the keys of this installation');
  return opened;
};

/** Whether the first key of the installation wraps it. */
export const isWrappedByFirst = (installation: InstallationKeys, key: Omit<WrappedKey, 'keyId'>): boolean =>
  openedBy(installation.read().slice(0, 1), key) !== undefined;

/** The same key, wrapped by the first key of the installation. */
export const rewrapped = <Key extends WrappedKey>(installation: InstallationKeys, key: Key): Key => {
  const plain = unwrapUserKey(installation, key).export();
  return { ...key, wrapped: seal(installation.read()[0]!, plain, boundTo(key)) };
};
