import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import { type Chosen, chooseBest, type Limits, SHORTLIST } from '../../../../domain/search/candidates.ts';
import { countScope } from '../../../../domain/search/scope-counts.ts';
import { TURN } from '../../../../domain/search/segments/run.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import type { FragmentNumbers } from '../write/fragment-numbers.ts';
import { fetchAround, type Surroundings } from './around/neighbours.ts';
import type { ReadFragments } from './candidates.ts';
import { countSessions } from './count-sessions.ts';
import { type IndexCounts, scopeCounts } from './counts.ts';
import { type WorkingSet, withMore } from './working-set.ts';

export const NOTHING: Surroundings = {
  fragments: [],
  sessions: new Set(),
  orders: new Map(),
  turns: new Set(),
};

export interface LargeScopeOptions {
  elasticsearch: Elasticsearch;
  alias: string;
  read: ReadFragments;
  numbers: FragmentNumbers;
  limits: Limits;
}

/** Returns searches for a scope of which only a part was fetched: only its counts are complete. */
export const makeLargeScope = ({ elasticsearch, alias, read, numbers, limits }: LargeScopeOptions) => {
  const around = (
    set: WorkingSet,
    turns: readonly Chosen[],
    known: Surroundings = NOTHING,
  ): Promise<Surroundings> => {
    const { scope, entries, fetched } = set;
    const sizes = new Map(fetched.counts.sessions.buckets.map(({ key, doc_count }) => [key, doc_count]));
    return fetchAround(
      { elasticsearch, read, numbers, alias, scope, sizes, known: entries.values() },
      turns.map(({ number }) => ({ entry: entries.get(number)!, user: set.fragment(number).user })),
      known.orders,
    );
  };

  const indexCounts = async ({ fetched, scope }: WorkingSet, query: CandidateQuery): Promise<IndexCounts> => {
    const { counts, fragments } = fetched;
    const listed =
      counts.sessions.sum_other_doc_count === 0 && counts.holding.sessions.sum_other_doc_count === 0;
    const keys = new Set(fragments.map(({ entry }) => entry.session));
    const sessions = listed
      ? { sessions: counts.sessions, holding: counts.holding.sessions }
      : await countSessions(elasticsearch, alias, scope, query, [...keys]);
    return {
      turns: counts.doc_count,
      length: counts.length.value,
      words: new Map(counts.words.buckets.map(({ key, doc_count }) => [key, doc_count])),
      ...sessions,
    };
  };

  return {
    /** Adds the missing turns around these. */
    surround: async (set: WorkingSet, turns: readonly Chosen[], known: Surroundings): Promise<WorkingSet> => {
      if (set.whole) return set;
      const unknown = turns.filter(
        ({ number, session }) => !known.turns.has(number) && !known.sessions.has(session),
      );
      return unknown.length === 0 ? set : withMore(set, (await around(set, unknown, known)).fragments);
    },
    /**
     * Chooses the best by counts over the whole scope. The answer to a question is often next to the turn
     * that asks it, so the turns around the best ones become candidates too, and serve as the neighbours that
     * ranking needs.
     */
    select: async (first: WorkingSet, query: CandidateQuery) => {
      const index = await indexCounts(first, query);
      const counts = ({ searched, isTail }: WorkingSet) =>
        scopeCounts(index, countScope(searched, query), searched, query, isTail);
      const shortlist = { best: SHORTLIST, words: 0, vectors: 0, length: limits.length };
      const best = chooseBest(first.searched, counts(first), query, shortlist);
      const surroundings = await around(
        first,
        best.filter(({ kind }) => kind === TURN),
      );
      const set = withMore(first, surroundings.fragments);
      const whole = counts(set);
      const chosen = chooseBest(set.searched, whole, query, limits);
      return { set, surroundings, chosen, complete: false, statistics: whole.statistics };
    },
  };
};
