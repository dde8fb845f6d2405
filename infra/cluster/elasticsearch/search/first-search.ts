import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import { conditionName } from '../../../../domain/filter/condition.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { type Fetched, type FetchRequest, fetchCandidates, type ReadFragments } from './candidates.ts';

/**
 * Fragments that a search fetches from a large scope for the first pass to choose from. On five LoCoMo
 * conversations in one partition 300 were as good as 1,000, since the turns around the best are fetched as
 * well.
 */
const FETCHED = 400;
/**
 * The number of scopes remembered as large: they hardly ever shrink, and a search that finds one small is
 * repeated.
 */
const KNOWN_LARGE = 10_000;
/** The engine's own limit for one answer. */
const MOST_FETCHED = 10_000;

/**
 * Makes the search that fetches a scope's candidates. The scope's size is unknown beforehand, so the first
 * search fetches as many fragments as a small scope has.
 *
 * @param all the most fragments of a scope that is fetched whole
 * @param best how many fragments of a large scope are fetched
 */
export const makeFirstSearch = (read: ReadFragments, all: number, best = FETCHED) => {
  const most = Math.min(MOST_FETCHED, Math.max(all, best));
  const large = boundedMap<true>(KNOWN_LARGE);
  return async (
    elasticsearch: Elasticsearch,
    request: Omit<FetchRequest, 'size' | 'most'>,
  ): Promise<Fetched> => {
    const { org, user, session, since, until, asOf, filter } = request.scope;
    // A filter may be long, so its name is remembered.
    const name = JSON.stringify([org, user, session, since, until, asOf, filter && conditionName(filter)]);
    const size = large.get(name) ? best : most;
    const fetched = await fetchCandidates(elasticsearch, read, { ...request, size, most });
    if (fetched.total > most) {
      large.set(name, true);
      // Return the same as for a scope known to be large: an answer must not depend on earlier requests.
      return { ...fetched, fragments: fetched.fragments.slice(0, best) };
    }
    if (size === most) return fetched;
    large.delete(name);
    return fetchCandidates(elasticsearch, read, { ...request, size: most, most });
  };
};
