import { entities, type FactsQuery, facts } from '../../api/calls.ts';
import type { EntityItem, FactItem } from '../../api/types.ts';

export interface Known {
  /** Current and former facts. */
  facts: FactItem[];
  entities: EntityItem[];
  /** Whether the user has more facts or entities than were loaded. */
  more: boolean;
}

const PAGE = 200;
/** Maximum pages: as much as a person can read. The rest is on the subjects' own pages. */
const MOST_PAGES = 5;

const allOf = async <T>(
  load: (cursor: string | undefined) => Promise<{ items: T[]; cursor: string | null }>,
): Promise<{ items: T[]; more: boolean }> => {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await load(cursor);
    all.push(...page.items);
    if (page.cursor === null) return { items: all, more: false };
    cursor = page.cursor;
  }
  return { items: all, more: true };
};

const factsOf = (query: FactsQuery, signal: AbortSignal) =>
  allOf(async cursor => {
    const page = await facts({ ...query, limit: PAGE, cursor }, signal);
    return { items: page.facts, cursor: page.next_cursor };
  });

export const loadKnown = async (user: string, signal: AbortSignal): Promise<Known> => {
  const [known, named] = await Promise.all([
    factsOf({ user_id: user, holds: 'ever' }, signal),
    allOf(async cursor => {
      const page = await entities({ user_id: user, limit: PAGE, cursor }, signal);
      return { items: page.entities, cursor: page.next_cursor };
    }),
  ]);
  return { facts: known.items, entities: named.items, more: known.more || named.more };
};

/** Loads the same, with all facts of one subject and the facts that name it, its relations to others. */
export const loadSubject = async (user: string, subject: string, signal: AbortSignal) => {
  const [known, own, naming] = await Promise.all([
    loadKnown(user, signal),
    factsOf({ user_id: user, subject, holds: 'ever' }, signal),
    factsOf({ user_id: user, value: subject, holds: 'now' }, signal),
  ]);
  const relations = naming.items.filter(({ subject: { id }, value_id }) => id !== value_id);
  return { ...known, own: own.items, relations };
};
