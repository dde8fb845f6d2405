/** The calls that list what is stored: scope → cursor → tail and index → page. */
import {
  cursorFault,
  decodeCursor,
  encodeCursor,
  type List,
  type Place,
} from '../../../schemas/http/cursor.ts';
import { parseInstant } from '../../../schemas/http/instant.ts';
import { LISTED, type ObservationsQuery, type TurnsQuery } from '../../../schemas/http/list-queries.ts';
import { ServiceError } from '../../core/errors.ts';
import type {
  Admission,
  KeptTurn,
  ListedFragment,
  ListFilter,
  Listing,
  ListPlace,
  RecallIndex,
  Scope,
  TailTurn,
} from '../../core/ports.ts';
import { readScope } from '../../core/scope.ts';
import type { MemoryLists, Principal } from '../../core/use-cases.ts';
import {
  entityItem,
  observationItem,
  observationOf,
  provenanceOf,
  sessionItem,
  turnEntity,
  turnItem,
  turnOf,
  userItem,
} from './items.ts';
import {
  comparePlaces,
  type Order,
  tailEntries,
  tailEntriesBehind,
  withTailSessions,
  withTailUsers,
} from './tail.ts';

export interface ListPorts {
  listing: Listing;
  /** What was made of a turn. */
  details: Pick<RecallIndex, 'observationsOf'>;
  admission: Pick<Admission, 'tail'>;
}

const { form: _, ...fault } = cursorFault;
const foreignCursor = (): ServiceError =>
  new ServiceError('invalid', 'The request breaks a rule.', { details: { errors: [fault] } });

/** Throws `invalid` for what is no cursor of the list, or one of another user's or session's. */
const placeIn = <L extends List>(
  list: L,
  { user, session }: Scope,
  cursor: string | undefined,
): Place<L> | undefined => {
  if (cursor === undefined) return undefined;
  const place = decodeCursor(list, cursor);
  if (!place) throw foreignCursor();
  const [ofUser, ofSession] = place as readonly (string | number)[];
  if ((user ?? ofUser) !== ofUser) throw foreignCursor();
  const isOfSession = list !== 'users' && list !== 'entities';
  if (isOfSession && (session ?? ofSession) !== ofSession) throw foreignCursor();
  return place;
};

/** More was asked for than is shown: whether there is another page. */
const paged = <T, L extends List>(
  list: L,
  found: readonly T[],
  most: number,
  placeOf: (item: T) => Place<L>,
): { shown: T[]; next_cursor: string | null } => {
  const shown = found.slice(0, most);
  const next = found.length > most ? encodeCursor(list, placeOf(shown.at(-1)!)) : null;
  return { shown, next_cursor: next };
};

/**
 * Characters of a page's texts, in all: what is long is read and sent in several pages, so that none of them holds up
 * whoever else asks. A single text is shorter than that.
 */
const MOST_TEXT = 2 ** 20;
/** Fragments that are read at once: with the longest texts a few times as much as a page holds. */
const READ_AT_ONCE = 64;

/** How many of them a page holds. */
const fitting = (found: readonly ListedFragment[], limit: number): number => {
  let room = MOST_TEXT;
  const tooLong = found.findIndex(({ fragment }) => {
    room -= fragment.text.length;
    return room < 0;
  });
  return Math.min(limit, tooLong < 0 ? found.length : tooLong);
};

const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseInstant(text);

const inOrder =
  (order: Order) =>
  (a: ListedFragment, b: ListedFragment): number =>
    comparePlaces(a.place, b.place, order);

type FragmentList = 'turns asc' | 'turns desc' | 'observations';

export const makeLists = ({ listing, details, admission }: ListPorts): MemoryLists => {
  /** The next ones behind a place; fewer than `most` where there are no more, or where a page has text enough. */
  const storedFragments = async (
    scope: Scope,
    filter: ListFilter,
    order: Order,
    after: ListPlace | undefined,
    most: number,
  ): Promise<ListedFragment[]> => {
    const found: ListedFragment[] = [];
    for (;;) {
      const wanted = Math.min(READ_AT_ONCE, most - found.length);
      const next = await listing.fragments(scope, filter, order, found.at(-1)?.place ?? after, wanted);
      found.push(...next);
      if (next.length < wanted || found.length === most || fitting(found, most) < found.length) return found;
    }
  };

  /**
   * The first entries of the tail behind a place, at least `most` where there are so many, in their order but for those
   * that the index has. A turn that a retry appended once more is in the index where its first copy is, and in the tail
   * where the other one may be: it is told where the index has it, or was. One that moves may move behind the page, so
   * only the others count.
   */
  const whereShown = async (
    scope: Scope,
    entries: readonly ListedFragment[],
    order: Order,
    after: ListPlace | undefined,
    most: number,
  ): Promise<ListedFragment[]> => {
    const found: ListedFragment[] = [];
    for (let at = 0, sure = 0; at < entries.length && sure < most; at += most) {
      const next = entries.slice(at, at + most);
      const ids = next.map(({ fragment }) => fragment.id);
      const offsets = await listing.offsets(scope, ids);
      for (const entry of next) {
        const offset = offsets.get(entry.fragment.id) ?? entry.place.offset;
        const place = { ...entry.place, offset };
        if (offset === entry.place.offset) sure++;
        if (!after || comparePlaces(place, after, order) > 0) found.push({ ...entry, place });
      }
    }
    return found;
  };

  // The tail is read before the index: what is acknowledged is in one of the two.
  const fragments = async (
    list: FragmentList,
    principal: Principal,
    { limit = LISTED, since, until, ...query }: TurnsQuery | ObservationsQuery,
    filter: ListFilter,
  ) => {
    const scope: Scope = {
      ...readScope(principal, query),
      since: instantOf(since),
      until: instantOf(until),
    };
    const order = list === 'turns desc' ? 'desc' : 'asc';
    const place = placeIn(list, scope, query.cursor);
    const after = place && placeOf(place);
    const tail = tailEntriesBehind(await admission.tail(scope), filter, order, after);
    const stored = await storedFragments(scope, filter, order, after, limit + 1);
    // What the index has is told as the index has it; of the tail nothing is told that lies behind a page it fills.
    const known = new Set(stored.map(({ fragment }) => fragment.id));
    const end = stored.length > fitting(stored, limit) ? stored.at(-1)!.place : undefined;
    const fresh = tail
      .filter(
        ({ fragment, place }) => !known.has(fragment.id) && (!end || comparePlaces(place, end, order) < 0),
      )
      .sort(inOrder(order));
    const sorted = [...stored, ...(await whereShown(scope, fresh, order, after, limit + 1))].sort(
      inOrder(order),
    );
    return paged(list, sorted, fitting(sorted, limit), membersOf);
  };

  /**
   * A turn as the index and the tail have it. The tail lets go of a turn once the index shows all of it, so whoever asks
   * the tail first and then the index misses nothing. Yet the tail of an organization may be long, and most turns have
   * left it long ago, so the index is asked before as well:
   *
   * - It has the turn. What its client observed may show a moment later than the turn does, and is in the tail until
   *   then: the tail of its session says so, and the index is asked for observations after it.
   * - It has not, for the turn is just being projected, isn't kept, never was, is erased, or is another's. Then the tail
   *   of all that the principal sees is asked, and the index once more: the turn may have gone over in between.
   * - Another generation serves from somewhere in between: it shows what the tail has let go of by then (ADR 13, 14).
   * - It is erased in between: it is told as far as it was found before. A call that begins later finds it in neither.
   */
  const findTurn = async (
    seen: Pick<Scope, 'org' | 'user'>,
    id: string,
  ): Promise<{ kept: KeptTurn | undefined; tail: TailTurn[] }> => {
    const known = await listing.turn(seen, id);
    const { user, session } = known?.fragment ?? { user: seen.user, session: undefined };
    const tail = (await admission.tail({ org: seen.org, user, session })).filter(turn => turn.id === id);
    return { kept: known ?? (await listing.turn(seen, id)), tail };
  };

  return {
    users: async (principal, { limit = LISTED, cursor }) => {
      const scope = readScope(principal, {});
      const after = placeIn('users', scope, cursor)?.[0];
      // Users are listed with all of their sessions, whichever the credential is bound to.
      const tail = await admission.tail({ org: scope.org, user: scope.user });
      const stored = await listing.users(scope, after, limit + 1);
      const found = withTailUsers(stored, tail, after, limit + 1);
      const { shown, next_cursor } = paged('users', found, limit, one => [one.user]);
      return { users: shown.map(userItem), next_cursor };
    },
    sessions: async (principal, { limit = LISTED, cursor, ...query }) => {
      const scope = readScope(principal, query);
      const place = placeIn('sessions', scope, cursor);
      const after = place && { user: place[0], session: place[1] };
      const tail = await admission.tail(scope);
      const stored = await listing.sessions(scope, after, limit + 1);
      const found = withTailSessions(stored, tail, after, limit + 1);
      const { shown, next_cursor } = paged('sessions', found, limit, one => [one.user, one.session]);
      return { sessions: shown.map(sessionItem), next_cursor };
    },
    turns: async (principal, query) => {
      const filter: ListFilter = { kind: 'turn', role: query.role };
      const list = query.order === 'desc' ? 'turns desc' : 'turns asc';
      const { shown, next_cursor } = await fragments(list, principal, query, filter);
      return { turns: shown.map(turnItem), next_cursor };
    },
    observations: async (principal, query) => {
      const filter: ListFilter = { kind: 'observation', turnId: query.turn_id, source: query.source };
      const { shown, next_cursor } = await fragments('observations', principal, query, filter);
      return { observations: shown.map(observationItem), next_cursor };
    },
    entities: async (principal, { limit = LISTED, cursor, ...query }) => {
      const scope = readScope(principal, query);
      const place = placeIn('entities', scope, cursor);
      const after = place && { user: place[0], normalised: place[1] };
      const filter = { kind: query.kind, turnId: query.turn_id };
      const found = await listing.entities(scope, filter, after, limit + 1);
      const { shown, next_cursor } = paged('entities', found, limit, one => [one.user, one.normalised]);
      return { entities: shown.map(entityItem), next_cursor };
    },
    turn: async (principal, id) => {
      // An id names its session too: there is none to be taken for granted.
      const { org, user } = readScope(principal, {});
      const { kept, tail } = await findTurn({ org, user }, id);
      const fragment = kept?.fragment ?? tailEntries(tail, { kind: 'turn' })[0]?.fragment;
      if (!fragment) throw new ServiceError('not_found', 'There is no such turn.');
      const scope = { org, user: fragment.user };
      const [observed, entities] = await Promise.all([
        details.observationsOf(scope, [id]),
        listing.named(scope, id),
      ]);
      const said = tailEntries(tail, { kind: 'observation' }).map(one => one.fragment);
      const observations = new Map([...observed, ...said].map(one => [one.id, one]));
      return {
        ...turnOf(fragment),
        observations: [...observations.values()].map(observationOf),
        entities: entities.map(turnEntity),
        provenance: kept ? provenanceOf(kept.origin) : null,
      };
    },
  };
};

const placeOf = ([user, session, timestamp, offset, id]: Place<FragmentList>): ListPlace => ({
  user,
  session,
  timestamp,
  offset,
  id,
});
const membersOf = ({ place }: ListedFragment): Place<FragmentList> => {
  const { user, session, timestamp, offset, id } = place;
  return [user, session, timestamp, offset, id];
};
