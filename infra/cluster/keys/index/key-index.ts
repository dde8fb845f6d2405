/** The projection of the topic `keys` in which keys are found by id and by scope, as its readers and its one writer use it. */
import { HOUR_MS } from '../../../../core/time.ts';
import type { IndexedKey } from '../fold.ts';
import type { LoggedKey } from '../record.ts';

/**
 * A tombstone stays in the topic for a day (infra/cluster/kafka/topics/compaction.ts). What the index says of a partition is trusted for
 * half of that after its position was the log's end: later, a tombstone behind the position may be gone.
 */
const TRUSTED_MS = 12 * HOUR_MS;

/** How far the index holds a partition of the topic. */
export interface KeyPosition {
  partition: number;
  /** Everything below is in the index. */
  offset: number;
  /** Names the reading from offset 0 on that everything is from; documents of another one don't count. '' for none. */
  pass: string;
  /** Unix milliseconds. Every tombstone that was appended before lies below the offset, or was there when the pass began. */
  whole: number;
  /** What the engine compares when the position moves; undefined while it isn't stored. */
  fence?: { seqNo: number; primaryTerm: number } | undefined;
}

/** Nothing of the partition is in the index: its topic has everything. */
const unread = ({ partition, fence }: Pick<KeyPosition, 'partition' | 'fence'>): KeyPosition => ({
  partition,
  offset: 0,
  pass: '',
  whole: 0,
  fence,
});

/** The position, unless the index was restored from a copy of long ago or nobody has written it for as long. */
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
  /** Of a stub: when it was written, Unix milliseconds. */
  since?: number | undefined;
  /** Of a stub: what it wrapped may not have been looked for. */
  isUnswept?: boolean | undefined;
}

/** What is left of a destroyed key, by which nothing of it comes back: its id, and digests of its scope. */
export type KeyStub = StoredKey & { key: undefined };

/** Where a page of keys ended. */
export type PageEnd = readonly [partition: number, offset: number];

export interface KeyIndex {
  /** Not yet judged by `trusted`. Sees what was written, refreshed or not. */
  positions(partitions: readonly number[]): Promise<KeyPosition[]>;
  /** Stores the position in place of the one that was read; false when another process has moved it since. */
  move(from: KeyPosition, to: Omit<KeyPosition, 'fence' | 'partition'>): Promise<boolean>;
  /** Resolves when everybody finds them. A document that has a later record stays as it is. */
  write(keys: readonly StoredKey[]): Promise<void>;
  /** Sees what was written, refreshed or not. Without those that the index doesn't have. */
  byIds(ids: readonly string[]): Promise<Map<string, StoredKey>>;
  /** The keys of these sessions of an owner, '' for the owner's own: all that live, and the latest stubs. */
  ofScopes(owner: string, sessions: readonly string[], pass: string): Promise<StoredKey[]>;
  /** A page of the living users' keys of a partition, in the order of their records. */
  users(position: KeyPosition, after: PageEnd | undefined): Promise<StoredKey[]>;
  /** A page of living keys that one of these wraps. */
  wrappedBy(ids: readonly string[], after: PageEnd | undefined): Promise<StoredKey[]>;
  /** Stubs of users' keys that wrapped what may still be there. */
  unswept(): Promise<KeyStub[]>;
  /** Removes the swept stubs of before, and what former passes have left; then what is overwritten leaves the segments. */
  clean(before: number, complete: readonly KeyPosition[]): Promise<void>;
  /** Of several processes, one in so many milliseconds gets true. */
  takeTurn(everyMs: number): Promise<boolean>;
}

/** As the index stores a living key. */
export type LivingDocument = StoredKey & { key: LoggedKey };
