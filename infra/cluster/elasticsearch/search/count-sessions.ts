import type { CandidateQuery } from '../../../../domain/search/candidate-query.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import { inWindow, routingOf, type SeenScope } from '../scope-clauses.ts';
import {
  type Bucket,
  type HoldingBuckets,
  holdingOf,
  type SessionBuckets,
  sessionCounts,
} from './candidates.ts';
import type { IndexCounts } from './counts.ts';

/** `cardinality` is nearly exact up to this number; beyond, within a few percent. */
const PRECISION = 40_000;
const PRECISION_OF_STEMS = 3_000;

interface Answer {
  aggregations: {
    distinct: { value: number };
    stems: { buckets: (Bucket & { distinct: { value: number } })[] };
    asked: { sessions: SessionBuckets; holding: HoldingBuckets };
  };
}

const distinct = (precision_threshold: number) => ({
  cardinality: { field: 'session_key', precision_threshold },
});

/**
 * Counts a scope with more sessions than one answer lists: returns the engine's estimate of the number of
 * sessions and of how many hold each stem, and exact counts of these sessions. Takes one more search, only
 * for scopes of thousands of sessions.
 */
export const countSessions = async (
  elasticsearch: Elasticsearch,
  alias: string,
  scope: SeenScope,
  query: CandidateQuery,
  sessions: readonly number[],
): Promise<Pick<IndexCounts, 'sessions' | 'holding' | 'beyond'>> => {
  const stems = [...query.stems];
  const { aggregations } = await elasticsearch.ask<Answer>('POST', `/${alias}/_search`, {
    query: { ...routingOf(scope), allow_partial_search_results: false },
    body: {
      size: 0,
      track_total_hits: false,
      query: { bool: { filter: [...inWindow(scope), { term: { kind: 'turn' } }] } },
      aggs: {
        distinct: distinct(PRECISION),
        stems: { ...holdingOf(stems), aggs: { distinct: distinct(PRECISION_OF_STEMS) } },
        asked: { filter: { terms: { session_key: sessions } }, aggs: sessionCounts(stems) },
      },
    },
  });
  return {
    sessions: aggregations.asked.sessions,
    holding: aggregations.asked.holding.sessions,
    beyond: {
      sessions: aggregations.distinct.value,
      sessionsWith: new Map(aggregations.stems.buckets.map(bucket => [bucket.key, bucket.distinct.value])),
    },
  };
};
