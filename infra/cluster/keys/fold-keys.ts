/**
 * Decides the keys of a scope by the log's order alone: a pure function of the indexed keys and the topic's
 * later records. Every process that has read equally far decides alike, so processes need not agree with each
 * other.
 */
import { lineOf, PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import type { KeyRecord, LoggedKey } from './record.ts';

/** A key in the index. */
export interface IndexedKey {
  keyId: string;
  /** Undefined if the key is destroyed. */
  key: LoggedKey | undefined;
  /** The offset of the latest record that the index has. */
  offset: number;
  /** The offset of the first record that the index has seen. */
  first: number;
}

export interface LivingKey {
  key: LoggedKey;
  offset: number;
  first: number;
}

/**
 * Returns the living keys among these, in their order. The last record of an id is the key; a tombstone is
 * final, since ids are never reused: a record behind it is a late copy.
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

/** The keys that seal and identify a scope. */
export interface ScopeKeys {
  /** The user's current key: the first living one. */
  user: LoggedKey;
  session: LoggedKey;
  /** The key that wraps the session's: the user's current one, unless another user's key lives beside it. */
  wrapping: LoggedKey;
}

/**
 * Returns a scope's keys from the living keys of its owner, in their order. A session's key lives no longer
 * than the key that wraps it. The first one begins the session's line, and the last one of that line seals
 * from now on.
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
