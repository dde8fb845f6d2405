import type { Extent } from '../../language/times/asked-times.ts';
import type { Document } from '../document.ts';
import type { Horizon } from '../horizon.ts';
import { BY_RETENTION, type Entry, findTerm, roleKey, type Segment } from './segment.ts';
import { SIGNATURE_WORDS, signature } from './signature.ts';

/** `Entry.kind` of a turn. */
export const TURN = 0;

/**
 * The searched part of a scope; bounds are inclusive, undefined means all. Sessions are the index's numbers.
 */
export interface Window {
  sessions?: ReadonlySet<number> | undefined;
  since?: number | undefined;
  until?: number | undefined;
  /** Only fragments recorded up to this instant. */
  asOf?: number | undefined;
  /** Excludes expired fragments. Undefined: they were left out before. */
  horizon?: Horizon | undefined;
  metadata?: PassingMetadata | undefined;
}

/**
 * The metadata that passes a filter, by its number in the index: one of these or, with `except`, any other
 * and none.
 */
export interface PassingMetadata {
  numbers: Pick<ReadonlySet<number>, 'has' | 'size'> & Iterable<number>;
  except: boolean;
}

/** A run of fragments with its postings: a segment, or loose documents with the same interface. */
export interface Run {
  size: number;
  numbers: ArrayLike<number>;
  sessions: ArrayLike<number>;
  timestamps: ArrayLike<number>;
  lengths: ArrayLike<number>;
  kinds: ArrayLike<number>;
  signatures: Uint32Array;
  /** When they were recorded; NaN where unknown. A function, since few recalls need it. */
  recorded(): ArrayLike<number>;
  /** When they expire: see `Entry.expires`. */
  expires(): ArrayLike<number>;
  /** Speakers: see `roleKey`. */
  roles(): ArrayLike<number>;
  /** See `Entry.metadata`; NaN where it is undefined. */
  metadata(): ArrayLike<number>;
  /** Calls `visit` for each posting of the stems in `terms`, with the stem's value in that map as `term`. */
  postings(
    terms: ReadonlyMap<number, number>,
    visit: (term: number, index: number, occurrences: number) => void,
  ): void;
}

/** A run, with a mask of its fragments inside the window. */
export interface Searched {
  run: Run;
  mask: Uint8Array;
  inside: number;
}

/** Searches the window of a scope: its segments, and the loose entries that are not in a segment yet. */
export const searchRuns = (
  segments: readonly Segment[],
  loose: readonly Entry[],
  window: Window,
): Searched[] => {
  const runs = segments.map(runOfSegment);
  if (loose.length > 0) runs.push(runOfEntries(loose));
  return runs.map(run => search(run, window));
};

const runOfSegment = ({ recorded, expires, roles, metadata, ...segment }: Segment): Run => ({
  ...segment,
  recorded: () => recorded,
  expires: () => expires,
  roles: () => roles,
  metadata: () => metadata,
  postings: (terms, visit) => {
    for (const [stem, term] of terms) {
      const at = findTerm(segment.terms, stem);
      if (at < 0) continue;
      const end = segment.starts[at + 1]!;
      for (let i = segment.starts[at]!; i < end; i++)
        visit(term, segment.posted[i]!, segment.occurrences[i]!);
    }
  },
});

/** Kept in the document, since many recalls read a loose one before it is in a segment. */
const signatureOf = (document: Document): Uint32Array => {
  if (!document.signature) {
    document.signature = new Uint32Array(SIGNATURE_WORDS);
    signature(document.vector, document.signature, 0);
  }
  return document.signature;
};

/** A power of two: of the four hundred stems that a query has at most, one in ten of others passes. */
const SIEVE = 4_096;
/** Returns a table by a stem's last bits: where it is 0, the stem is not among these. */
const sieveOf = (stems: Iterable<number>): Uint8Array => {
  const sieve = new Uint8Array(SIEVE);
  for (const stem of stems) sieve[stem & (SIEVE - 1)] = 1;
  return sieve;
};

const runOfEntries = (entries: readonly Entry[]): Run => {
  const signatures = new Uint32Array(entries.length * SIGNATURE_WORDS);
  entries.forEach((entry, i) => {
    signatures.set(signatureOf(entry.document), i * SIGNATURE_WORDS);
  });
  return {
    size: entries.length,
    numbers: entries.map(entry => entry.number),
    sessions: entries.map(entry => entry.session),
    timestamps: entries.map(entry => entry.timestamp),
    lengths: entries.map(entry => entry.document.length),
    kinds: entries.map(entry => entry.kind),
    signatures,
    recorded: () => entries.map(entry => entry.recorded ?? Number.NaN),
    expires: () => entries.map(entry => entry.expires ?? BY_RETENTION),
    roles: () => entries.map(entry => roleKey(entry.role)),
    metadata: () => entries.map(entry => entry.metadata ?? Number.NaN),
    postings: (terms, visit) => {
      const sieve = sieveOf(terms.keys());
      entries.forEach(({ document: { stems, counts } }, index) => {
        for (let i = 0; i < stems.length; i++) {
          if (sieve[stems[i]! & (SIEVE - 1)] === 0) continue;
          const term = terms.get(stems[i]!);
          if (term !== undefined) visit(term, index, counts[i]!);
        }
      });
    },
  };
};

/** A retention counts from when an entry was recorded, or from an instant that its expiry names. */
const expiredIn = (run: Run, { now, keptAfter }: Horizon): ((i: number) => boolean) => {
  const expires = run.expires();
  const recorded = keptAfter === undefined ? undefined : run.recorded();
  return i => {
    const at = expires[i]!;
    if (at > BY_RETENTION) return at <= now;
    return recorded !== undefined && (at === BY_RETENTION ? recorded[i]! : -at) <= keptAfter!;
  };
};

const search = (run: Run, window: Window): Searched => {
  const { sessions, since = -Infinity, until = Infinity, asOf, horizon, metadata: passing } = window;
  const mask = new Uint8Array(run.size);
  const isTimeless = since === -Infinity && until === Infinity && asOf === undefined && !horizon;
  if (!sessions && isTimeless && !passing) return { run, mask: mask.fill(1), inside: run.size };
  const recorded = asOf === undefined ? undefined : run.recorded();
  const hasExpired = horizon && expiredIn(run, horizon);
  const metadata = passing && run.metadata();
  let inside = 0;
  for (let i = 0; i < run.size; i++) {
    const timestamp = run.timestamps[i]!;
    if (timestamp < since || timestamp > until) continue;
    // An unknown recording time (NaN) counts as recorded later.
    if (recorded && !(recorded[i]! <= asOf!)) continue;
    if (hasExpired?.(i)) continue;
    if (sessions && !sessions.has(run.sessions[i]!)) continue;
    if (metadata && !Number.isNaN(metadata[i]) && passing!.numbers.has(metadata[i]!) === passing!.except)
      continue;
    mask[i] = 1;
    inside++;
  }
  return { run, mask, inside };
};

/**
 * When the first and the last turn inside the window were said, Unix milliseconds; undefined where none is.
 */
export const extentOf = (searched: readonly Searched[]): Extent | undefined => {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { run, mask } of searched) {
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN) continue;
      const timestamp = run.timestamps[i]!;
      if (timestamp < first) first = timestamp;
      if (timestamp > last) last = timestamp;
    }
  }
  return first > last ? undefined : { first, last };
};

/** The number of one turn per role inside the window, to find out who speaks there. */
export const oneTurnOfEachRole = (searched: readonly Searched[]): number[] => {
  const found = new Map<number, number>();
  for (const { run, mask, inside } of searched) {
    if (inside === 0) continue;
    const roles = run.roles();
    // Look a role up only when it changes.
    let last = Number.NaN;
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN || roles[i] === last) continue;
      last = roles[i]!;
      if (!found.has(last)) found.set(last, run.numbers[i]!);
    }
  }
  return [...found.values()];
};
