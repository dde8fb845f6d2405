import { indexInRecord, recordOffsetOf } from '../../../../../schemas/events/event-offset.ts';
import { FRAGMENT } from '../../packed-fragment.ts';
import { type Clause, columns, inWindow, routingOf, type SeenScope } from '../../scope-clauses.ts';

/** The most turns of one answer: the engine's own limit. */
export const MOST_ANSWERED = 10_000;

/** Returns a filter for the turns of the window. */
export const turnsOf = (scope: SeenScope, ...which: Clause[]): Clause[] => [
  ...inWindow(scope),
  ...which,
  { term: { kind: 'turn' } },
];

/** Returns a search for whole sessions. `size` leaves room for turns written since they were counted. */
export const wholeSessions = (scope: SeenScope, sessions: readonly number[]): string[] => [
  JSON.stringify({ ...routingOf(scope), allow_partial_search_results: false }),
  JSON.stringify({
    ...columns(...FRAGMENT),
    size: MOST_ANSWERED,
    track_total_hits: MOST_ANSWERED + 1,
    query: { bool: { filter: turnsOf(scope, { terms: { session_key: sessions } }) } },
  }),
];

/**
 * Returns a clause for the turns of a record at these event offsets. Uses two clauses for each at most: the
 * engine takes 1,024 in a query, and there may be 320.
 */
const ofRecord = (eventOffsets: readonly [number, ...number[]]): Clause => {
  const offset = { term: { offset: recordOffsetOf(eventOffsets[0]) } };
  const indices = eventOffsets.map(indexInRecord);
  // An index of 0 isn't stored.
  const first = { bool: { must_not: { exists: { field: 'index' } } } };
  const others = { terms: { index: indices.filter(index => index > 0) } };
  if (!indices.includes(0)) return { bool: { filter: [offset, others] } };
  if (indices.length === 1) return { bool: { filter: [offset, first] } };
  return { bool: { filter: [offset, { bool: { should: [others, first], minimum_should_match: 1 } }] } };
};

/** Returns a search for the turns at these event offsets, unique since a session is in one partition. */
export const turnsAt = (
  scope: SeenScope,
  eventOffsets: ReadonlyMap<number, ReadonlySet<number>>,
): string[] => {
  const ofSessions = [...eventOffsets].map(([session, of]) => {
    const records = [...Map.groupBy(of, recordOffsetOf).values()] as [number, ...number[]][];
    const should = records.map(ofRecord);
    return { bool: { filter: { term: { session_key: session } }, should, minimum_should_match: 1 } };
  });
  return [
    JSON.stringify({ ...routingOf(scope), allow_partial_search_results: false }),
    JSON.stringify({
      ...columns(...FRAGMENT),
      size: [...eventOffsets.values()].reduce((sum, of) => sum + of.size, 0),
      track_total_hits: false,
      query: { bool: { filter: turnsOf(scope, { bool: { should: ofSessions } }) } },
    }),
  ];
};
