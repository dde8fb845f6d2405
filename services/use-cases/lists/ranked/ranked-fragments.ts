/** Turns and observations that hold words, best first. */
import { freshnessOf } from '../../../../core/freshness.ts';
import type { Admission, Find, ListFilter, Scope } from '../../../../core/ports.ts';
import { readScope } from '../../../../core/scope.ts';
import type { CallContext, Principal } from '../../../../core/use-cases.ts';
import { conditionInQuery } from '../../../../domain/filter/condition.ts';
import type { NewFragment } from '../../../../domain/search/fragment.ts';
import type { Query } from '../../../../schemas/http/lists.ts';
import type { Match } from '../../../../schemas/http/parts/match.ts';
import type { Freshness } from '../../../../schemas/http/parts/parts.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { LISTED } from '../../../../schemas/http/queries/list-operation.ts';
import { fitting } from '../page.ts';
import { rankedPage, shownScore } from './ranking.ts';

export interface RankedPorts {
  find: Find;
  admission: Pick<Admission, 'tail'>;
  /** Unix milliseconds. */
  clock: () => number;
}

interface RankedFragments {
  /** Each with its match, in the order of the ranking. */
  page: { fragment: NewFragment; match: Match }[];
  next_cursor: string | null;
  freshness: Freshness;
}

const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseInstant(text);

/** Returns one page of what holds the words of `q`. Erased meanwhile, an item is left out. */
export const rankFragments = async (
  { find, admission, clock }: RankedPorts,
  of: 'turns' | 'observations',
  principal: Principal,
  query: (Query<'turns'> | Query<'observations'>) & { q: string },
  { kind: _, ...filter }: ListFilter,
  context: CallContext | undefined,
): Promise<RankedFragments> => {
  const { q, limit = LISTED, since, until } = query;
  const scope: Scope = {
    ...readScope(principal, query),
    since: instantOf(since),
    until: instantOf(until),
    filter: conditionInQuery(query.filter),
  };
  const { from, next } = rankedPage(of, scope, { q, ...filter }, query.cursor);
  // Read before the index: an acknowledged turn is in at least one of the two.
  const now = clock();
  const tail = await admission.tail(scope);
  const { found, total } = await find({ scope, q, tail, of, filter, from, limit }, context?.deadline);
  const shown = found.slice(0, fitting(found, limit));
  return {
    page: shown.map(({ fragment, score }) => ({ fragment, match: { score: shownScore(score), by: 'text' } })),
    // What was erased meanwhile is counted, too.
    next_cursor: next(shown.length < found.length ? shown.length : limit, total),
    freshness: freshnessOf(now, tail, shown.filter(({ isWaiting }) => isWaiting).length),
  };
};
