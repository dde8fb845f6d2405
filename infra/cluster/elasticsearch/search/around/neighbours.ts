import { TURN } from '../../../../../domain/search/segments/run.ts';
import type { Indexed } from '../../../../../projections/recall/tail/indexed.ts';
import { indexInRecord, recordOffsetOf } from '../../../../../schemas/events/event-offset.ts';
import type { Elasticsearch } from '../../elasticsearch-client.ts';
import { byIndex } from '../../index/index.ts';
import { FRAGMENT } from '../../packed-fragment.ts';
import { columns, ownerOf, routingOf, type SeenScope } from '../../scope-clauses.ts';
import type { FragmentNumbers } from '../../write/fragment-numbers.ts';
import type { Fragment, Hits, ReadFragments } from '../candidates.ts';
import { type SessionOrder, type SortedTurn, sessionOrders, turnsBeside } from './session-order.ts';
import { MOST_ANSWERED, turnsAt, turnsOf, wholeSessions } from './turn-searches.ts';

/** The number of turns before and after each turn that ranking considers. */
const REACH = 2;
/** The most searches of one request. */
const SEARCHES = 100;
/** A session of at most this many turns is fetched whole, which also shows what else is near. */
const SHORT_SESSION = 64;
/** The most turns of all sessions that are fetched whole. */
const MOST_TURNS = 800;
/**
 * Turns that can be sorted in the time that two searches beside one turn take: about 5 µs per turn, against 2
 * ms per search.
 */
const WORTH = 800;

/** A turn whose surroundings are needed. */
export interface Wanted {
  entry: Indexed;
  user: string;
}

export interface Surroundings {
  fragments: Fragment[];
  /** Sessions whose turns in the window are all in `fragments`. */
  sessions: ReadonlySet<number>;
  /** The order of all turns in the window, for sessions that are too long to be fetched. */
  orders: ReadonlyMap<number, SessionOrder>;
  /** Numbers of the turns whose surroundings were fetched. */
  turns: ReadonlySet<number>;
}

export interface Source {
  elasticsearch: Elasticsearch;
  read: ReadFragments;
  numbers: Pick<FragmentNumbers, 'eventOffsetOfNumber'>;
  alias: string;
  scope: SeenScope;
  /** Known numbers of turns in the window by session; more turns may have been written since. */
  sizes: ReadonlyMap<number, number>;
  /** Fragments that need not be fetched. */
  known: Iterable<Indexed>;
}

type Response = Hits & { status?: number; error?: { type: string } };

/**
 * Fetches up to two turns before and after each of these in its session, by (timestamp, event offset),
 * inside the scope's window. Short sessions are fetched whole, which also shows what else is near. For long
 * ones the order is fetched first, then the turns it names. Even longer ones take two searches beside each
 * turn.
 *
 * @param known orders that were fetched before
 */
export const fetchAround = async (
  source: Source,
  turns: readonly Wanted[],
  known: Surroundings['orders'],
): Promise<Surroundings> => {
  const { elasticsearch, read, alias, scope, sizes } = source;
  const short = shortest(sessionsOf(turns), sizes, () => SHORT_SESSION, MOST_TURNS);
  const long = turns.filter(({ entry }) => !short.has(entry.session));
  const orders = await ordersOf(source, long, known);
  const missing = missingAround(source, long, orders);
  const beyond = long.filter(({ entry }) => !orders.has(entry.session));
  const searches = [
    ...(short.size > 0 ? [wholeSessions(scope, [...short])] : []),
    ...(missing.size > 0 ? [turnsAt(scope, missing)] : []),
    ...beyond.flatMap(turn => [beside(source, turn, 'desc'), beside(source, turn, 'asc')]),
  ];
  const found: Fragment[] = [];
  let whole = true;
  for (let at = 0; at < searches.length; at += SEARCHES) {
    const lines = searches.slice(at, at + SEARCHES).flat();
    const { responses } = await elasticsearch.ask<{ responses: Response[] }>('POST', `/${alias}/_msearch`, {
      lines,
    });
    for (const response of responses) {
      elasticsearch.check(response);
      found.push(...read(response));
    }
    if (at === 0 && short.size > 0) whole = responses[0]!.hits.total.value <= MOST_ANSWERED;
  }
  return {
    fragments: [...new Map(found.map(one => [one.entry.number, one])).values()],
    sessions: new Set(whole ? short : []),
    orders,
    turns: new Set(long.map(({ entry }) => entry.number)),
  };
};

/** Counts how many of these turns each session has. */
const sessionsOf = (turns: readonly Wanted[]): Map<number, number> => {
  const sessions = new Map<number, number>();
  for (const { entry } of turns) sessions.set(entry.session, (sessions.get(entry.session) ?? 0) + 1);
  return sessions;
};

/**
 * The shortest of these sessions, as many as have `total` turns together.
 *
 * @param sessions with how many of their turns are wanted
 * @param most for a number of wanted turns: the most turns that a session may have
 */
const shortest = (
  sessions: ReadonlyMap<number, number>,
  sizes: ReadonlyMap<number, number>,
  most: (wanted: number) => number,
  total: number,
): Set<number> => {
  const sized = [...sessions]
    .map(([session, wanted]) => ({ session, wanted, size: sizes.get(session) ?? Number.POSITIVE_INFINITY }))
    .filter(({ wanted, size }) => size <= most(wanted))
    .sort((a, b) => a.size - b.size);
  let left = total;
  const fitting = sized.filter(({ size }) => {
    left -= size;
    return left >= 0;
  });
  return new Set(fitting.map(({ session }) => session));
};

/** Returns the known orders with those of the other sessions of these turns, as many as fit in one answer. */
const ordersOf = async (
  { elasticsearch, alias, scope, sizes }: Source,
  turns: readonly Wanted[],
  known: Surroundings['orders'],
): Promise<Surroundings['orders']> => {
  const unknown = sessionsOf(turns.filter(({ entry }) => !known.has(entry.session)));
  const sessions = shortest(unknown, sizes, wanted => wanted * WORTH, MOST_ANSWERED);
  if (sessions.size === 0) return known;
  type Answer = { hits: { total: { value: number }; hits?: { sort: SortedTurn }[] } };
  const { hits } = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
    query: {
      ...routingOf(scope),
      allow_partial_search_results: false,
      filter_path: 'hits.total,hits.hits.sort',
    },
    // Sort values cost less than reading the same three columns of each hit.
    body: {
      ...columns(),
      size: MOST_ANSWERED,
      track_total_hits: MOST_ANSWERED + 1,
      query: { bool: { filter: turnsOf(scope, { terms: { session_key: [...sessions] } }) } },
      sort: ['session_key', 'timestamp', 'offset', byIndex('asc')],
    },
  });
  // Incomplete: too many turns were written since the sizes were counted.
  if (hits.total.value > MOST_ANSWERED) return known;
  return new Map([...known, ...sessionOrders((hits.hits ?? []).map(({ sort }) => sort))]);
};

/** Returns the event offsets, by session, of the turns around these that are not fetched yet. */
const missingAround = (
  { known: fetched, numbers: { eventOffsetOfNumber } }: Source,
  turns: readonly Wanted[],
  orders: Surroundings['orders'],
): Map<number, Set<number>> => {
  const missing = new Map<number, Set<number>>();
  for (const { entry } of turns) {
    const { session, timestamp, number } = entry;
    const turn = { timestamp, offset: eventOffsetOfNumber(number) };
    const around = turnsBeside(orders.get(session) ?? [], turn, REACH);
    if (around.length === 0) continue;
    const offsets = missing.get(session) ?? new Set<number>();
    for (const { offset } of around) offsets.add(offset);
    missing.set(session, offsets);
  }
  for (const { session, kind, number } of fetched)
    if (kind === TURN) missing.get(session)?.delete(eventOffsetOfNumber(number));
  return new Map([...missing].filter(([, offsets]) => offsets.size > 0));
};

const beside = (
  { scope, numbers }: Source,
  { entry, user }: Wanted,
  order: 'asc' | 'desc',
  eventOffset = numbers.eventOffsetOfNumber(entry.number),
): string[] => [
  JSON.stringify({ routing: ownerOf(scope.org, user), allow_partial_search_results: false }),
  JSON.stringify({
    ...columns(...FRAGMENT),
    size: REACH,
    track_total_hits: false,
    query: {
      bool: {
        filter: turnsOf({ ...scope, user }, { term: { session_key: entry.session } }),
      },
    },
    sort: [{ timestamp: order }, { offset: order }, byIndex(order)],
    search_after: [entry.timestamp, recordOffsetOf(eventOffset), indexInRecord(eventOffset)],
  }),
];
