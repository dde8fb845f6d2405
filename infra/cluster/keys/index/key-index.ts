/**
 * The projection of the topic `keys` that finds keys by id and by scope, as its readers and its one writer
 * use it.
 */
import { HOUR_MS } from '../../../../core/time.ts';
import type { IndexedKey } from '../fold-keys.ts';
import type { LoggedKey } from '../record.ts';

/**
 * A tombstone stays in the topic for a day (infra/cluster/kafka/topics/compaction.ts). A partition's position
 * is trusted for half of that after it was the log's end: later, a tombstone behind the position may be gone.
 */
const TRUSTED_MS = 12 * HOUR_MS;

/** How far the index holds a partition of the topic. */
export interface KeyPosition {
  partition: number;
  /** Everything below is in the index. */
  offset: number;
  /**
   * The pass (a reading from offset 0) that wrote the documents; those of other passes don't count. '' for
   * none.
   */
  pass: string;
  /** Unix milliseconds. All tombstones appended earlier are below the offset, or preceded the pass. */
  whole: number;
  /** The values that the engine compares when the position moves; undefined until it is stored. */
  fence?: { seqNo: number; primaryTerm: number } | undefined;
}

/** Returns a position of which nothing is indexed: the topic has everything. */
const unread = ({ partition, fence }: Pick<KeyPosition, 'partition' | 'fence'>): KeyPosition => ({
  partition,
  offset: 0,
  pass: '',
  whole: 0,
  fence,
});

/**
 * Returns the position, unless the index was restored from an old copy or has not been written to for long.
 */
export const trusted = (position: KeyPosition, now: number): KeyPosition =>
  position.pass !== '' && now - position.whole < TRUSTED_MS ? position : unread(position);

/** A document of the index. */
export interface StoredKey extends IndexedKey {
  partition: number;
  pass: string;
  /** Digests (record.ts); '' in a stub whose key was never seen. */
  owner: string;
  session: string;
  under: string;
  /** Stubs: when it was written, Unix milliseconds. */
  since?: number | undefined;
  /** Stubs: the keys that it wrapped may not have been swept. */
  isUnswept?: boolean | undefined;
}

/** The remainder of a destroyed key, which keeps it from coming back: its id, and digests of its scope. */
export type KeyStub = StoredKey & { key: undefined };

/** The last key of a page. */
export type PageEnd = readonly [partition: number, offset: number];

export interface KeyIndex {
  /** Returns positions not yet judged by `trusted`. Sees unrefreshed writes. */
  positions(partitions: readonly number[]): Promise<KeyPosition[]>;
  /** Stores the position in place of the one that was read; false if another process has moved it since. */
  move(from: KeyPosition, to: Omit<KeyPosition, 'fence' | 'partition'>): Promise<boolean>;
  /** Resolves when every reader finds the keys. A document with a later record stays as it is. */
  write(keys: readonly StoredKey[]): Promise<void>;
  /** Returns the indexed keys among these ids. Sees unrefreshed writes. */
  byIds(ids: readonly string[]): Promise<Map<string, StoredKey>>;
  /**
   * Returns the keys of these sessions of an owner, '' for the owner's own: all living ones, and the latest
   * stubs.
   */
  ofScopes(owner: string, sessions: readonly string[], pass: string): Promise<StoredKey[]>;
  /** Returns a page of the living keys of an owner's sessions, in the order of their records. */
  sessionsOf(owner: string, pass: string, after: PageEnd | undefined): Promise<StoredKey[]>;
  /** Returns a page of the living users' keys of a partition, in the order of their records. */
  users(position: KeyPosition, after: PageEnd | undefined): Promise<StoredKey[]>;
  /** Returns a page of living keys that one of these wraps. */
  wrappedBy(ids: readonly string[], after: PageEnd | undefined): Promise<StoredKey[]>;
  /** Returns stubs of users' keys that wrapped keys which may still exist. */
  unswept(): Promise<KeyStub[]>;
  /**
   * Removes swept stubs from before `before` and the documents of former passes; then expunges overwritten
   * documents.
   */
  clean(before: number, complete: readonly KeyPosition[]): Promise<void>;
  /** Returns true to one process in so many milliseconds. */
  takeTurn(everyMs: number): Promise<boolean>;
}

/** A living key as the index stores it. */
export type LivingDocument = StoredKey & { key: LoggedKey };
