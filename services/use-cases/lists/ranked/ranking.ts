/** What all lists share that are ranked by words: a place in the ranking, and names in steps. */
import { makeYieldWhenDue } from '../../../../core/fairness/yield-when-due.ts';
import type { Scope } from '../../../../core/ports.ts';
import { compareText } from '../../../../domain/filter/compare-text.ts';
import { conditionName } from '../../../../domain/filter/condition.ts';
import { scopeDigest } from '../../../../domain/identity/identity.ts';
import type { Match } from '../../../../schemas/http/parts/match.ts';
import { MOST_RANKED, rankedCursor } from '../../../../schemas/http/queries/list-operation.ts';
import { foreignCursor } from '../page.ts';

/** An item that was found, by the name that orders those of one score. */
export interface Ranked<Item> {
  item: Item;
  match: Match;
  name: string;
}

/** A page of a ranking: where it begins, and the cursor behind so many items. */
export interface RankedPage {
  from: number;
  /** @param total how many items the ranking has */
  next(shown: number, total: number): string | null;
}

/**
 * Returns the page that a cursor continues. Throws `invalid` for a cursor of another list, or of the same with
 * other words or another scope.
 *
 * @param asked what else selects the list's items
 */
export const rankedPage = (
  list: string,
  { org: _, filter, ...scope }: Scope,
  asked: Readonly<Record<string, unknown>>,
  cursor: string | undefined,
): RankedPage => {
  const { encode, decode } = rankedCursor(list);
  const name = scopeDigest([JSON.stringify([scope, filter && conditionName(filter), asked])]);
  const decoded = cursor === undefined ? undefined : decode(cursor);
  if (cursor !== undefined && decoded?.filter !== name) throw foreignCursor();
  const from = Math.min(Math.max(decoded?.key.from ?? 0, 0), MOST_RANKED);
  return {
    from,
    next: (shown, total) => {
      const end = from + shown;
      return end < Math.min(total, MOST_RANKED) ? encode({ from: end }, name) : null;
    },
  };
};

/** The best first. */
export const bestFirst = <Item>(found: Iterable<Ranked<Item>>): Ranked<Item>[] =>
  [...found]
    .sort((a, b) => b.match.score - a.match.score || compareText(a.name, b.name))
    .slice(0, MOST_RANKED);

/** Names that are looked at, at most, and that are read at a time. */
export const MOST_NAMES = 20_000;
const AT_ONCE = 1_000;

/** Reads names page by page, up to `MOST_NAMES`. */
export const eachName = async <Name>(
  pageOf: (after: Name | undefined, limit: number) => Promise<Name[]>,
): Promise<Name[]> => {
  const names: Name[] = [];
  for (;;) {
    const page = await pageOf(names.at(-1), AT_ONCE);
    names.push(...page);
    if (page.length < AT_ONCE || names.length >= MOST_NAMES) return names.slice(0, MOST_NAMES);
  }
};

/** Calls `visit` for each, and lets other calls run in between. */
export const inSteps = async <Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> => {
  const yieldWhenDue = makeYieldWhenDue();
  for (const item of items) {
    visit(item);
    await yieldWhenDue();
  }
};

/** Rounds a score, so that its digits do not look exact. */
export const shownScore = (score: number): number => Math.round(score * 10_000) / 10_000;
