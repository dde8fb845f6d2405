import { expect, it } from 'vitest';
import { SHORTLIST } from '../../../../../../../domain/search/candidates.ts';
import type { Elasticsearch } from '../../../../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { fetchAround } from '../../../../../../../infra/cluster/elasticsearch/search/around/neighbours.ts';
import { makeFragmentNumbers } from '../../../../../../../infra/cluster/elasticsearch/write/fragment-numbers.ts';
import type { Indexed } from '../../../../../../../projections/recall/tail/indexed.ts';
import { eventOffsetOf } from '../../../../../../../schemas/events/event-offset.ts';

/** The least that an engine's own limit may be. */
const MOST_CLAUSES = 1_024;
const numbers = makeFragmentNumbers(12);
const LEAVES = ['term', 'terms', 'range', 'exists'];

const clausesOf = (query: unknown): number =>
  query === null || typeof query !== 'object'
    ? 0
    : Object.entries(query).reduce(
        (sum, [name, inner]) => sum + (LEAVES.includes(name) ? 1 : clausesOf(inner)),
        0,
      );

/**
 * The turns that are wanted: one in the middle of each of as many sessions as there can be, of 100 turns
 * each.
 */
const wantedClauses = async (
  addressIn: (session: number, turn: number) => { offset: number; index: number },
) => {
  const sessions = Array.from({ length: SHORTLIST }, (_, n) => n + 1);
  const queries: { query: unknown; size: number }[] = [];
  const elasticsearch = {
    check: () => {},
    ask: async (_method: string, path: string, { lines = [] }: { lines?: string[] }) => {
      queries.push(...lines.map(line => JSON.parse(line)).filter(line => 'query' in line));
      if (path.endsWith('_msearch')) return { responses: [] };
      const hits = sessions.flatMap(session =>
        Array.from({ length: 100 }, (_, turn) => {
          const { offset, index } = addressIn(session, turn);
          return { sort: [session, turn, offset, index] };
        }),
      );
      return { hits: { total: { value: hits.length }, hits } };
    },
  } as unknown as Elasticsearch;
  const entryOf = (session: number): Indexed => {
    const number = numbers.numberOf({ partition: 0, offset: eventOffsetOf(addressIn(session, 50)), part: 0 });
    return { number, session, timestamp: 50, kind: 0 } as Indexed;
  };
  await fetchAround(
    {
      elasticsearch,
      read: () => [],
      numbers,
      alias: 'recall',
      scope: { org: 'acme', user: 'ada', since: 0, until: 1, asOf: 1, horizon: { now: 2 } },
      sizes: new Map(sessions.map(session => [session, 100])),
      known: [],
    },
    sessions.map(session => ({ entry: entryOf(session), user: 'ada' })),
    new Map(),
  );
  expect(queries.map(({ size }) => size)).toEqual([4 * SHORTLIST]);
  return clausesOf(queries[0]!.query);
};

it('asks for the turns beside many others within the clauses that an engine takes, in either form of the log', async () => {
  const alone = (session: number, turn: number) => ({ offset: session * 1_000 + turn, index: 0 });
  expect(await wantedClauses(alone)).toBeLessThan(MOST_CLAUSES);
  // Pairs: the first of a record and another of it.
  const inPairs = (session: number, turn: number) => ({
    offset: session * 1_000 + Math.floor(turn / 2),
    index: turn % 2,
  });
  expect(await wantedClauses(inPairs)).toBeLessThan(MOST_CLAUSES);
});
