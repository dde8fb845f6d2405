import type { Segment } from '../../projections/recall/segment.ts';

/** Least recently used segments leave first, by bytes. */
export const segmentCache = (capacity: number) => {
  const entries = new Map<string, { segment: Segment; bytes: number }>();
  let bytes = 0;
  return {
    get: (scope: number, seq: number): Segment | undefined => {
      const name = `${scope}/${seq}`;
      const entry = entries.get(name);
      if (!entry) return undefined;
      entries.delete(name);
      entries.set(name, entry);
      return entry.segment;
    },
    set: (scope: number, seq: number, segment: Segment, size: number): Segment => {
      entries.set(`${scope}/${seq}`, { segment, bytes: size });
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
