import type { Scope } from '../../services/ports.ts';
import type { Indexed } from '../recall/indexed.ts';
import type { Hits, ReadFragments } from './elasticsearch-candidates.ts';
import type { Elasticsearch } from './elasticsearch-client.ts';
import { offsetOf } from './elasticsearch-fragment.ts';
import { columns, inWindow, ownerOf } from './elasticsearch-scope.ts';

export interface TurnOfUser {
  entry: Indexed;
  user: string;
}

/** Turns before and after that ranking looks at. */
const REACH = 2;
/** Searches of one request. */
const SEARCHES = 100;

/**
 * The turns up to two places before and after each of these in its session, by (timestamp, offset), inside the scope's
 * window: one request for fifty turns. They come in no order, each once, and without the turns themselves.
 */
export const bringNeighbours = async (
  elasticsearch: Elasticsearch,
  read: ReadFragments,
  alias: string,
  scope: Scope,
  turns: readonly TurnOfUser[],
): Promise<Indexed[]> => {
  const searches = turns.flatMap(turn => [search(scope, turn, 'desc'), search(scope, turn, 'asc')]);
  const found = new Map<number, Indexed>();
  for (let at = 0; at < searches.length; at += SEARCHES) {
    const { responses } = await elasticsearch.ask<{ responses: (Hits & { error?: { type: string } })[] }>(
      'POST',
      `/${alias}/_msearch`,
      { lines: searches.slice(at, at + SEARCHES).flat() },
    );
    for (const response of responses) {
      elasticsearch.check(response);
      for (const { entry } of read(response)) found.set(entry.number, entry);
    }
  }
  return [...found.values()];
};

const search = (scope: Scope, { entry, user }: TurnOfUser, order: 'asc' | 'desc'): string[] => [
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
