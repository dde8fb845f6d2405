import type { DatabaseSync } from 'node:sqlite';
import { mergeSegments, withoutFragments } from '../../../../../domain/search/segments/build-segment.ts';
import { openSegment } from '../../../../../domain/search/segments/segment.ts';
import { diskLeft } from '../../file/disk-left.ts';
import type { SegmentId } from '../../file/projections-database.ts';

/**
 * The number of segments of one level that merge into one of the next level: a scope of any size has few
 * segments.
 */
const MERGED = 8;
/** 32,768 fragments; a segment's postings can name 65,536. */
const HIGHEST_LEVEL = 3;

/**
 * Segments with more bytes in total are not merged: a merge takes several times as much memory. Ordinary
 * fragments reach the highest level far below it; a scope of very long texts has more segments instead.
 */
const MOST_MERGED_BYTES = 16 * 1024 * 1024;

/**
 * The share of the free disk that a merge may take: the merged segment is in the write-ahead log, beside
 * pages that are given up, and then in the file. A merge can wait, the step's own writes can't.
 */
const MOST_OF_ROOM = 1 / 4;

/**
 * Opens the stored segments of scopes. A list is in the order of its fragments, so levels never increase in
 * it.
 */
export const openScopeSegments = (database: DatabaseSync) => {
  const path = database.location()!;
  const insert = database.prepare('INSERT INTO segments (scope, level, first, bytes) VALUES (?, ?, ?, ?)');
  const read = database.prepare('SELECT bytes FROM segments WHERE scope = ? AND first = ? AND level = ?');
  const length = database.prepare(
    'SELECT length(bytes) AS bytes FROM segments WHERE scope = ? AND first = ? AND level = ?',
  );
  const remove = database.prepare('DELETE FROM segments WHERE scope = ? AND first = ? AND level = ?');

  const segmentAt = (scope: number, { first, level }: SegmentId) =>
    openSegment(read.get(scope, first, level)!.bytes as Uint8Array);

  const bytesOf = (scope: number, ids: readonly SegmentId[]): number =>
    ids.reduce((sum, { first, level }) => sum + Number(length.get(scope, first, level)!.bytes), 0);

  const hasRoomToMerge = (scope: number, ids: readonly SegmentId[]): boolean => {
    const bytes = bytesOf(scope, ids);
    return bytes <= MOST_MERGED_BYTES && bytes <= MOST_OF_ROOM * diskLeft(path);
  };

  /** Appends a segment to the list; the last eight of one level become one of the next level, recursively. */
  const append = (scope: number, list: SegmentId[], added: SegmentId, bytes: Uint8Array): void => {
    const { level, first } = added;
    insert.run(scope, level, first, bytes);
    list.push(added);
    const last = list.slice(-MERGED);
    const full = last.length === MERGED && last.every(each => each.level === level);
    if (!full || level === HIGHEST_LEVEL || !hasRoomToMerge(scope, last)) return;
    const parts = last.map(each => segmentAt(scope, each));
    for (const each of last) remove.run(scope, each.first, level);
    list.length -= MERGED;
    append(scope, list, { level: level + 1, first: last[0]!.first }, mergeSegments(parts));
  };

  /** Rewrites one segment; returns the segments that replace it and the number of fragments removed. */
  const rewrite = (
    scope: number,
    old: SegmentId,
    fragments: ReadonlySet<number>,
  ): { kept: SegmentId[]; lost: number } => {
    const segment = segmentAt(scope, old);
    const bytes = withoutFragments(segment, fragments);
    if (!bytes) return { kept: [old], lost: 0 };
    remove.run(scope, old.first, old.level);
    if (bytes.length === 0) return { kept: [], lost: segment.size };
    const rest = openSegment(bytes);
    const made = { level: old.level, first: rest.numbers[0]! };
    insert.run(scope, made.level, made.first, bytes);
    return { kept: [made], lost: segment.size - rest.size };
  };

  /**
   * Returns the list without these fragments, `expected` of which are in it. A segment is read if its range
   * of numbers may contain one of them; all other segments are read too if fewer than `expected` were found.
   */
  const without = (
    scope: number,
    list: readonly SegmentId[],
    fragments: ReadonlySet<number>,
    expected: number,
  ): SegmentId[] => {
    const sorted = [...fragments].sort((a, b) => a - b);
    const mayHold = (i: number): boolean => {
      const end = list[i + 1]?.first ?? Number.POSITIVE_INFINITY;
      const next = sorted[lowerBound(sorted, list[i]!.first)];
      return next !== undefined && next < end;
    };
    let left = expected;
    const rewritten = (segment: SegmentId): SegmentId[] => {
      const { kept, lost } = rewrite(scope, segment, fragments);
      left -= lost;
      return kept;
    };
    const likely = list.map((_, i) => mayHold(i));
    const kept = list.map((segment, i) => (likely[i] ? rewritten(segment) : [segment]));
    // An observation that was extracted before its client reported it has a number lower than its turn's.
    if (left <= 0) return kept.flat();
    return kept.flatMap((segments, i) => (likely[i] ? segments : segments.flatMap(rewritten)));
  };

  return { append, without };
};

/** Returns the index of the first value that isn't less than `value`, in an ascending list. */
const lowerBound = (sorted: readonly number[], value: number): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
};
