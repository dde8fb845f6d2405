/** Facts that have words, best first. */
import { ServiceError } from '../../../../core/errors.ts';
import { readScope } from '../../../../core/scope.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import { conditionInQuery } from '../../../../domain/filter/condition.ts';
import { makeTextRanking } from '../../../../domain/search/ranked-texts.ts';
import type { FactItem } from '../../../../schemas/http/items.ts';
import type { Facts, Query } from '../../../../schemas/http/lists.ts';
import { LISTED } from '../../../../schemas/http/queries/list-operation.ts';
import { bestFirst, inSteps, rankedPage, shownScore } from './ranking.ts';

export type ListFacts = (principal: Principal, query: Query<'facts'>) => Promise<Facts>;

/** Facts that are read at a time, and all together: which of them holds is decided over all that was said. */
const AT_ONCE = 200;
const MOST_FACTS = 5_000;

const tooMany = (): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', {
    details: {
      errors: [
        {
          loc: ['query', 'q'],
          type: 'too_many',
          message: `must be left out: more than ${MOST_FACTS} facts can't be ranked; a subject or an attribute leaves fewer`,
        },
      ],
    },
  });

/** What a fact says, in words: of whom, what, and how it was said. */
const wordsIn = ({ subject, attribute, about, value, text }: FactItem): string =>
  [subject.label, attribute.replaceAll('_', ' '), about ?? '', value, text].join(' ');

/**
 * Returns a page of the facts that have words of q, of all that the list has without it. Throws `invalid`
 * where these are too many.
 */
export const rankFacts = async (
  list: ListFacts,
  principal: Principal,
  { q, limit = LISTED, cursor, ...query }: Query<'facts'> & { q: string },
): Promise<Facts> => {
  const { filter, ...asked } = query;
  const scope = { ...readScope(principal, query), filter: conditionInQuery(filter) };
  const { from, next } = rankedPage('facts', scope, { ...asked, q }, cursor);
  const facts: FactItem[] = [];
  let page: Facts;
  let after: string | undefined;
  do {
    page = await list(principal, { ...query, limit: AT_ONCE, ...(after !== undefined && { cursor: after }) });
    facts.push(...page.facts);
    if (facts.length > MOST_FACTS) throw tooMany();
    after = page.next_cursor ?? undefined;
  } while (after !== undefined);

  const words = makeTextRanking(q);
  await inSteps(facts, fact => words.add(wordsIn(fact)));
  const ranked = bestFirst(
    facts
      .map(item => ({
        item,
        name: item.id,
        match: { score: words.score(wordsIn(item)), by: 'text' as const },
      }))
      .filter(({ match }) => match.score > 0),
  );
  const shown = ranked.slice(from, from + limit);
  return {
    facts: shown.map(({ item, match }) => ({
      ...item,
      match: { ...match, score: shownScore(match.score) },
    })),
    next_cursor: next(limit, ranked.length),
    freshness: {
      ...page.freshness,
      from_tail: shown.filter(({ item }) => item.recorded_at === null).length,
    },
  };
};
