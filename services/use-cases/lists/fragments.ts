/** Lists of turns and of observations, merged from the index and the tail without duplicates. */

import { freshnessOf } from '../../../core/freshness.ts';
import type {
  Admission,
  ListCursor,
  ListedFragment,
  ListFilter,
  Listing,
  Scope,
} from '../../../core/ports.ts';
import { readScope } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';
import { conditionInQuery } from '../../../domain/filter/condition.ts';
import type { Query } from '../../../schemas/http/lists.ts';
import type { Cursor } from '../../../schemas/http/queries/cursor.ts';
import { parseInstant } from '../../../schemas/http/queries/instant.ts';
import { LISTED } from '../../../schemas/http/queries/list-operation.ts';
import { fitting, keyAfter, notIn, paged } from './page.ts';
import { compareCursors, type Order, tailEntriesBehind } from './tail.ts';

export interface FragmentPorts {
  listing: Listing;
  admission: Pick<Admission, 'tail'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** Returns one page of the fragments of the tail and the index. */
export const listFragments = async (
  { listing, admission, clock }: FragmentPorts,
  cursor: Cursor<ListCursor>,
  principal: Principal,
  { limit = LISTED, since, until, ...query }: Query<'turns'> | Query<'observations'>,
  filter: ListFilter,
  order: Order = 'asc',
) => {
  const scope: Scope = {
    ...readScope(principal, query),
    since: instantOf(since),
    until: instantOf(until),
    filter: conditionInQuery(query.filter),
  };
  const after = keyAfter(cursor, scope, query.cursor);
  // The tail is read before the index: an acknowledged turn is in at least one of the two.
  const now = clock();
  const waiting = await admission.tail(scope);
  const tail = tailEntriesBehind(waiting, filter, order, after);
  const stored = await storedFragments(listing, scope, filter, order, after, limit + 1);
  // The index's copy of a fragment wins. When the index fills the page, tail entries after its last entry are
  // left out.
  const known = new Set(stored.map(({ fragment }) => fragment.id));
  const end = stored.length > fitting(stored, limit) ? stored.at(-1)!.cursor : undefined;
  const fresh = tail
    .filter(
      ({ fragment, cursor: at }) => !known.has(fragment.id) && (!end || compareCursors(at, end, order) < 0),
    )
    .sort(inOrder(order));
  const sorted = [...stored, ...(await whereIndexed(listing, scope, fresh, order, after, limit + 1))].sort(
    inOrder(order),
  );
  const { page, next_cursor } = paged(
    cursor,
    sorted,
    fitting(sorted, limit),
    one => one.cursor,
    scope.filter,
  );
  return { page, next_cursor, freshness: freshnessOf(now, waiting, notIn(stored, page)) };
};

/** Fragments per read. With the longest texts, one read fills a few pages. */
const READ_AT_ONCE = 64;

const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseInstant(text);

const inOrder =
  (order: Order) =>
  (a: ListedFragment, b: ListedFragment): number =>
    compareCursors(a.cursor, b.cursor, order);

/**
 * The next fragments after a cursor; fewer than `most` at the end of the list, or when their text fills a
 * page.
 */
const storedFragments = async (
  listing: Listing,
  scope: Scope,
  filter: ListFilter,
  order: Order,
  after: ListCursor | undefined,
  most: number,
): Promise<ListedFragment[]> => {
  const found: ListedFragment[] = [];
  for (;;) {
    const wanted = Math.min(READ_AT_ONCE, most - found.length);
    const next = await listing.fragments(scope, filter, order, found.at(-1)?.cursor ?? after, wanted);
    found.push(...next);
    if (next.length < wanted || found.length === most || fitting(found, most) < found.length) return found;
  }
};

/**
 * The first entries of the tail after a cursor, at least `most` if there are as many. A turn that a retry
 * appended again is listed at the offset that the index has for it, that of the first copy, although the tail
 * may hold the other copy. Such a turn may move off the page, so only entries that don't move are counted.
 */
const whereIndexed = async (
  listing: Listing,
  scope: Scope,
  entries: readonly ListedFragment[],
  order: Order,
  after: ListCursor | undefined,
  most: number,
): Promise<ListedFragment[]> => {
  const found: ListedFragment[] = [];
  for (let at = 0, sure = 0; at < entries.length && sure < most; at += most) {
    const next = entries.slice(at, at + most);
    const ids = next.map(({ fragment }) => fragment.id);
    const offsets = await listing.offsets(scope, ids);
    for (const entry of next) {
      const offset = offsets.get(entry.fragment.id) ?? entry.cursor.offset;
      const cursor = { ...entry.cursor, offset };
      if (offset === entry.cursor.offset) sure++;
      if (!after || compareCursors(cursor, after, order) > 0) found.push({ ...entry, cursor });
    }
  }
  return found;
};
