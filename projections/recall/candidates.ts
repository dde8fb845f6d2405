import type { Document, ScopeStatistics } from './document.ts';
import { distance, type Entry, findTerm, type Segment, signature } from './segment.ts';

/** What candidate selection needs of an analysed query. */
export interface CandidateQuery {
  /** Distinct content stems. */
  stems: Uint32Array;
  /** Stems and their expansions with a weight in (0, 1]. */
  terms: readonly { stem: number; weight: number }[];
  vector: Int8Array;
}

/** The searched part of a scope, inclusive; undefined means all. Sessions are the index's numbers. */
export interface Window {
  sessions?: ReadonlySet<number> | undefined;
  since?: number | undefined;
  until?: number | undefined;
}

export interface Chosen {
  number: number;
  session: number;
  timestamp: number;
  kind: number;
}

export interface Selection {
  chosen: Chosen[];
  /** Everything in the window was chosen. */
  complete: boolean;
  statistics: Omit<ScopeStatistics, 'speakers'>;
}

/** How many candidates words and vectors may each bring; at or below `all` turns everything is a candidate. */
export interface Limits {
  all: number;
  words: number;
  vectors: number;
}

const K1 = 0.9;
const B = 0.4;
const TURN = 0;
const SIGNATURE_WORDS = 8;
/** Farther than any two signatures can be. */
const OUTSIDE = 257;

/**
 * Brings the fragments worth ranking, and exact counts over the searched scope (Okapi BM25, Robertson 1994, over
 * words and their neighbours in the static table; Hamming distance of signatures for the vectors).
 * Cost: one pass over the scope's numbers, and the postings of the query's terms; no text is read.
 */
export const selectCandidates = (
  segments: readonly Segment[],
  loose: readonly Entry[],
  query: CandidateQuery,
  window: Window,
  limits: Limits,
): Selection => {
  const runs = segments.map(runOfSegment);
  if (loose.length > 0) runs.push(runOfEntries(loose));
  const searched = runs.map(run => search(run, window));
  const scope = countScope(searched, query);
  const complete = searched.reduce((sum, { inside }) => sum + inside, 0) <= limits.all;
  const chosen = complete ? everything(searched) : best(searched, scope, query, limits);
  return { chosen, complete, statistics: scope.statistics };
};

/** A run of fragments with its postings: a segment, or loose documents made to look like one. */
interface Run {
  size: number;
  numbers: ArrayLike<number>;
  sessions: ArrayLike<number>;
  timestamps: ArrayLike<number>;
  lengths: ArrayLike<number>;
  kinds: ArrayLike<number>;
  signatures: Uint32Array;
  /** Calls back for each posting of the terms, whose places are the values of `terms`. */
  postings(
    terms: ReadonlyMap<number, number>,
    visit: (term: number, index: number, occurrences: number) => void,
  ): void;
}

const runOfSegment = (segment: Segment): Run => ({
  ...segment,
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

/** A run and which of its fragments are inside the window. */
interface Searched {
  run: Run;
  mask: Uint8Array;
  inside: number;
}

const search = (run: Run, { sessions, since = -Infinity, until = Infinity }: Window): Searched => {
  const mask = new Uint8Array(run.size);
  let inside = 0;
  for (let i = 0; i < run.size; i++) {
    const timestamp = run.timestamps[i]!;
    if (timestamp < since || timestamp > until) continue;
    if (sessions && !sessions.has(run.sessions[i]!)) continue;
    mask[i] = 1;
    inside++;
  }
  return { run, mask, inside };
};

interface SessionRecord {
  length: number;
  /** Occurrences of each query stem. */
  counts: Uint16Array;
}

interface ScopeCounts {
  statistics: Selection['statistics'];
  /** Turns that hold each of the query's terms. */
  holding: Uint32Array;
  /** The postings inside the window, a list for each run: term, fragment index, occurrences, and so on. */
  postings: number[][];
}

const countScope = (searched: readonly Searched[], query: CandidateQuery): ScopeCounts => {
  const stemAt = new Map([...query.stems].map((stem, i) => [stem, i]));
  const termAt = new Map(query.terms.map(({ stem }, t) => [stem, t]));
  const stemOfTerm = query.terms.map(({ stem }) => stemAt.get(stem) ?? -1);
  const sessions = new Map<number, SessionRecord>();
  const recordOf = (session: number): SessionRecord => {
    let record = sessions.get(session);
    if (!record) {
      record = { length: 0, counts: new Uint16Array(stemAt.size) };
      sessions.set(session, record);
    }
    return record;
  };

  let turns = 0;
  let totalLength = 0;
  for (const { run, mask } of searched) {
    // Turns of a session mostly follow each other: looked up when it changes.
    let last = Number.NaN;
    let record: SessionRecord | undefined;
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN) continue;
      const session = run.sessions[i]!;
      if (session !== last || !record) {
        last = session;
        record = recordOf(session);
      }
      record.length += run.lengths[i]!;
      totalLength += run.lengths[i]!;
      turns++;
    }
  }

  const holding = new Uint32Array(query.terms.length);
  const postings = searched.map(({ run, mask }) => {
    const found: number[] = [];
    run.postings(termAt, (term, index, occurrences) => {
      if (mask[index] === 0) return;
      found.push(term, index, occurrences);
      if (run.kinds[index] !== TURN) return;
      holding[term]!++;
      const stem = stemOfTerm[term]!;
      if (stem >= 0) sessions.get(run.sessions[index]!)!.counts[stem]! += occurrences;
    });
    return found;
  });

  const empty: SessionRecord = { length: 0, counts: new Uint16Array(stemAt.size) };
  const statistics: Selection['statistics'] = {
    turns,
    meanLength: totalLength / Math.max(turns, 1),
    turnsWith: stem => holding[termAt.get(stem) ?? -1] ?? 0,
    sessions: sessions.size,
    meanSessionLength: totalLength / Math.max(sessions.size, 1),
    sessionsWith: stem => {
      const at = stemAt.get(stem);
      if (at === undefined) return 0;
      let count = 0;
      for (const { counts } of sessions.values()) if (counts[at]! > 0) count++;
      return count;
    },
    session: session => sessions.get(session) ?? empty,
  };
  return { statistics, holding, postings };
};

const chosenAt = (run: Run, i: number): Chosen => ({
  number: run.numbers[i]!,
  session: run.sessions[i]!,
  timestamp: run.timestamps[i]!,
  kind: run.kinds[i]!,
});

const everything = (searched: readonly Searched[]): Chosen[] => {
  const chosen: Chosen[] = [];
  for (const { run, mask } of searched) {
    for (let i = 0; i < run.size; i++) if (mask[i] === 1) chosen.push(chosenAt(run, i));
  }
  return chosen;
};

/** The best by words, and the nearest by signature. */
const best = (
  searched: readonly Searched[],
  { statistics, holding, postings }: ScopeCounts,
  query: CandidateQuery,
  limits: Limits,
): Chosen[] => {
  const idf = query.terms.map(({ weight }, t) => {
    const n = holding[t]!;
    return weight * Math.log(1 + (statistics.turns - n + 0.5) / (n + 0.5));
  });
  const scores = searched.map(({ run }, r) => {
    const score = new Float32Array(run.size);
    const found = postings[r]!;
    for (let f = 0; f < found.length; f += 3) {
      const index = found[f + 1]!;
      const occurrences = found[f + 2]!;
      const relativeLength = run.lengths[index]! / statistics.meanLength;
      score[index]! += (idf[found[f]!]! * occurrences) / (occurrences + K1 * (1 - B + B * relativeLength));
    }
    return score;
  });
  const target = new Uint32Array(SIGNATURE_WORDS);
  signature(query.vector, target, 0);
  const distances = searched.map(({ run, mask }) => {
    const found = new Uint16Array(run.size).fill(OUTSIDE);
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 1) found[i] = distance(run.signatures, i * SIGNATURE_WORDS, target, 0);
    }
    return found;
  });

  const least = largest(scores, limits.words);
  const near = nearest(distances, limits.vectors);
  const chosen: Chosen[] = [];
  searched.forEach(({ run }, r) => {
    for (let i = 0; i < run.size; i++) {
      const score = scores[r]![i]!;
      if ((score > 0 && score >= least) || distances[r]![i]! <= near) chosen.push(chosenAt(run, i));
    }
  });
  return chosen;
};

/** The k-th largest positive score, or 0 when there are fewer. */
const largest = (scores: readonly Float32Array[], k: number): number => {
  const positive = new Float32Array(scores.reduce((sum, list) => sum + list.length, 0));
  let count = 0;
  for (const list of scores) for (const score of list) if (score > 0) positive[count++] = score;
  return count <= k ? 0 : positive.subarray(0, count).sort()[count - k]!;
};

/** The greatest distance that still lets in at most k; a distance that would pass k is left out whole. */
const nearest = (distances: readonly Uint16Array[], k: number): number => {
  const histogram = new Uint32Array(OUTSIDE + 1);
  for (const list of distances) for (const value of list) histogram[value]!++;
  let sum = 0;
  for (let value = 0; value < OUTSIDE; value++) {
    sum += histogram[value]!;
    if (sum > k) return value - 1;
  }
  return OUTSIDE - 1;
};
