/**
 * Sealing keys at rest: one per session, wrapped by its user partition's key, which is wrapped by the installation's key.
 * All key stores use the same wrapping, so it has its own file.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { open, seal } from './sealing.ts';

/** A wrapped key. */
export interface WrappedKey {
  /** Random; the only thing that an envelope reveals about its key. */
  keyId: string;
  /** The user partition: JSON of [organization, user]. */
  owner: string;
  /** JSON of [session], or '' for the partition's own key. */
  session: string;
  wrapped: Uint8Array;
}

export const ownerOf = (org: string, user: string): string => JSON.stringify([org, user]);
export const sessionOf = (session: string): string => JSON.stringify([session]);
/** The `session` of a partition's own key. */
export const PARTITION = '';

/** The associated data of a wrapped key, so that it can't be used for another scope. */
export const boundTo = ({ owner, session }: Pick<WrappedKey, 'owner' | 'session'>): string =>
  `${owner}\n${session}`;

/** Makes a new key for the scope. */
export const makeWrappedKey = (wrapping: KeyObject, owner: string, session: string): WrappedKey =>
  wrappedKey(wrapping, owner, session, randomUUID());

/**
 * Makes the key that takes the place of a session's. Its id begins with the line of the former one, so ids are derived as before: a
 * write that is sent again while its session's key is replaced is the same write.
 */
export const makeNextKey = (
  wrapping: KeyObject,
  { owner, session, keyId }: Omit<WrappedKey, 'wrapped'>,
): WrappedKey => wrappedKey(wrapping, owner, session, `${lineOf(keyId)}.${randomUUID()}`);

/** Returns the prefix that the ids of a session's key and of its replacements share. */
export const lineOf = (keyId: string): string => keyId.split('.', 1)[0]!;

const wrappedKey = (wrapping: KeyObject, owner: string, session: string, keyId: string): WrappedKey => ({
  keyId,
  owner,
  session,
  wrapped: seal(wrapping, randomBytes(32), boundTo({ owner, session })),
});

/** Throws when the key was wrapped by another key or for another scope. */
export const unwrapKey = (wrapping: KeyObject, key: Omit<WrappedKey, 'keyId'>): KeyObject =>
  createSecretKey(open(wrapping, key.wrapped, boundTo(key)));

/**
 * The key from which a session's ids are derived. It is bound to the line of the session's key, so that a turn sent again after an
 * erasure gets a new id.
 */
export const identityOf = (partitionKey: KeyObject, keyId: string): KeyObject =>
  createSecretKey(
    createHmac('sha256', partitionKey)
      .update(`turnstone identity ${lineOf(keyId)}`)
      .digest(),
  );
