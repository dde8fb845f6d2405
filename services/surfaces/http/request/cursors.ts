/** Cursors at the edge of the service: they come in and leave sealed (core/sealed-cursors.ts). */
import type { CursorSeal } from '../../../../core/sealed-cursors.ts';
import type { Answer } from '../endpoint.ts';

/** The parameters that hold a cursor, and a word that one of them may have instead. */
const CURSORS: Readonly<Record<string, string | undefined>> = { cursor: undefined, after: 'now' };
/** Not a cursor of any list: a plain one is refused as a forged one is. */
const NO_CURSOR = '?';

/** Returns a cursor or a position as it was before it was sealed for this organization. */
export const openedCursor = (cursors: CursorSeal, text: string, org: string): string =>
  cursors.open(text, org) ?? NO_CURSOR;

/** Opens the cursors of a query, in place. An empty one stays: the schema reports it. */
export const openedQuery = (cursors: CursorSeal, query: URLSearchParams, org: string): URLSearchParams => {
  for (const [name, word] of Object.entries(CURSORS)) {
    const given = query.getAll(name);
    // The schema reports a parameter that is given twice.
    if (given.length !== 1 || given[0] === '' || given[0] === word) continue;
    query.set(name, openedCursor(cursors, given[0]!, org));
  }
  return query;
};

/** Seals the cursor of a page. */
export const sealedAnswer = (cursors: CursorSeal, answer: Answer, org: string): Answer => {
  const { next_cursor: next } = (answer.body ?? {}) as { next_cursor?: unknown };
  if (typeof next !== 'string') return answer;
  return { ...answer, body: { ...(answer.body as object), next_cursor: cursors.seal(next, org) } };
};
