import type { CandidateQuery } from '../../../projections/recall/candidate-query.ts';
import {
  type Chosen,
  LIMITS,
  type Limits,
  selectCandidates,
} from '../../../projections/recall/candidates.ts';
import {
  type Candidate,
  type Document,
  type Neighbour,
  NO_NEIGHBOURS,
} from '../../../projections/recall/document.ts';
import { TURN } from '../../../projections/recall/run.ts';
import {
  analyseTail,
  placeTail,
  type TailAnalysis,
  type TailNumbers,
} from '../../../projections/recall/tail/entries.ts';
import type { Indexed } from '../../../projections/recall/tail/indexed.ts';
import { matchesScope } from '../../../projections/recall/tail/matches-scope.ts';
import { turnsAround } from '../../../projections/recall/turns-around.ts';
import type { RecallIndex, Retrieved } from '../../../services/core/ports.ts';
import { makeReadFragments, searchedTerms } from './candidates.ts';
import type { Elasticsearch } from './client.ts';
import { makeFirstSearch } from './first-search.ts';
import { keyOf } from './fragment.ts';
import { makeLargeScope, NOTHING } from './large-scope.ts';
import { sessionKeyOf } from './scope.ts';
import { type WorkingSet, workingSetOf } from './working-set.ts';

export interface RetrieveOptions {
  decodeDocument: (bytes: Uint8Array) => Document;
  analyse: TailAnalysis;
  /** Makes a function that yields to other requests between two steps of long work. */
  makeYieldWhenDue: () => () => Promise<void>;
  limits?: Limits | undefined;
}

/** A turn's address in the log numbers it: before and after it is indexed, in every process. */
const TAIL_NUMBERS: TailNumbers = {
  session: ({ org, user, session }) => sessionKeyOf(org, user, session),
  entry: ({ partition, offset }, part) => keyOf({ partition, offset, part }),
};

export const makeRetrieve = (
  elasticsearch: Elasticsearch,
  alias: string,
  { decodeDocument, analyse, makeYieldWhenDue, limits = LIMITS }: RetrieveOptions,
): RecallIndex['retrieve'] => {
  const read = makeReadFragments(decodeDocument);
  const firstSearch = makeFirstSearch(elasticsearch, read, limits.all);
  const large = makeLargeScope({ elasticsearch, alias, read, limits });

  return async (scope, analyseQuery, all) => {
    const turns = all.filter(turn => matchesScope(scope, turn));
    await analyseTail(turns, analyse, makeYieldWhenDue());
    const tail = placeTail(turns, TAIL_NUMBERS, analyse);
    const tailIds = tail.entries.map(({ number }) => tail.fragment(number)!.id);
    const search = async (query: CandidateQuery): Promise<WorkingSet> =>
      workingSetOf(await firstSearch({ alias, scope, query, tailIds }), tail, scope);

    // The scope's speakers come with the answer, so the first query takes every word for one that counts.
    const first = analyseQuery([]);
    let found = await search(first);
    const query = analyseQuery(found.speakers);
    if (!found.whole && !covers(first, query)) found = await search(query);
    const { set, surroundings, ...selected } = found.whole
      ? { set: found, surroundings: NOTHING, ...selectCandidates(found.searched, query, limits) }
      : await large.select(found, query);

    const chosen = new Map(selected.chosen.map(one => [one.number, one]));
    return {
      query,
      complete: selected.complete,
      candidates: selected.chosen.map(one => candidate(one, set.entries)),
      statistics: { ...selected.statistics, speakers: set.speakers },
      neighbours: async keys => {
        const turns = keys.flatMap(key => (chosen.get(key)?.kind === TURN ? [chosen.get(key)!] : []));
        return neighboursOf(await large.surround(set, turns, surroundings), turns);
      },
      fragment: set.fragment,
    };
  };
};

/** Whether the answer to the first query has counts of all terms of the second. */
const covers = (first: CandidateQuery, second: CandidateQuery): boolean => {
  const known = new Set(searchedTerms(first).map(({ stem }) => stem));
  return (
    searchedTerms(second).every(({ stem }) => known.has(stem)) && second.stems.every(stem => known.has(stem))
  );
};

const candidate = (
  { number, session, timestamp, kind }: Chosen,
  entries: ReadonlyMap<number, Indexed>,
): Candidate => {
  const { id, role, document } = entries.get(number)!;
  const name = kind === TURN ? 'turn' : 'observation';
  return { key: number, id, kind: name, session, role, timestamp, document, neighbours: NO_NEIGHBOURS };
};

const neighboursOf = (
  { searched, entries }: WorkingSet,
  turns: readonly Chosen[],
): Awaited<ReturnType<Retrieved['neighbours']>> => {
  const at = (number?: number): Neighbour | undefined =>
    number === undefined ? undefined : entries.get(number);
  return new Map(
    [...turnsAround(searched, turns)].map(([key, [a, b, c, d]]) => [
      key,
      [at(a), at(b), at(c), at(d)] as const,
    ]),
  );
};
