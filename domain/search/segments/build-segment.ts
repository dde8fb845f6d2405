/** Builds segments: from entries, from other segments, and from a segment without some of its fragments. */
import { allocateSegment, BY_RETENTION, type Entry, roleKey, type Segment } from './segment.ts';
import { SIGNATURE_WORDS, signature } from './signature.ts';

/** Takes at most 65,536 entries. */
export const buildSegment = (entries: readonly Entry[]): Uint8Array => {
  // Sorts the postings by (term, fragment) as numbers, term * n + fragment, which is faster than a map of
  // lists.
  const n = entries.length;
  let p = 0;
  for (const { document } of entries) p += document.stems.length;
  const keys = new Float64Array(p);
  let k = 0;
  for (let i = 0; i < n; i++) for (const stem of entries[i]!.document.stems) keys[k++] = stem * n + i;
  keys.sort();

  let t = 0;
  for (let i = 0, last = -1; i < p; i++) {
    const term = Math.floor(keys[i]! / n);
    if (term !== last) t++;
    last = term;
  }

  const { segment, bytes } = allocateSegment(n, t, p);
  for (let i = 0; i < n; i++) {
    const entry = entries[i]!;
    segment.numbers[i] = entry.number;
    segment.sessions[i] = entry.session;
    segment.timestamps[i] = entry.timestamp;
    segment.recorded[i] = entry.recorded ?? Number.NaN;
    segment.expires[i] = entry.expires ?? BY_RETENTION;
    segment.roles[i] = roleKey(entry.role);
    segment.metadata[i] = entry.metadata ?? 0;
    segment.lengths[i] = Math.min(entry.document.length, 65_535);
    segment.kinds[i] = entry.kind;
    signature(entry.document.vector, segment.signatures, i * SIGNATURE_WORDS);
  }
  // A fragment's stems ascend like the sorted keys, so one cursor per fragment finds the count without a
  // search.
  const cursors = new Uint32Array(n);
  let term = -1;
  for (let i = 0; i < p; i++) {
    const value = Math.floor(keys[i]! / n);
    const fragment = keys[i]! - value * n;
    if (term < 0 || segment.terms[term] !== value) {
      segment.terms[++term] = value;
      segment.starts[term] = i;
    }
    segment.posted[i] = fragment;
    segment.occurrences[i] = entries[fragment]!.document.counts[cursors[fragment]!++]!;
  }
  segment.starts[t] = p;
  return bytes;
};

/** Merges segments in order; the bytes are the same as if built from all their fragments. */
export const mergeSegments = (segments: readonly Segment[]): Uint8Array => {
  const n = segments.reduce((sum, { size }) => sum + size, 0);
  const p = segments.reduce((sum, { posted }) => sum + posted.length, 0);
  const terms = distinctTerms(segments);
  const t = terms.length;
  const { segment, bytes } = allocateSegment(n, t, p);
  segment.terms.set(terms);

  let start = 0;
  const starts = segments.map(({ size, ...one }) => {
    const own = start;
    segment.numbers.set(one.numbers, own);
    segment.sessions.set(one.sessions, own);
    segment.timestamps.set(one.timestamps, own);
    segment.recorded.set(one.recorded, own);
    segment.expires.set(one.expires, own);
    segment.roles.set(one.roles, own);
    segment.metadata.set(one.metadata, own);
    segment.lengths.set(one.lengths, own);
    segment.kinds.set(one.kinds, own);
    segment.signatures.set(one.signatures, own * SIGNATURE_WORDS);
    start += size;
    return own;
  });
  // The terms of each segment ascend, so one cursor per segment suffices.
  const cursors = new Uint32Array(segments.length);
  let posting = 0;
  segment.terms.forEach((term, at) => {
    segment.starts[at] = posting;
    segments.forEach((one, s) => {
      if (one.terms[cursors[s]!] !== term) return;
      const end = one.starts[cursors[s]! + 1]!;
      for (let i = one.starts[cursors[s]!]!; i < end; i++, posting++) {
        segment.posted[posting] = starts[s]! + one.posted[i]!;
        segment.occurrences[posting] = one.occurrences[i]!;
      }
      cursors[s]!++;
    });
  });
  segment.starts[t] = posting;
  return bytes;
};

/** Ascending. In one typed array: as a set of numbers they would take ten times the memory. */
const distinctTerms = (segments: readonly Segment[]): Uint32Array => {
  const all = new Uint32Array(segments.reduce((sum, { terms }) => sum + terms.length, 0));
  let at = 0;
  for (const { terms } of segments) {
    all.set(terms, at);
    at += terms.length;
  }
  all.sort();
  let distinct = 0;
  for (const term of all) if (distinct === 0 || all[distinct - 1] !== term) all[distinct++] = term;
  return all.subarray(0, distinct);
};

/**
 * Returns the segment without the given fragments; the bytes are the same as if built without them. Undefined
 * when it contains none of them; empty when it contains no others.
 */
export const withoutFragments = (segment: Segment, numbers: ReadonlySet<number>): Uint8Array | undefined => {
  const kept: number[] = [];
  segment.numbers.forEach((number, i) => {
    if (!numbers.has(number)) kept.push(i);
  });
  if (kept.length === segment.size) return undefined;
  if (kept.length === 0) return new Uint8Array();
  const newIndex = new Int32Array(segment.size).fill(-1);
  kept.forEach((old, i) => {
    newIndex[old] = i;
  });

  let p = 0;
  let t = 0;
  for (let term = 0; term < segment.terms.length; term++) {
    const before = p;
    for (let i = segment.starts[term]!; i < segment.starts[term + 1]!; i++)
      if (newIndex[segment.posted[i]!]! >= 0) p++;
    if (p > before) t++;
  }

  const n = kept.length;
  const { segment: made, bytes } = allocateSegment(n, t, p);
  kept.forEach((old, i) => {
    made.numbers[i] = segment.numbers[old]!;
    made.sessions[i] = segment.sessions[old]!;
    made.timestamps[i] = segment.timestamps[old]!;
    made.lengths[i] = segment.lengths[old]!;
    made.kinds[i] = segment.kinds[old]!;
    made.recorded[i] = segment.recorded[old]!;
    made.expires[i] = segment.expires[old]!;
    made.roles[i] = segment.roles[old]!;
    made.metadata[i] = segment.metadata[old]!;
    const from = old * SIGNATURE_WORDS;
    made.signatures.set(segment.signatures.subarray(from, from + SIGNATURE_WORDS), i * SIGNATURE_WORDS);
  });
  let posting = 0;
  let next = 0;
  segment.terms.forEach((value, term) => {
    const start = posting;
    for (let i = segment.starts[term]!; i < segment.starts[term + 1]!; i++) {
      const index = newIndex[segment.posted[i]!]!;
      if (index < 0) continue;
      made.posted[posting] = index;
      made.occurrences[posting++] = segment.occurrences[i]!;
    }
    if (posting === start) return;
    made.terms[next] = value;
    made.starts[next++] = start;
  });
  made.starts[t] = posting;
  return bytes;
};
