/** Pages of lists: where a cursor continues, and the cursor of the next page. */
import { type Condition, conditionName } from '../../../projections/filter/condition.ts';
import {
  cursorFault,
  decodeCursor,
  encodeCursor,
  type List,
  type Place,
} from '../../../schemas/http/cursor.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Scope } from '../../core/ports.ts';

const { form: _, ...fault } = cursorFault;
const foreignCursor = (): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', { details: { errors: [fault] } });

/** Where a list continues. Throws `invalid` for a cursor of another list, user, session or filter. */
export const placeIn = <L extends List>(
  list: L,
  { user, session, filter }: Scope,
  cursor: string | undefined,
): Place<L> | undefined => {
  if (cursor === undefined) return undefined;
  const decoded = decodeCursor(list, cursor);
  if (!decoded || decoded.filter !== nameOf(filter)) throw foreignCursor();
  const { place } = decoded;
  const [ofUser, ofSession] = place as readonly (string | number)[];
  if ((user ?? ofUser) !== ofUser) throw foreignCursor();
  const isOfSession = list !== 'users' && list !== 'entities' && list !== 'facts';
  if (isOfSession && (session ?? ofSession) !== ofSession) throw foreignCursor();
  return place;
};

/** How many items of a page the index didn't have. */
export const notIn = (stored: readonly object[], page: readonly object[]): number => {
  const known = new Set(stored);
  return page.filter(item => !known.has(item)).length;
};

/** How a cursor names a filter. */
export const nameOf = (filter: Condition | undefined): string | undefined => filter && conditionName(filter);

/** Cuts one page from `found`, which has more than `most` items if there is another page. */
export const paged = <T, L extends List>(
  list: L,
  found: readonly T[],
  most: number,
  placeOf: (item: T) => Place<L>,
  filter?: Condition,
): { page: T[]; next_cursor: string | null } => {
  const page = found.slice(0, most);
  const next = found.length > most ? encodeCursor(list, placeOf(page.at(-1)!), nameOf(filter)) : null;
  return { page, next_cursor: next };
};
