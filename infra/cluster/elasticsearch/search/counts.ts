import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import type { ScopeCounts } from '../../../../domain/search/scope-counts.ts';
import { type Searched, TURN } from '../../../../domain/search/segments/run.ts';
import type { HoldingBuckets, SessionBuckets } from './candidates.ts';

/** Counts over the scope's turns in the index, from its aggregations. */
export interface IndexCounts {
  turns: number;
  length: number;
  /** By stem: the number of turns that hold it. */
  words: ReadonlyMap<number, number>;
  /**
   * Distinct sessions, and how many hold each stem; `beyond` has both if the lists don't name all sessions.
   */
  sessions: SessionBuckets;
  holding: HoldingBuckets['sessions'];
  beyond?: { sessions: number; sessionsWith: ReadonlyMap<number, number> };
}

interface Session {
  length: number;
  counts: Uint16Array;
}

/**
 * Combines the counts of the index's and the tail's fragments, of which only some were fetched. Exact with
 * one exception: in turns that were not fetched, a stem counts once per turn, however often it occurs.
 *
 * @param local counts of the fetched fragments and of the tail
 * @param isTail whether a fragment, by its number, is only in the tail
 */
export const scopeCounts = (
  index: IndexCounts,
  local: ScopeCounts,
  searched: readonly Searched[],
  query: CandidateQuery,
  isTail: (number: number) => boolean,
): ScopeCounts => {
  const stemAt = new Map([...query.stems].map((stem, i) => [stem, i]));
  const termAt = new Map(query.terms.map(({ stem }, t) => [stem, t]));
  const stemOfTerm = query.terms.map(({ stem }) => stemAt.get(stem) ?? -1);
  const sessions = new Map<number, Session>();
  const sessionOf = (key: number): Session => {
    let session = sessions.get(key);
    if (!session) {
      session = { length: 0, counts: new Uint16Array(stemAt.size) };
      sessions.set(key, session);
    }
    return session;
  };
  for (const { key, length } of index.sessions.buckets) sessionOf(key).length = length.value;
  for (const { key, words } of index.holding.buckets) {
    const { counts } = sessionOf(key);
    for (const { key: stem, doc_count } of words.buckets) counts[stemAt.get(stem)!] = doc_count;
  }

  const holding = Uint32Array.from(query.terms, ({ stem }) => index.words.get(stem) ?? 0);
  let turns = index.turns;
  let length = index.length;
  const added = new Set<number>();
  searched.forEach(({ run, mask }, r) => {
    for (let i = 0; i < run.size; i++) {
      if (mask[i] === 0 || run.kinds[i] !== TURN || !isTail(run.numbers[i]!)) continue;
      turns++;
      length += run.lengths[i]!;
      const key = run.sessions[i]!;
      if (!sessions.has(key)) added.add(key);
      sessionOf(key).length += run.lengths[i]!;
    }
    const found = local.postings[r]!;
    for (let f = 0; f < found.length; f += 3) {
      const i = found[f + 1]!;
      if (run.kinds[i] !== TURN) continue;
      const stem = stemOfTerm[found[f]!]!;
      const fromTail = isTail(run.numbers[i]!);
      if (fromTail) holding[found[f]!]!++;
      // The index already counted the stem once in this turn.
      if (stem >= 0) sessionOf(run.sessions[i]!).counts[stem]! += found[f + 2]! - (fromTail ? 0 : 1);
    }
  });

  const empty: Session = { length: 0, counts: new Uint16Array(stemAt.size) };
  const { beyond } = index;
  const distinct = beyond ? beyond.sessions + added.size : sessions.size;
  const sessionsWith = (stem: number): number => {
    const at = stemAt.get(stem);
    if (at === undefined) return 0;
    if (beyond) return beyond.sessionsWith.get(stem) ?? 0;
    let count = 0;
    for (const { counts } of sessions.values()) if (counts[at]! > 0) count++;
    return count;
  };
  return {
    statistics: {
      turns,
      meanLength: length / Math.max(turns, 1),
      turnsWith: stem => holding[termAt.get(stem) ?? -1] ?? 0,
      sessions: distinct,
      meanSessionLength: length / Math.max(distinct, 1),
      sessionsWith,
      session: key => sessions.get(key) ?? empty,
    },
    sessions,
    holding,
    postings: local.postings,
  };
};
