/**
 * Which keys a scope has, decided by the log's order alone: a pure function of what the index holds and of the records that the
 * topic has since. Every process that has read as far decides alike, so nobody has to agree with anybody.
 */
import { lineOf, PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import type { KeyRecord, LoggedKey } from './record.ts';

/** What the index holds of a key. */
export interface IndexedKey {
  keyId: string;
  /** Undefined for one that is destroyed. */
  key: LoggedKey | undefined;
  /** Offset of the latest record that the index has. */
  offset: number;
  /** Offset of the first record that the index has seen. */
  first: number;
}

export interface LivingKey {
  key: LoggedKey;
  offset: number;
  first: number;
}

/**
 * The living ones of these keys, in their order. The last record of an id says what the key is; a tombstone is final for its
 * id, since ids are never used again: a record behind it is a late copy.
 */
export const foldKeys = (
  indexed: readonly IndexedKey[],
  records: readonly KeyRecord[],
  isDestroyed: (keyId: string) => boolean = () => false,
): LivingKey[] => {
  const living = new Map<string, LivingKey>();
  const destroyed = new Set<string>();
  for (const { keyId, key, offset, first } of indexed) {
    if (key) living.set(keyId, { key, offset, first });
    else destroyed.add(keyId);
  }
  for (const { keyId, key, offset } of records) {
    const known = living.get(keyId);
    if (!key) destroyed.add(keyId);
    else if (!known) living.set(keyId, { key, offset, first: offset });
    else
      living.set(keyId, {
        key: offset > known.offset ? key : known.key,
        offset: Math.max(offset, known.offset),
        first: Math.min(offset, known.first),
      });
  }
  return [...living.values()]
    .filter(({ key: { keyId } }) => !destroyed.has(keyId) && !isDestroyed(keyId))
    .sort((one, other) => one.first - other.first);
};

/** The keys that a scope is sealed and identified by. */
export interface ScopeKeys {
  /** The user's current key: the first that lives. */
  user: LoggedKey;
  session: LoggedKey;
  /** The key that wraps the session's: the user's current one, unless another user's key lives beside it. */
  wrapping: LoggedKey;
}

/**
 * What a scope has, of the living keys of its owner in their order. A session's key lives no longer than what wraps it. The first one
 * begins the session's line, and the last one of that line is what seals from now on.
 */
export const scopeKeysOf = (
  living: readonly LivingKey[],
  session: string,
): { user: LoggedKey | undefined; keys: ScopeKeys | undefined } => {
  const users = new Map(
    living.filter(({ key }) => key.session === PARTITION).map(({ key }) => [key.keyId, key]),
  );
  const user = users.values().next().value;
  const its = living.map(({ key }) => key).filter(key => key.session === session && users.has(key.under));
  const found = its.findLast(({ keyId }) => lineOf(keyId) === lineOf(its[0]!.keyId));
  return {
    user,
    keys: user && found && { user, session: found, wrapping: users.get(found.under)! },
  };
};
