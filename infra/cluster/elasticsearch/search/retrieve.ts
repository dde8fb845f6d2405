import type { Retrieval } from '../../../../core/ports.ts';
import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import { LIMITS, type Limits, selectCandidates } from '../../../../domain/search/candidates.ts';
import type { Document } from '../../../../domain/search/document.ts';
import { TURN } from '../../../../domain/search/segments/run.ts';
import { neighboursOf, turnsAround } from '../../../../domain/search/turns-around.ts';
import {
  analyseTail,
  numberTail,
  type TailAnalysis,
  type TailNumbers,
} from '../../../../projections/recall/tail/entries.ts';
import { candidateOf } from '../../../../projections/recall/tail/indexed.ts';
import { matchesScope } from '../../../../projections/recall/tail/matches-scope.ts';
import { cancelledBy, type Elasticsearch } from '../elasticsearch-client.ts';
import type { Horizons } from '../horizons.ts';
import { sessionKeyOf } from '../scope-clauses.ts';
import { type FragmentNumbers, makeFragmentNumbers } from '../write/fragment-numbers.ts';
import type { Surroundings } from './around/neighbours.ts';
import { makeReadFragments, searchedTerms } from './candidates.ts';
import { fetchVectors } from './fetch-vectors.ts';
import { makeFirstSearch } from './first-search.ts';
import { makeLargeScope, NOTHING } from './large-scope.ts';
import { type WorkingSet, workingSetOf } from './working-set.ts';

export interface RetrieveOptions {
  /** The number of partitions of the topic `turns`. */
  partitions: number;
  decodeDocument: (bytes: Uint8Array) => Document;
  analyse: TailAnalysis;
  /** Returns a function that yields to other requests between two steps of long work. */
  makeYieldWhenDue: () => () => Promise<void>;
  limits?: Limits | undefined;
}

/**
 * Returns the numbering of tail turns by their address in the log: the same before and after they are
 * indexed, in every process.
 */
const tailNumbers = ({ numberOf }: FragmentNumbers): TailNumbers => ({
  session: ({ org, user, session }) => sessionKeyOf(org, user, session),
  entry: ({ partition, offset }, part) => numberOf({ partition, offset, part }),
});

/** The data that one recall fetched from a scope. */
interface ScopeSnapshot {
  /** The connection whose requests are cancelled with the recall. */
  elasticsearch: Elasticsearch;
  set: WorkingSet;
  /** The turns of a large scope that were fetched as neighbours of others. */
  surroundings: Surroundings;
}

export const makeRetrieval = (
  elasticsearch: Elasticsearch,
  alias: string,
  horizons: Horizons,
  { partitions, decodeDocument, analyse, makeYieldWhenDue, limits: ofRecall = LIMITS }: RetrieveOptions,
): Pick<Retrieval<ScopeSnapshot>, 'retrieve' | 'surround' | 'vectors' | 'fragments'> => {
  const numbers = makeFragmentNumbers(partitions);
  const ofTail = tailNumbers(numbers);
  const read = makeReadFragments(decodeDocument, numbers);
  const firstSearch = makeFirstSearch(read, ofRecall.all);
  // What is asked for other candidates than a recall's gets as many as a small scope has.
  const widerSearch = makeFirstSearch(read, ofRecall.all, ofRecall.all);

  return {
    retrieve: async (wanted, analyseQuery, all, signal, limits = ofRecall) => {
      const asked = cancelledBy(elasticsearch, signal);
      // All searches of a recall use one moment.
      const scope = { ...wanted, horizon: await horizons(wanted.org) };
      const turns = all.filter(turn => matchesScope(scope, turn));
      await analyseTail(turns, analyse, makeYieldWhenDue());
      const tail = numberTail(turns, ofTail, analyse);
      const tailIds = tail.entries.map(({ number }) => tail.fragment(number)!.id);
      const fetch = limits === ofRecall ? firstSearch : widerSearch;
      const search = async (query: CandidateQuery): Promise<WorkingSet> =>
        workingSetOf(await fetch(asked, { alias, scope, query, tailIds }), tail, scope);

      // The scope's speakers and times arrive with the answer, so the first query treats every word as
      // significant.
      const first = analyseQuery([]);
      let found = await search(first);
      const query = analyseQuery(found.speakers, () => found.extent());
      if (!found.whole && !(covers(first, query) && hasSameTimes(first, query))) found = await search(query);
      const { set, surroundings, chosen, complete, statistics } = found.whole
        ? { set: found, surroundings: NOTHING, ...selectCandidates(found.searched, query, limits) }
        : await makeLargeScope({ elasticsearch: asked, alias, read, numbers, limits }).select(found, query);
      return {
        query,
        complete,
        candidates: chosen.map(({ number }) => candidateOf(set.entries.get(number)!)),
        statistics: { ...statistics, speakers: set.speakers },
        snapshot: { elasticsearch: asked, set, surroundings },
      };
    },
    surround: async ({ elasticsearch, set, surroundings }, keys) => {
      const large = makeLargeScope({ elasticsearch, alias, read, numbers, limits: ofRecall });
      const turns = keys.flatMap(key => set.entries.get(key) ?? []).filter(({ kind }) => kind === TURN);
      const { searched, entries } = await large.surround(set, turns, surroundings);
      return neighboursOf(turnsAround(searched, turns), number => entries.get(number));
    },
    vectors: async ({ elasticsearch, set }, ids, model) => {
      const turns = ids.map(id => `trn_${id}`);
      const found = await fetchVectors(elasticsearch, alias, set.scope, turns, model);
      return new Map(found.map(({ turn, vectors }) => [turn.slice('trn_'.length), vectors]));
    },
    fragments: async ({ set }, keys) => new Map(keys.map(key => [key, set.fragment(key)])),
  };
};

/**
 * Returns whether the first query's fragments were chosen neither by a time that no turn reaches, nor by the
 * words of a time that some turns reach.
 */
const hasSameTimes = (first: CandidateQuery, second: CandidateQuery): boolean =>
  first.spans.length === 0 ||
  (first.spans.length === second.spans.length && first.stems.length === second.stems.length);

/** Returns whether the answer to the first query has counts of all terms of the second. */
const covers = (first: CandidateQuery, second: CandidateQuery): boolean => {
  const known = new Set(searchedTerms(first).map(({ stem }) => stem));
  return (
    searchedTerms(second).every(({ stem }) => known.has(stem)) && second.stems.every(stem => known.has(stem))
  );
};
