/**
 * Sealing keys at rest: one per session, wrapped by its user partition's key, which is wrapped by the
 * installation's key. All key stores share this wrapping.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { open, seal } from './sealing.ts';

export interface WrappedKey {
  /** Random; an envelope reveals nothing else about its key. */
  keyId: string;
  /** The user partition: JSON of [organization, user]. */
  owner: string;
  /** JSON of [session], or '' for the partition's own key. */
  session: string;
  wrapped: Uint8Array;
}

export const ownerOf = (org: string, user: string): string => JSON.stringify([org, user]);
/** Returns the organization and the user that `ownerOf` encoded. */
export const orgAndUserOf = (owner: string): [org: string, user: string] => JSON.parse(owner);
export const sessionOf = (session: string): string => JSON.stringify([session]);
/** Returns the name of the session that `sessionOf` encoded. */
export const sessionNamed = (encoded: string): string => (JSON.parse(encoded) as [string])[0];
/** The `session` of a partition's own key. */
export const PARTITION = '';

/** Returns the associated data of a wrapped key, which binds it to its scope. */
export const boundTo = ({ owner, session }: Pick<WrappedKey, 'owner' | 'session'>): string =>
  `${owner}\n${session}`;

/** Makes a new key for the scope. */
export const makeWrappedKey = (wrapping: KeyObject, owner: string, session: string): WrappedKey =>
  wrappedKey(wrapping, owner, session, randomUUID());

/**
 * Makes a replacement for a session's key. Its id keeps the line of the replaced key, so that derived ids
 * stay the same: a write that is retried while its session's key is replaced is the same write.
 */
export const makeNextKey = (
  wrapping: KeyObject,
  { owner, session, keyId }: Omit<WrappedKey, 'wrapped'>,
): WrappedKey => wrappedKey(wrapping, owner, session, `${lineOf(keyId)}.${randomUUID()}`);

/** Returns the line of a key: the part of its id that a session's key shares with its replacements. */
export const lineOf = (keyId: string): string => keyId.split('.', 1)[0]!;

const wrappedKey = (wrapping: KeyObject, owner: string, session: string, keyId: string): WrappedKey => ({
  keyId,
  owner,
  session,
  wrapped: seal(wrapping, randomBytes(32), boundTo({ owner, session })),
});

/** Unwraps a key. Throws when it was wrapped by another key or for another scope. */
export const unwrapKey = (wrapping: KeyObject, key: Omit<WrappedKey, 'keyId'>): KeyObject =>
  createSecretKey(open(wrapping, key.wrapped, boundTo(key)));

/**
 * Returns the key from which a session's ids are derived. It depends on the line of the session's key, so a
 * turn that is sent again after an erasure gets a new id.
 */
export const identityOf = (partitionKey: KeyObject, keyId: string): KeyObject =>
  createSecretKey(
    createHmac('sha256', partitionKey)
      .update(`turnstone identity ${lineOf(keyId)}`)
      .digest(),
  );
