import type { ScopeStatistics } from './document.ts';
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

interface SessionRecord {
  length: number;
  counts: Uint16Array;
}

/** A run of fragments with its postings per query term: a segment, or loose documents made to look like one. */
interface Run {
  size: number;
  numbers: ArrayLike<number>;
  sessions: ArrayLike<number>;
  timestamps: ArrayLike<number>;
  lengths: ArrayLike<number>;
  kinds: ArrayLike<number>;
  signatures: Uint32Array;
  /** Calls back with (fragment index, occurrences) of a term. */
  postings(term: number, visit: (index: number, occurrences: number) => void): void;
}

const runOfSegment = (segment: Segment): Run => ({
  ...segment,
  postings: (term, visit) => {
    const at = findTerm(segment.terms, term);
    if (at < 0) return;
    const end = segment.starts[at + 1]!;
    for (let i = segment.starts[at]!; i < end; i++) visit(segment.posted[i]!, segment.occurrences[i]!);
  },
});

const runOfEntries = (entries: readonly Entry[]): Run => {
  const signatures = new Uint32Array(entries.length * 8);
  entries.forEach((entry, i) => signature(entry.document.vector, signatures, i * 8));
  return {
    size: entries.length,
    numbers: entries.map(entry => entry.number),
    sessions: entries.map(entry => entry.session),
    timestamps: entries.map(entry => entry.timestamp),
    lengths: entries.map(entry => entry.document.length),
    kinds: entries.map(entry => entry.kind),
    signatures,
    postings: (term, visit) => {
      for (let i = 0; i < entries.length; i++) {
        const { stems, counts } = entries[i]!.document;
        const at = findTerm(stems, term);
        if (at >= 0) visit(i, counts[at]!);
      }
    },
  };
};

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

  const stemIndex = new Map([...query.stems].map((stem, i) => [stem, i]));
  const sessions = new Map<number, SessionRecord>();
  const masks: Uint8Array[] = [];
  let turns = 0;
  let fragments = 0;
  let totalLength = 0;
  for (const run of runs) {
    const mask = new Uint8Array(run.size);
    let last = Number.NaN;
    let record: SessionRecord | undefined;
    for (let i = 0; i < run.size; i++) {
      const timestamp = run.timestamps[i]!;
      const session = run.sessions[i]!;
      if (window.sessions && !window.sessions.has(session)) continue;
      if (window.since !== undefined && timestamp < window.since) continue;
      if (window.until !== undefined && timestamp > window.until) continue;
      mask[i] = 1;
      fragments++;
      if (run.kinds[i] !== TURN) continue;
      if (session !== last || !record) {
        last = session;
        record = sessions.get(session);
        if (!record) sessions.set(session, (record = { length: 0, counts: new Uint16Array(stemIndex.size) }));
      }
      record.length += run.lengths[i]!;
      totalLength += run.lengths[i]!;
      turns++;
    }
    masks.push(mask);
  }

  const documentCounts = query.terms.map(() => 0);
  const visits = runs.map((run, r) =>
    query.terms.map(({ stem }, t) => {
      const found: number[] = [];
      const stemAt = stemIndex.get(stem);
      run.postings(stem, (index, occurrences) => {
        if (!masks[r]![index]) return;
        found.push(index, occurrences);
        if (run.kinds[index] !== TURN) return;
        documentCounts[t]!++;
        if (stemAt !== undefined) sessions.get(run.sessions[index]!)!.counts[stemAt]! += occurrences;
      });
      return found;
    }),
  );
  const counted = new Map(query.terms.map(({ stem }, t) => [stem, documentCounts[t]!]));

  const chosen: Chosen[] = [];
  const choose = (run: Run, i: number): void => {
    chosen.push({
      number: run.numbers[i]!,
      session: run.sessions[i]!,
      timestamp: run.timestamps[i]!,
      kind: run.kinds[i]!,
    });
  };

  const complete = fragments <= limits.all;
  if (complete) {
    runs.forEach((run, r) => {
      for (let i = 0; i < run.size; i++) if (masks[r]![i]) choose(run, i);
    });
  } else {
    const meanLength = totalLength / Math.max(turns, 1);
    const scores = runs.map((run, r) => {
      const score = new Float32Array(run.size);
      query.terms.forEach(({ weight }, t) => {
        const n = documentCounts[t]!;
        const idf = weight * Math.log(1 + (turns - n + 0.5) / (n + 0.5));
        const found = visits[r]![t]!;
        for (let f = 0; f < found.length; f += 2) {
          const index = found[f]!;
          const tf = found[f + 1]!;
          score[index]! += (idf * tf) / (tf + K1 * (1 - B + (B * run.lengths[index]!) / meanLength));
        }
      });
      return score;
    });
    const wordThreshold = largest(scores, limits.words);
    const target = new Uint32Array(8);
    signature(query.vector, target, 0);
    const distances = runs.map((run, r) => {
      const found = new Uint16Array(run.size).fill(257);
      for (let i = 0; i < run.size; i++)
        if (masks[r]![i]) found[i] = distance(run.signatures, i * 8, target, 0);
      return found;
    });
    const near = nearest(distances, limits.vectors);
    runs.forEach((run, r) => {
      for (let i = 0; i < run.size; i++) {
        if ((scores[r]![i]! > 0 && scores[r]![i]! >= wordThreshold) || distances[r]![i]! <= near)
          choose(run, i);
      }
    });
  }

  const empty: SessionRecord = { length: 0, counts: new Uint16Array(stemIndex.size) };
  return {
    chosen,
    complete,
    statistics: {
      turns,
      meanLength: totalLength / Math.max(turns, 1),
      turnsWith: stem => counted.get(stem) ?? 0,
      sessions: sessions.size,
      meanSessionLength: totalLength / Math.max(sessions.size, 1),
      sessionsWith: stem => {
        const at = stemIndex.get(stem);
        if (at === undefined) return 0;
        let count = 0;
        for (const { counts } of sessions.values()) if (counts[at]! > 0) count++;
        return count;
      },
      session: session => sessions.get(session) ?? empty,
    },
  };
};

/** The k-th largest positive score, or 0 when there are fewer. */
const largest = (scores: readonly Float32Array[], k: number): number => {
  const positive = Float32Array.from(scores.flatMap(list => [...list.filter(score => score > 0)]));
  if (positive.length <= k) return 0;
  positive.sort();
  return positive[positive.length - k]!;
};

/** The greatest distance that still lets in at most k; a distance that would pass k is left out whole. */
const nearest = (distances: readonly Uint16Array[], k: number): number => {
  const histogram = new Uint32Array(258);
  for (const list of distances) for (const value of list) histogram[value]!++;
  let sum = 0;
  for (let value = 0; value <= 256; value++) {
    sum += histogram[value]!;
    if (sum > k) return value - 1;
  }
  return 256;
};
