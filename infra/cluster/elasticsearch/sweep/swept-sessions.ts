/**
 * The sessions with swept turns, as documents of the index that they were swept from, like deletions that are
 * due (second-deletions.ts).
 */

import { unavailable } from '../../../../core/errors.ts';
import type { SweptSession, SweptSessions } from '../../../../core/ports/projection/projection-store.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import type { Horizons } from '../horizons.ts';
import { BOOKKEEPING, recallIndices } from '../index/index.ts';
import { type Clause, inScope, ownerOf, sessionKeyOf } from '../scope-clauses.ts';
import { type BulkItem, outcomeOf } from '../write/bulk-outcome.ts';
import { LISTED } from '../write/documents.ts';
import { type Fenced, fencedLines } from '../write/fenced-lines.ts';

const KIND = BOOKKEEPING.swept;
const TIMEOUT_MS = 30_000;
const PAGE = 1_000;

/** The fields of a swept turn that identify its session. */
export interface SweptTurn {
  org: string;
  user: string;
  owner: string;
  session: string;
  session_key: number;
}

/**
 * Uses fields of the index that mean the same in other documents; no organization, so no read of one finds
 * it.
 */
interface Source extends Pick<SweptTurn, 'owner' | 'session_key'> {
  kind: typeof KIND;
  /** JSON of organization, user and session. */
  id: string;
  /** The instant from which callers may take it: Unix milliseconds. */
  timestamp: number;
}

interface Hit extends Fenced {
  _source: Source;
}

/**
 * Notes the sessions of these turns. Call it before the sweep: a process that dies in between has noted too
 * many.
 */
export const noteSwept = async (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  index: string,
  turns: readonly SweptTurn[],
): Promise<void> => {
  const sessions = new Map(turns.map(turn => [turn.session_key, turn]));
  const { items } = await elasticsearch.ask<{ items: { index: BulkItem }[] }>('POST', `/${index}/_bulk`, {
    lines: [...sessions.values()].flatMap(({ org, user, session, owner, session_key }) => {
      const source: Source = {
        kind: KIND,
        id: JSON.stringify([org, user, session]),
        owner,
        session_key,
        timestamp: 0,
      };
      const action = { index: { _id: `${KIND}.${owner}.${session_key}`, routing: owner } };
      return [JSON.stringify(action), JSON.stringify(source)];
    }),
    timeoutMs: TIMEOUT_MS,
  });
  for (const item of items) outcomeOf(item.index);
};

export const makeSweptSessions = (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  config: Pick<ClusterConfig, 'namespace'>,
  /** The horizons of every process, which may learn of a retention a minute late. */
  horizonOf: Horizons,
  /** Unix milliseconds. */
  clock: () => number,
): SweptSessions => {
  const indices = recallIndices(config);

  const search = async <Found>(body: object, routing?: string): Promise<Found[]> => {
    const { hits } = await elasticsearch.ask<{ hits: { hits: Found[] } }>('POST', `/${indices}/_search`, {
      query: { allow_partial_search_results: false, ...(routing !== undefined && { routing }) },
      body: { track_total_hits: false, ...body },
      timeoutMs: TIMEOUT_MS,
    });
    return hits.hits;
  };

  const ofSession = ({ org, user, session }: SweptSession): Clause[] => [
    { term: { owner: ownerOf(org, user) } },
    { term: { session_key: sessionKeyOf(org, user, session) } },
  ];

  return {
    take: async (most, forMs, leftOut = []) => {
      await elasticsearch.ask('POST', `/${indices}/_refresh`, { timeoutMs: TIMEOUT_MS });
      const now = clock();
      const due = await search<Hit>({
        size: most,
        seq_no_primary_term: true,
        query: {
          bool: {
            filter: [{ term: { kind: KIND } }, { range: { timestamp: { lte: now } } }],
            must_not: leftOut.map(org => ({ prefix: { id: `[${JSON.stringify(org)},` } })),
          },
        },
      });
      if (due.length === 0) return [];
      const { items } = await elasticsearch.ask<{
        items: { index: BulkItem & Pick<Hit, '_seq_no' | '_primary_term'> }[];
      }>('POST', '/_bulk', {
        lines: due.flatMap(hit =>
          fencedLines(hit, {
            routing: hit._source.owner,
            source: { ...hit._source, timestamp: now + forMs },
          }),
        ),
        timeoutMs: TIMEOUT_MS,
      });
      // Another process has taken the others.
      const taken = due.flatMap(({ _index, _id, _source }, i) => {
        const { status, _seq_no, _primary_term } = items[i]!.index;
        return status < 300 ? [{ _index, _id, _seq_no, _primary_term, name: _source.id }] : [];
      });
      return [...Map.groupBy(taken, ({ name }) => name)].map(([name, its]) => {
        const [org, user, session] = JSON.parse(name) as [string, string, string];
        return { org, user, session, state: JSON.stringify(its.map(({ name: _, ...one }) => one)) };
      });
    },
    sessions: async org => {
      const { aggregations } = await elasticsearch.ask<{ aggregations: { count: { value: number } } }>(
        'POST',
        `/${indices}/_search`,
        {
          query: { allow_partial_search_results: false },
          body: {
            size: 0,
            track_total_hits: false,
            query: {
              bool: {
                filter: [{ term: { org } }, { terms: { kind: ['turn', 'identity', 'expired'] } }],
                must_not: { term: { outcome: LISTED } },
              },
            },
            aggs: { count: { cardinality: { field: 'session_key', precision_threshold: 40_000 } } },
          },
          timeoutMs: TIMEOUT_MS,
        },
      );
      return aggregations.count.value;
    },
    isOver: async (one, upTo) => {
      const { org, user } = one;
      const horizon = await horizonOf(org, upTo);
      const words = { terms: { kind: ['turn', 'identity', 'said', 'extracted'] } };
      const filter = [...ofSession(one), ...inScope({ org, user, horizon }), words];
      const body = { size: 1, _source: false, query: { bool: { filter } } };
      return (await search(body, ownerOf(org, user))).length === 0;
    },
    turnIds: async (one, before) => {
      const ids = new Set<string>();
      // If an expired turn has not been swept yet, the event deletes its words.
      const turns = { terms: { kind: ['turn', 'identity', 'expired'] } };
      for (let after: unknown[] | undefined; ; ) {
        const hits = await search<{ _source: { id: string }; sort: unknown[] }>(
          {
            size: PAGE,
            _source: ['id'],
            query: {
              bool: {
                filter: [...ofSession(one), turns, { range: { offset: { lt: before } } }],
                must_not: { term: { outcome: LISTED } },
              },
            },
            // A turn may be in several generations.
            sort: [{ id: 'asc' }, { _index: 'asc' }],
            ...(after && { search_after: after }),
          },
          ownerOf(one.org, one.user),
        );
        for (const { _source } of hits) ids.add(_source.id);
        if (hits.length < PAGE) return [...ids];
        after = hits.at(-1)!.sort;
      }
    },
    done: async ({ org, user, state }) => {
      const { items } = await elasticsearch.ask<{ items: { delete: BulkItem }[] }>('POST', '/_bulk', {
        lines: (JSON.parse(state) as Fenced[]).flatMap(one =>
          fencedLines(one, { routing: ownerOf(org, user) }),
        ),
        timeoutMs: TIMEOUT_MS,
      });
      // 404: its generation was removed, or an erasure has deleted it. 409: more was swept.
      if (items.some(({ delete: { status } }) => status >= 300 && status !== 404 && status !== 409))
        throw unavailable("Elasticsearch can't delete right now.");
    },
  };
};
