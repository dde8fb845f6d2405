/** The world that the lists are held to: read models that a test writes, and a tail of its own. */

import type { Event } from '../../../core/log/events.ts';
import type { Find, Listing, Scope, TailTurn, TurnDetails } from '../../../core/ports.ts';
import type { MemoryLists, Principal } from '../../../core/use-cases.ts';
import { matchesScope } from '../../../projections/recall/tail/matches-scope.ts';
import { makeLists } from '../../../services/use-cases/lists/lists.ts';

/** An adapter's lists, and a projector's part. */
export interface OpenListing {
  listing: Listing;
  details: Pick<TurnDetails, 'observationsOf' | 'facts' | 'factKeys' | 'nameCorrections'>;
  find: Find;
  /** Projects these. */
  apply(events: readonly Event[]): Promise<void>;
  /** Another generation, made of these events alone, is read from now on. */
  promote(events: readonly Event[]): Promise<void>;
  close(): Promise<void>;
}

export interface ListingWorld {
  lists: MemoryLists;
  /** Unix milliseconds. */
  now: number;
  /** The port that the lists read. */
  listing: Listing;
  /** All that was written. */
  events: Event[];
  /** The turns that were acknowledged and not projected, as far as the test says. */
  tail: TailTurn[];
  write(...events: Event[]): Promise<void>;
  promote(): Promise<void>;
  close(): Promise<void>;
}

export const listingWorld = async (opened: OpenListing): Promise<ListingWorld> => {
  const events: Event[] = [];
  const tail: TailTurn[] = [];
  const admission = { tail: async (scope: Scope) => tail.filter(turn => matchesScope(scope, turn)) };
  const world: ListingWorld = {
    now: Date.now(),
    listing: opened.listing,
    lists: makeLists({
      find: opened.find,
      listing: opened.listing,
      details: opened.details,
      admission,
      settledUntil: async () => Date.now(),
      clock: () => world.now,
    }),
    events,
    tail,
    write: async (...written) => {
      events.push(...written);
      await opened.apply(written);
    },
    promote: () => opened.promote(events),
    close: opened.close,
  };
  return world;
};

export const principal = (changes: Partial<Principal> = {}): Principal => ({
  orgId: 'acme',
  userId: 'ada',
  roles: ['*'],
  keyId: 'key_1',
  ...changes,
});

interface Page {
  next_cursor: string | null;
}

/** All pages of a list, with what happens between two of them. */
export const pagesOf = async <P extends Page>(
  read: (cursor?: string) => Promise<P>,
  between: (page: P, number: number) => Promise<void> = async () => {},
): Promise<P[]> => {
  const pages: P[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    pages.push(page);
    if (page.next_cursor === null) return pages;
    await between(page, pages.length);
    cursor = page.next_cursor;
  }
};

/** The query's members, with the cursor if there is one. */
export const withCursor = <Q extends object>(
  query: Q,
  cursor: string | undefined,
): Q & { cursor?: string } => (cursor === undefined ? query : { ...query, cursor });
