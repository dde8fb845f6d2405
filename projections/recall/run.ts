import type { Document } from './document.ts';
import { type Entry, findTerm, roleKey, type Segment, SIGNATURE_WORDS, signature } from './segment.ts';

/** `Entry.kind` of a turn. */
export const TURN = 0;

/** The searched part of a scope, inclusive; undefined means all. Sessions are the index's numbers. */
export interface Window {
  sessions?: ReadonlySet<number> | undefined;
  since?: number | undefined;
  until?: number | undefined;
  /** Only what was recorded by then. */
  asOf?: number | undefined;
}

/** A run of fragments with its postings: a segment, or loose documents made to look like one. */
export interface Run {
  size: number;
  numbers: ArrayLike<number>;
  sessions: ArrayLike<number>;
  timestamps: ArrayLike<number>;
  lengths: ArrayLike<number>;
  kinds: ArrayLike<number>;
  signatures: Uint32Array;
  /** When they were recorded, NaN where that is not known; asked for by few recalls. */
  recorded(): ArrayLike<number>;
  /** Who speaks: see `roleKey`. */
  roles(): ArrayLike<number>;
  /** Calls back for each posting of the terms, whose places are the values of `terms`. */
  postings(
    terms: ReadonlyMap<number, number>,
    visit: (term: number, index: number, occurrences: number) => void,
  ): void;
}

/** A run and which of its fragments are inside the window. */
export interface Searched {
  run: Run;
  mask: Uint8Array;
  inside: number;
}

/** A scope, its segments and what is in none yet, as the window leaves it. */
export const searchRuns = (
  segments: readonly Segment[],
  loose: readonly Entry[],
  window: Window,
): Searched[] => {
  const runs = segments.map(runOfSegment);
  if (loose.length > 0) runs.push(runOfEntries(loose));
  return runs.map(run => search(run, window));
};

const runOfSegment = ({ recorded, roles, ...segment }: Segment): Run => ({
  ...segment,
  recorded: () => recorded,
  roles: () => roles,
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

/** Loose documents are met by many recalls before they are in a segment. */
const known = new WeakMap<Document, Uint32Array>();
const signatureOf = (document: Document): Uint32Array => {
  let made = known.get(document);
  if (!made) {
    made = new Uint32Array(SIGNATURE_WORDS);
    signature(document.vector, made, 0);
    known.set(document, made);
  }
  return made;
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
    roles: () => entries.map(entry => roleKey(entry.role)),
    postings: (terms, visit) => {
      entries.forEach(({ document: { stems, counts } }, index) => {
        for (let i = 0; i < stems.length; i++) {
          const term = terms.get(stems[i]!);
          if (term !== undefined) visit(term, index, counts[i]!);
        }
      });
    },
  };
};

const search = (run: Run, window: Window): Searched => {
  const { sessions, since = -Infinity, until = Infinity, asOf } = window;
  const mask = new Uint8Array(run.size);
  if (!sessions && since === -Infinity && until === Infinity && asOf === undefined) {
    return { run, mask: mask.fill(1), inside: run.size };
  }
  const recorded = asOf === undefined ? undefined : run.recorded();
  let inside = 0;
  for (let i = 0; i < run.size; i++) {
    const timestamp = run.timestamps[i]!;
    if (timestamp < since || timestamp > until) continue;
    // What nobody knows the instant of was not there by then.
    if (recorded && !(recorded[i]! <= asOf!)) continue;
    if (sessions && !sessions.has(run.sessions[i]!)) continue;
    mask[i] = 1;
    inside++;
  }
  return { run, mask, inside };
};

/** One turn of each role inside the window, by its number: who speaks there. */
export const oneTurnOfEachRole = (searched: readonly Searched[]): number[] => {
  const found = new Map<number, number>();
  for (const { run, mask, inside } of searched) {
    if (inside === 0) continue;
    const roles = run.roles();
    // Two speakers mostly take turns: looked up when it changes.
    let last = Number.NaN;
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN || roles[i] === last) continue;
      last = roles[i]!;
      if (!found.has(last)) found.set(last, run.numbers[i]!);
    }
  }
  return [...found.values()];
};
