/**
 * Derives the index's documents from a page of the topic `keys`: pure, so that repeating a page gives the
 * same documents.
 */
import { PARTITION } from '../../../../core/log/keys/key-wrapping.ts';
import { type KeyRecord, type LoggedKey, sessionTagOf, tagOf } from '../record.ts';
import type { KeyPosition, StoredKey } from './key-index.ts';

export interface KeyChanges {
  documents: StoredKey[];
  /** Keys that were destroyed before this record of them, which also gets a tombstone. */
  late: LoggedKey[];
}

/** Returns the changed documents. `known`: the indexed keys with these ids, and those that wrap them. */
export const changesOf = (
  records: readonly KeyRecord[],
  known: ReadonlyMap<string, StoredKey>,
  { partition, pass }: Pick<KeyPosition, 'partition' | 'pass'>,
  now: number,
): KeyChanges => {
  const changed = new Map<string, StoredKey>();
  const late = new Map<string, LoggedKey>();
  const latest = (id: string): StoredKey | undefined => changed.get(id) ?? known.get(id);
  const isDestroyed = (id: string): boolean => {
    const held = latest(id);
    return held !== undefined && held.key === undefined;
  };
  for (const { keyId, offset, key } of records) {
    const before = latest(keyId);
    const common = { keyId, partition, pass, offset, first: Math.min(before?.first ?? offset, offset) };
    if (!key) {
      late.delete(keyId);
      const { owner = '', session = '', under = '' } = before ?? {};
      // A key that was never seen may have wrapped others.
      const isUnswept = under === '' && before?.isUnswept !== false;
      changed.set(keyId, { ...common, key: undefined, owner, session, under, since: now, isUnswept });
    } else if (isDestroyed(keyId)) late.set(keyId, key);
    else {
      // The key that wraps it was destroyed meanwhile, and perhaps swept already.
      if (key.session !== PARTITION && isDestroyed(key.under)) late.set(keyId, key);
      const { owner, session, under } = key;
      const tags = { owner: tagOf(owner), session: sessionTagOf(owner, session) };
      changed.set(keyId, { ...common, key, ...tags, under });
    }
  }
  return { documents: [...changed.values()], late: [...late.values()] };
};
