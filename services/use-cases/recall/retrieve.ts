import type { Language } from '../../../projections/language/language.ts';
import { confidence } from '../../../projections/ranking/confidence.ts';
import { rankDeep, secondHop } from '../../../projections/ranking/deep.ts';
import { type Prepared, prepare } from '../../../projections/ranking/features.ts';
import { type Ranked, rank } from '../../../projections/ranking/rank.ts';
import { SHORTLIST } from '../../../projections/recall/candidates.ts';
import { type Candidate, NO_NEIGHBOURS } from '../../../projections/recall/document.ts';
import type { RecallIndex, Retrieved, Scope, StoredFragment, TailTurn } from '../../core/ports.ts';

export interface RetrievedHits {
  prepared: Prepared;
  /** The best first. */
  ranked: Ranked[];
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
  index: Pick<RecallIndex, 'retrieve'>;
  language: Pick<Language, 'analyseQuery'>;
}

/** Candidates from the index and the tail, ranked by the one pure ranker. */
export const makeRetrieve =
  ({ index, language }: RetrievePorts): Retrieve =>
  async (scope, q, mode, tail) => {
    const first = await index.retrieve(scope, speakers => language.analyseQuery(q, speakers), tail);
    const { query, statistics, fragment, complete } = first;
    const prepared = prepare(query, statistics, first.candidates);
    const candidates = await inPlace(prepared, first, first.candidates);
    const ranked = rank(prepared, candidates);
    if (mode === 'active') {
      return { prepared, ranked, confidence: confidence(query, ranked, statistics), fragment };
    }

    // The second hop looks for what the first hits are about; what it brings is ranked by what was asked.
    const second = complete ? undefined : await index.retrieve(scope, () => secondHop(query, ranked), tail);
    const known = new Set(candidates.map(candidate => candidate.key));
    const added = second?.candidates.filter(candidate => !known.has(candidate.key)) ?? [];
    const placed = second ? await inPlace(prepared, second, added) : [];
    const both = rankDeep(prepared, [...candidates, ...placed]);
    return {
      prepared,
      ranked: both,
      confidence: confidence(query, both, statistics, 'deep'),
      fragment: key => (known.has(key) ? fragment(key) : second!.fragment(key)),
    };
  };

/** The candidates with the turns around them: around all of a small scope's, around the best of a large one's. */
const inPlace = async (
  prepared: Prepared,
  { complete, neighbours }: Retrieved,
  candidates: readonly Candidate[],
): Promise<Candidate[]> => {
  const best = complete
    ? candidates
    : rank(prepared, candidates)
        .slice(0, SHORTLIST)
        .map(({ candidate }) => candidate);
  const around = await neighbours(best.map(({ key }) => key));
  return candidates.map(candidate => ({
    ...candidate,
    neighbours: around.get(candidate.key) ?? NO_NEIGHBOURS,
  }));
};
