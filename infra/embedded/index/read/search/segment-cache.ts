import type { Segment } from '../../../../../domain/search/segments/segment.ts';
import type { SegmentId } from '../../file/projections-database.ts';

const nameOf = (scope: string, { level, first }: SegmentId): string => `${scope}/${level}/${first}`;

/**
 * Caches segments by scope and the scope's rewrite count, up to `capacity` bytes; drops the least recently
 * used first.
 */
export const segmentCache = (capacity: number) => {
  const entries = new Map<string, { segment: Segment; bytes: number }>();
  let bytes = 0;
  return {
    get: (scope: string, id: SegmentId): Segment | undefined => {
      const name = nameOf(scope, id);
      const entry = entries.get(name);
      if (!entry) return undefined;
      entries.delete(name);
      entries.set(name, entry);
      return entry.segment;
    },
    set: (scope: string, id: SegmentId, segment: Segment, size: number): Segment => {
      entries.set(nameOf(scope, id), { segment, bytes: size });
      bytes += size;
      for (const [name, entry] of entries) {
        if (bytes <= capacity) break;
        entries.delete(name);
        bytes -= entry.bytes;
      }
      return segment;
    },
  };
};
