import type { CandidateQuery } from './candidate-query.ts';
import type { ScopeStatistics } from './document.ts';
import { type Searched, TURN } from './segments/run.ts';

export interface SessionRecord {
  length: number;
  /** Occurrences of each query stem. */
  counts: Uint16Array;
}

export interface ScopeCounts {
  statistics: Omit<ScopeStatistics, 'speakers'>;
  sessions: ReadonlyMap<number, SessionRecord>;
  /** Turns that contain each of the query's terms. */
  holding: Uint32Array;
  /**
   * The postings inside the window, one flat list per run, which repeats: term, fragment index, occurrences.
   */
  postings: number[][];
}

/** Counts the searched scope exactly, in one pass over its numeric columns and the query terms' postings. */
export const countScope = (searched: readonly Searched[], query: CandidateQuery): ScopeCounts => {
  const stemAt = new Map([...query.stems].map((stem, i) => [stem, i]));
  const termAt = new Map(query.terms.map(({ stem }, t) => [stem, t]));
  const stemOfTerm = query.terms.map(({ stem }) => stemAt.get(stem) ?? -1);
  const sessions = new Map<number, SessionRecord>();
  // Most sessions contain none of the words; they share one array.
  const none = new Uint16Array(stemAt.size);
  const recordOf = (session: number): SessionRecord => {
    let record = sessions.get(session);
    if (!record) {
      record = { length: 0, counts: none };
      sessions.set(session, record);
    }
    return record;
  };

  let turns = 0;
  let totalLength = 0;
  for (const { run, mask } of searched) {
    // The turns of a session are mostly consecutive: look the session up only when it changes.
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
      if (stem < 0) return;
      const record = sessions.get(run.sessions[index]!)!;
      if (record.counts === none) record.counts = new Uint16Array(stemAt.size);
      record.counts[stem]! += occurrences;
    });
    return found;
  });

  const empty: SessionRecord = { length: 0, counts: none };
  const statistics: ScopeCounts['statistics'] = {
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
  return { statistics, sessions, holding, postings };
};
