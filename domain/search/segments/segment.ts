import { fnv1a } from '../../language/words/fnv.ts';
import type { Document } from '../document.ts';
import { SIGNATURE_WORDS } from './signature.ts';

/**
 * A segment: the inverted index of a few hundred fragments of one scope, immutable, as in Lucene. A scope
 * consists of its segments and of the few loose fragments that don't fill one yet. So writing a fragment
 * costs a share of one sequential write, and reading a scope costs its segments, whatever else the store
 * contains. Layout, little endian, each array aligned to its element: counts (fragments n, terms t, postings
 * p), timestamps f64[n], recorded f64[n], expires f64[n], numbers u32[n], sessions u32[n], roles u32[n],
 * metadata u32[n], signatures u32[8n], terms u32[t], starts u32[t + 1], lengths u16[n], posted fragments
 * u16[p], occurrences u8[p], kinds u8[n].
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
  /** When they expire by themselves, or from when a retention counts: see `entryExpiry`. */
  expires: Float64Array;
  /** Speakers: see `roleKey`. */
  roles: Uint32Array;
  /** Numbers of the metadata of their writes; 0: none. */
  metadata: Uint32Array;
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

/** Stands for no expiry of its own: a retention decides, from when it was recorded. */
export const BY_RETENTION = 0;

/**
 * Returns when an entry expires, as `Entry.expires` has it: negative is from when a retention counts, where
 * that isn't when it was recorded. A correction goes with what it corrects.
 */
export const entryExpiry = (
  expiresAt: number | null | undefined,
  keptFrom: number | null | undefined,
  recorded: number,
): number => {
  if (expiresAt != null) return expiresAt;
  return keptFrom == null || keptFrom === recorded ? BY_RETENTION : -keptFrom;
};

export interface Entry {
  number: number;
  session: number;
  timestamp: number;
  /**
   * Unix milliseconds; undefined where `as_of` doesn't apply: in the tail, and where an engine has already
   * filtered.
   */
  recorded?: number | undefined;
  /**
   * Unix milliseconds, or from when a retention counts: see `entryExpiry`. Undefined where expired entries
   * are left out before.
   */
  expires?: number | undefined;
  /** 0: turn, 1: observation. */
  kind: number;
  role: string;
  /** The number of its write's metadata, 0: none; undefined where it is known to pass, as in the tail. */
  metadata?: number | undefined;
  document: Document;
}

/**
 * A role's hash, as segments store it. For a scope with 64 roles, the probability of a collision is one in
 * two million.
 */
export const roleKey = (role: string): number => fnv1a(role);

const HEADER = 16;

/** Arrays over the bytes of a segment of n fragments, t terms and p postings. */
const views = (buffer: ArrayBuffer, n: number, t: number, p: number): Segment => {
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
  const expires = take(Float64Array, n, 8);
  const numbers = take(Uint32Array, n, 4);
  const sessions = take(Uint32Array, n, 4);
  const roles = take(Uint32Array, n, 4);
  const metadata = take(Uint32Array, n, 4);
  const signatures = take(Uint32Array, n * SIGNATURE_WORDS, 4);
  const terms = take(Uint32Array, t, 4);
  const starts = take(Uint32Array, t + 1, 4);
  const lengths = take(Uint16Array, n, 2);
  const posted = take(Uint16Array, p, 2);
  const occurrences = take(Uint8Array, p, 1);
  const kinds = take(Uint8Array, n, 1);
  return {
    size: n,
    timestamps,
    recorded,
    expires,
    numbers,
    sessions,
    roles,
    metadata,
    signatures,
    terms,
    starts,
    lengths,
    posted,
    occurrences,
    kinds,
  };
};

const bytesOf = (n: number, t: number, p: number): number =>
  HEADER + n * (8 + 8 + 8 + 4 + 4 + 4 + 4 + SIGNATURE_WORDS * 4 + 2 + 1) + t * 4 + (t + 1) * 4 + p * 3;

/** Allocates an empty segment, to be filled through its arrays; `bytes` is what is stored. */
export const allocateSegment = (n: number, t: number, p: number): { segment: Segment; bytes: Uint8Array } => {
  const buffer = new ArrayBuffer(bytesOf(n, t, p));
  new Uint32Array(buffer, 0, 3).set([n, t, p]);
  return { segment: views(buffer, n, t, p), bytes: new Uint8Array(buffer) };
};

export const openSegment = (bytes: Uint8Array): Segment => {
  // SQLite's bytes may be unaligned; typed-array views then need a copy.
  const buffer =
    bytes.byteOffset % 8 === 0 && bytes.buffer instanceof ArrayBuffer && bytes.byteOffset === 0
      ? bytes.buffer
      : (bytes.slice().buffer as ArrayBuffer);
  const [n, t, p] = new Uint32Array(buffer, 0, 3);
  return views(buffer, n!, t!, p!);
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
