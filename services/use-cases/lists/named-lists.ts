/** A page of users or of sessions, by name or by last activity: cursor → tail and index → page. */
import { freshnessOf } from '../../../core/freshness.ts';
import type { Admission, Scope, TailTurn } from '../../../core/ports.ts';
import type { Freshness } from '../../../schemas/http/parts/parts.ts';
import type { Cursor } from '../../../schemas/http/queries/cursor.ts';
import { keyAfter, notIn, paged } from './page.ts';
import { newest, placeOf, type RecentPlace, withTailActivity } from './recent.ts';

interface Ports {
  admission: Pick<Admission, 'tail'>;
  /** Unix milliseconds. */
  clock: () => number;
}

interface Named {
  user: string;
  session?: string;
  lastAt: number | null;
}

interface Asked<Item extends Name & Named, Name extends { user: string; session?: string }> {
  sort: 'id' | 'last_at';
  cursor: string | undefined;
  byName: Cursor<Name>;
  byTime: Cursor<Name & { at: number }>;
  /** Whose turns are an item's. */
  activity: 'user' | 'session';
  /** Reads what the index has, by name, after a given one. */
  stored(after: Name | undefined, most: number): Promise<Item[]>;
  /** Adds what it doesn't have yet. */
  withTail(stored: readonly Item[], tail: readonly TailTurn[], after: Name | undefined, most: number): Item[];
}

interface Listed<Item> {
  page: Item[];
  next_cursor: string | null;
  freshness: Freshness;
}

export const listWith =
  ({ admission, clock }: Ports, scope: Scope) =>
  async <Item extends Name & Named, Name extends { user: string; session?: string }>(
    limit: number,
    { sort, cursor, byName, byTime, activity, stored, withTail }: Asked<Item, Name>,
  ): Promise<Listed<Item>> => {
    if (sort === 'id') {
      const after = keyAfter(byName, scope, cursor);
      const now = clock();
      const tail = await admission.tail(scope);
      const known = await stored(after, limit + 1);
      const found = withTail(known, tail, after, limit + 1);
      const { page, next_cursor } = paged(byName, found, limit, one => one, scope.filter);
      return { page, next_cursor, freshness: freshnessOf(now, tail, notIn(known, page)) };
    }
    const after = keyAfter(byTime, scope, cursor);
    const now = clock();
    const tail = await admission.tail(scope);
    const current = withTailActivity<Item>(tail, activity);
    const fresh = new Set<Item>();
    const pageOf = async (last: Item | undefined, most: number): Promise<Item[]> => {
      const known = await stored(last, most);
      const isKnown = new Set<Item>(known);
      return withTail(known, tail, last, most).map(one => {
        const item = current(one);
        if (!isKnown.has(one)) fresh.add(item);
        return item;
      });
    };
    const found = await newest(pageOf, after as RecentPlace | undefined, limit + 1);
    const place = (item: Item) => placeOf(item) as Name & { at: number };
    const { page, next_cursor } = paged(byTime, found, limit, place, scope.filter);
    const fromTail = page.filter(item => fresh.has(item)).length;
    return { page, next_cursor, freshness: freshnessOf(now, tail, fromTail) };
  };
