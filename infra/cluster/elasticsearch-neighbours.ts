import type { Scope } from '../../services/ports.ts';
import type { Indexed } from '../recall/indexed.ts';
import type { Fragment, Hits, ReadFragments } from './elasticsearch-candidates.ts';
import type { Elasticsearch } from './elasticsearch-client.ts';
import { offsetOf } from './elasticsearch-fragment.ts';
import { columns, inWindow, ownerOf, routingOf } from './elasticsearch-scope.ts';

/** Turns before and after that ranking looks at. */
const REACH = 2;
/** Searches of one request. */
const SEARCHES = 100;
/** A session of so many turns is brought whole: one search then stands for two of each of its turns. */
const SHORT_SESSION = 64;
/** Turns of sessions that are brought whole. */
const MOST_TURNS = 800;

/** A turn whose surroundings are wanted. */
export interface Wanted {
  entry: Indexed;
  user: string;
}

export interface Surroundings {
  fragments: Fragment[];
  /** Sessions of which all turns in the window are there. */
  sessions: ReadonlySet<number>;
  /** Numbers of the turns that were asked about. */
  turns: ReadonlySet<number>;
}

export interface Source {
  elasticsearch: Elasticsearch;
  read: ReadFragments;
  alias: string;
  scope: Scope;
}

type Response = Hits & { status?: number; error?: { type: string } };

/**
 * The turns up to two places before and after each of these in its session, by (timestamp, offset), inside the scope's
 * window: one request for some fifty turns. Of short sessions all turns come, which also says what else is near.
 *
 * @param sizes turns of the sessions in the window, as far as they are known
 */
export const bringAround = async (
  { elasticsearch, read, alias, scope }: Source,
  turns: readonly Wanted[],
  sizes: ReadonlyMap<number, number>,
): Promise<Surroundings> => {
  const sessions = shortSessions(turns, sizes);
  const rest = turns.filter(({ entry }) => !sessions.has(entry.session));
  const most = [...sessions.values()].reduce((sum, size) => sum + size, 0);
  const searches = [
    ...(sessions.size > 0 ? [wholeSessions(scope, [...sessions.keys()], most)] : []),
    ...rest.flatMap(turn => [beside(scope, turn, 'desc'), beside(scope, turn, 'asc')]),
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
    // A turn that was written since the sizes were counted.
    if (at === 0 && sessions.size > 0) whole = responses[0]!.hits.total.value <= most;
  }
  return {
    fragments: [...new Map(found.map(one => [one.entry.number, one])).values()],
    sessions: new Set(whole ? sessions.keys() : []),
    turns: new Set(rest.map(({ entry }) => entry.number)),
  };
};

/** The shortest first, with their sizes. */
const shortSessions = (turns: readonly Wanted[], sizes: ReadonlyMap<number, number>): Map<number, number> => {
  const short = [...new Set(turns.map(({ entry }) => entry.session))]
    .map(session => [session, sizes.get(session) ?? Number.POSITIVE_INFINITY] as const)
    .filter(([, size]) => size <= SHORT_SESSION)
    .sort((a, b) => a[1] - b[1]);
  let left = MOST_TURNS;
  return new Map(
    short.filter(([, size]) => {
      left -= size;
      return left >= 0;
    }),
  );
};

const wholeSessions = (scope: Scope, sessions: readonly number[], size: number): string[] => [
  JSON.stringify({ ...routingOf(scope), allow_partial_search_results: false }),
  JSON.stringify({
    ...columns('fragment'),
    size,
    track_total_hits: size + 1,
    query: {
      bool: {
        filter: [...inWindow(scope), { terms: { session_key: sessions } }, { term: { kind: 'turn' } }],
      },
    },
  }),
];

const beside = (scope: Scope, { entry, user }: Wanted, order: 'asc' | 'desc'): string[] => [
  JSON.stringify({ routing: ownerOf(scope.org, user), allow_partial_search_results: false }),
  JSON.stringify({
    ...columns('fragment'),
    size: REACH,
    track_total_hits: false,
    query: {
      bool: {
        filter: [
          ...inWindow({ ...scope, user }),
          { term: { session_key: entry.session } },
          { term: { kind: 'turn' } },
        ],
      },
    },
    sort: [{ timestamp: order }, { offset: order }],
    search_after: [entry.timestamp, offsetOf(entry.number)],
  }),
];
