/** Pages of lists: where a cursor continues, and the cursor of the next page. */

import { ServiceError } from '../../../core/errors.ts';
import type { Scope } from '../../../core/ports.ts';
import { type Condition, conditionName } from '../../../domain/filter/condition.ts';
import { type Cursor, cursorFault } from '../../../schemas/http/queries/cursor.ts';

const { form: _, ...fault } = cursorFault;
export const foreignCursor = (): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', { details: { errors: [fault] } });

/** Where a list continues. Throws `invalid` for a cursor of another list, user, session or filter. */
export const keyAfter = <Key extends { user: string; session?: string }>(
  { decode }: Cursor<Key>,
  { user, session, filter }: Scope,
  cursor: string | undefined,
): Key | undefined => {
  if (cursor === undefined) return undefined;
  const decoded = decode(cursor);
  if (!decoded || decoded.filter !== nameOf(filter)) throw foreignCursor();
  const { key } = decoded;
  if ((user ?? key.user) !== key.user) throw foreignCursor();
  if (key.session !== undefined && (session ?? key.session) !== key.session) throw foreignCursor();
  return key;
};

/** How many items of a page the index didn't have. */
export const notIn = (stored: readonly object[], page: readonly object[]): number => {
  const known = new Set(stored);
  return page.filter(item => !known.has(item)).length;
};

/** How a cursor names a filter. */
export const nameOf = (filter: Condition | undefined): string | undefined => filter && conditionName(filter);

/** Cuts one page from `found`, which has more than `most` items if there is another page. */
export const paged = <T, Key>(
  { encode }: Cursor<Key>,
  found: readonly T[],
  most: number,
  keyOf: (item: T) => Key,
  filter?: Condition,
): { page: T[]; next_cursor: string | null } => {
  const page = found.slice(0, most);
  const next = found.length > most ? encode(keyOf(page.at(-1)!), nameOf(filter)) : null;
  return { page, next_cursor: next };
};

/**
 * The most characters of text on one page: long texts are read and sent in several pages, so that no page
 * delays other requests. A single text is shorter than this.
 */
const MOST_TEXT = 2 ** 20;

/** How many of these fit on a page. */
export const fitting = (found: readonly { fragment: { text: string } }[], limit: number): number => {
  let room = MOST_TEXT;
  const tooLong = found.findIndex(({ fragment }) => {
    room -= fragment.text.length;
    return room < 0;
  });
  return Math.min(limit, tooLong < 0 ? found.length : tooLong);
};
