import type { Language, Query } from '../../projections/language/language.ts';
import { confidence } from '../../projections/ranking/confidence.ts';
import { rankDeep, secondHop } from '../../projections/ranking/deep.ts';
import { type Ranked, rank } from '../../projections/ranking/rank.ts';
import type { ScopeStatistics } from '../../projections/recall/document.ts';
import type { RecallIndex, Scope, StoredFragment, TailTurn } from '../ports.ts';

export interface RetrievedHits {
  query: Query;
  /** The best first. */
  ranked: Ranked[];
  statistics: ScopeStatistics;
  confidence: number;
  fragment(key: number): StoredFragment;
}

export type Retrieve = (
  scope: Scope,
  q: string,
  mode: 'active' | 'deep',
  tail: readonly TailTurn[],
) => Promise<RetrievedHits>;

export interface RetrievePorts {
  index: RecallIndex;
  language: Language;
}

/** Candidates from the index and the tail, ranked by the one pure ranker. */
export const makeRetrieve =
  ({ index, language }: RetrievePorts): Retrieve =>
  async (scope, q, mode, tail) => {
    const speakers = new Set([...(await index.speakers(scope)), ...tail.map(turn => turn.role)]);
    const query = language.analyseQuery(q, [...speakers]);
    const first = await index.retrieve(scope, query, tail);
    const { candidates, statistics, fragment, complete } = first;
    const ranked = rank(query, candidates, statistics);
    if (mode === 'active')
      return { query, ranked, statistics, confidence: confidence(query, ranked, statistics), fragment };

    // The second hop looks for what the first hits are about; what it brings is ranked by what was asked.
    const second = complete ? undefined : await index.retrieve(scope, secondHop(query, ranked), tail);
    const known = new Set(candidates.map(candidate => candidate.key));
    const added = (second?.candidates ?? []).filter(candidate => !known.has(candidate.key));
    const both = rankDeep(query, [...candidates, ...added], statistics);
    return {
      query,
      ranked: both,
      statistics,
      confidence: confidence(query, both, statistics, 'deep'),
      fragment: key => (known.has(key) ? fragment(key) : second!.fragment(key)),
    };
  };
