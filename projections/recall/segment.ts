import { fnv1a } from '../language/fnv.ts';
import type { Document } from './document.ts';

/**
 * A segment: the inverted index of a few hundred fragments of one scope, immutable, as in Lucene. A scope
 * consists of its segments and the few loose fragments that don't fill one yet. So writing a fragment costs a
 * share of one sequential write, and reading a scope costs its segments, whatever else the store holds.
 *  Layout, little endian, each array aligned to its element: counts (fragments n, terms t, postings p),
 * timestamps f64[n], recorded f64[n], numbers u32[n], sessions u32[n], roles u32[n], signatures u32[8n],
 * terms u32[t], starts u32[t + 1], lengths u16[n], posted fragments u16[p], occurrences u8[p], kinds u8[n].
 */
export interface Segment {
  size: number;
  /** Fragment numbers. */
  numbers: Uint32Array;
  sessions: Uint32Array;
  /** Unix milliseconds. */
  timestamps: Float64Array;
  /** When the service recorded them, Unix milliseconds. */
  recorded: Float64Array;
  /** Speakers: see `roleKey`. */
  roles: Uint32Array;
  /** Document lengths in stems, at most 65,535. */
  lengths: Uint16Array;
  kinds: Uint8Array;
  /** Eight words per fragment: see `signature`. */
  signatures: Uint32Array;
  /** Distinct stems, ascending. */
  terms: Uint32Array;
  /** Postings of term i are at starts[i] … starts[i + 1]. */
  starts: Uint32Array;
  posted: Uint16Array;
  occurrences: Uint8Array;
}

export interface Entry {
  number: number;
  session: number;
  timestamp: number;
  /**
   * Unix milliseconds; undefined where `as_of` doesn't apply: in the tail, and where an engine has filtered.
   */
  recorded?: number | undefined;
  /** 0: turn, 1: observation. */
  kind: number;
  role: string;
  document: Document;
}

/** A role's hash, as segments store it. Two of a scope's 64 roles collide in one of two million scopes. */
export const roleKey = (role: string): number => fnv1a(role);

/** 32-bit words of a signature. */
export const SIGNATURE_WORDS = 8;
const HEADER = 16;

/**
 * The signs of the vector's 256 components. Their Hamming distance approximates the angle (Charikar 2002).
 */
export const signature = (vector: Int8Array, into: Uint32Array, at: number): void => {
  for (let word = 0; word < SIGNATURE_WORDS; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (vector[word * 32 + bit]! > 0) bits |= 1 << bit;
    into[at + word] = bits >>> 0;
  }
};

const popcount = (bits: number): number => {
  let v = bits - ((bits >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
};

/** Number of components with different signs, 0 to 256. */
export const distance = (a: Uint32Array, ai: number, b: Uint32Array, bi: number): number => {
  let sum = 0;
  for (let word = 0; word < SIGNATURE_WORDS; word++) sum += popcount(a[ai + word]! ^ b[bi + word]!);
  return sum;
};

const views = (buffer: ArrayBuffer, n: number, t: number, p: number): { segment: Segment; bytes: number } => {
  let at = HEADER;
  const take = <T>(
    make: new (buffer: ArrayBuffer, at: number, length: number) => T,
    length: number,
    width: number,
  ): T => {
    const view = new make(buffer, at, length);
    at += length * width;
    return view;
  };
  const timestamps = take(Float64Array, n, 8);
  const recorded = take(Float64Array, n, 8);
  const numbers = take(Uint32Array, n, 4);
  const sessions = take(Uint32Array, n, 4);
  const roles = take(Uint32Array, n, 4);
  const signatures = take(Uint32Array, n * SIGNATURE_WORDS, 4);
  const terms = take(Uint32Array, t, 4);
  const starts = take(Uint32Array, t + 1, 4);
  const lengths = take(Uint16Array, n, 2);
  const posted = take(Uint16Array, p, 2);
  const occurrences = take(Uint8Array, p, 1);
  const kinds = take(Uint8Array, n, 1);
  const segment = {
    size: n,
    timestamps,
    recorded,
    numbers,
    sessions,
    roles,
    signatures,
    terms,
    starts,
    lengths,
    posted,
    occurrences,
    kinds,
  };
  return { segment, bytes: at };
};

const bytesOf = (n: number, t: number, p: number): number =>
  HEADER + n * (8 + 8 + 4 + 4 + 4 + SIGNATURE_WORDS * 4 + 2 + 1) + t * 4 + (t + 1) * 4 + p * 3;

/** At most 65,536 entries. */
export const buildSegment = (entries: readonly Entry[]): Uint8Array => {
  // Sorts the postings by (term, fragment) as numbers, term * n + fragment; faster than a map of lists.
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

  const buffer = new ArrayBuffer(bytesOf(n, t, p));
  new Uint32Array(buffer, 0, 3).set([n, t, p]);
  const { segment } = views(buffer, n, t, p);
  for (let i = 0; i < n; i++) {
    const entry = entries[i]!;
    segment.numbers[i] = entry.number;
    segment.sessions[i] = entry.session;
    segment.timestamps[i] = entry.timestamp;
    segment.recorded[i] = entry.recorded ?? Number.NaN;
    segment.roles[i] = roleKey(entry.role);
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
  return new Uint8Array(buffer);
};

/** Merges segments in order, to the same bytes as if built from all their fragments. */
export const mergeSegments = (segments: readonly Segment[]): Uint8Array => {
  const n = segments.reduce((sum, { size }) => sum + size, 0);
  const p = segments.reduce((sum, { posted }) => sum + posted.length, 0);
  const terms = [...new Set(segments.flatMap(segment => [...segment.terms]))];
  const t = terms.length;
  const buffer = new ArrayBuffer(bytesOf(n, t, p));
  new Uint32Array(buffer, 0, 3).set([n, t, p]);
  const { segment } = views(buffer, n, t, p);
  segment.terms.set(Uint32Array.from(terms).sort());

  let start = 0;
  const starts = segments.map(({ size, ...one }) => {
    const own = start;
    segment.numbers.set(one.numbers, own);
    segment.sessions.set(one.sessions, own);
    segment.timestamps.set(one.timestamps, own);
    segment.recorded.set(one.recorded, own);
    segment.roles.set(one.roles, own);
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
  return new Uint8Array(buffer);
};

/**
 * The segment without the given fragments, to the same bytes as if built without them. Undefined when it
 * contains none of them; empty when it contains no others.
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
  const buffer = new ArrayBuffer(bytesOf(n, t, p));
  new Uint32Array(buffer, 0, 3).set([n, t, p]);
  const { segment: made } = views(buffer, n, t, p);
  kept.forEach((old, i) => {
    made.numbers[i] = segment.numbers[old]!;
    made.sessions[i] = segment.sessions[old]!;
    made.timestamps[i] = segment.timestamps[old]!;
    made.lengths[i] = segment.lengths[old]!;
    made.kinds[i] = segment.kinds[old]!;
    made.recorded[i] = segment.recorded[old]!;
    made.roles[i] = segment.roles[old]!;
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
  return new Uint8Array(buffer);
};

export const openSegment = (bytes: Uint8Array): Segment => {
  // SQLite's bytes may be unaligned; typed-array views need a copy then.
  const buffer =
    bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer && bytes.byteOffset === 0
      ? bytes.buffer
      : (bytes.slice().buffer as ArrayBuffer);
  const [n, t, p] = new Uint32Array(buffer, 0, 3);
  return views(buffer, n!, t!, p!).segment;
};

/** Index of `term`, or -1. */
export const findTerm = (terms: Uint32Array, term: number): number => {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = terms[middle]!;
    if (value === term) return middle;
    if (value < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};
