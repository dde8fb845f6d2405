/**
 * Sealing keys at rest: one a session, wrapped by its user partition's key, wrapped by the installation's key. Every
 * key store wraps alike, so this is its own file.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { open, seal } from './sealing.ts';

/** A wrapped key. */
export interface WrappedKey {
  /** Random; all that an envelope says about its key. */
  keyId: string;
  /** The user partition: JSON of [organization, user]. */
  owner: string;
  /** JSON of [session], or '' for the partition's own key. */
  session: string;
  wrapped: Uint8Array;
}

/** Begins the ids of session keys under which a session's turns have ids of their own. */
const WITH_IDENTITY = 'i1-';

export const ownerOf = (org: string, user: string): string => JSON.stringify([org, user]);
export const sessionOf = (session: string): string => JSON.stringify([session]);
/** The `session` of a partition's own key. */
export const PARTITION = '';

/** What a wrapped key is bound to, so that it can't be passed off as another scope's. */
const boundTo = ({ owner, session }: Pick<WrappedKey, 'owner' | 'session'>): string => `${owner}\n${session}`;

/** A new key for the scope. */
export const makeWrappedKey = (wrapping: KeyObject, owner: string, session: string): WrappedKey => ({
  keyId: session === PARTITION ? randomUUID() : WITH_IDENTITY + randomUUID(),
  owner,
  session,
  wrapped: seal(wrapping, randomBytes(32), boundTo({ owner, session })),
});

/** Throws when it was wrapped by another key or for another scope. */
export const unwrapKey = (wrapping: KeyObject, key: Omit<WrappedKey, 'keyId'>): KeyObject =>
  createSecretKey(open(wrapping, key.wrapped, boundTo(key)));

/**
 * The key that a session's ids are derived under. It is bound to the session's key, so that what is sent again after an
 * erasure is another turn. Session keys of earlier releases share one of the whole partition: their ids are in the log.
 */
export const identityOf = (partitionKey: KeyObject, keyId: string): KeyObject => {
  const bound = keyId.startsWith(WITH_IDENTITY) ? `turnstone identity ${keyId}` : 'turnstone identity';
  return createSecretKey(createHmac('sha256', partitionKey).update(bound).digest());
};
