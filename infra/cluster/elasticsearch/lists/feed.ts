import { partitionName } from '../../../../core/log/positions.ts';
import type { FeedEntry, FeedIndex, FeedRange, Positions } from '../../../../core/ports.ts';
import { NO_TERMS } from '../../../../domain/filter/terms.ts';
import { eventOffsetOf, indexInRecord, recordOffsetOf } from '../../../../schemas/events/event-offset.ts';
import { clientObserved } from '../client-observed.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';
import type { Horizons } from '../horizons.ts';
import { byIndex } from '../index/index.ts';
import { FRAGMENT, type FragmentFields, fragmentOf } from '../packed-fragment.ts';
import { type Clause, columns, EVERYTHING, inScope, routingOf } from '../scope-clauses.ts';

/** The kinds of documents that come from the events of each topic. */
const KINDS = { turns: ['turn', 'said'], observations: ['extracted'] } as const;

/** Entries per shard that are examined to find an organization's partitions: some tens of milliseconds. */
const MOST_LOOKED_AT = 1_000_000;
/** More partitions than a topic has. */
const ALL_PARTITIONS = 1_024;

interface Hits {
  hits: {
    hits: {
      fields: FragmentFields & {
        partition: [number];
        read_offset: [number];
        index?: [number];
        recorded_at: [number];
        metadata?: string[];
      };
    }[];
  };
}

interface Buckets {
  aggregations: { wrote: { buckets: { key: string }[] } };
}

interface Partitions {
  terminated_early?: boolean;
  aggregations: Record<keyof typeof KINDS, { partitions: { buckets: { key: number }[] } }>;
}

/** Returns a clause for a range of either topic. */
const ofTopic = (range: FeedRange): Clause => ({
  bool: { filter: [{ terms: { kind: KINDS[range.topic] } }, ofRange(range)] },
});

const ofRange = ({ partition, from: eventOffset, to, after }: FeedRange): Clause => {
  const [from, index] = [recordOffsetOf(eventOffset), indexInRecord(eventOffset)];
  const whole = { range: { read_offset: { gte: after ? from + 1 : from, lt: to } } };
  if (!after) return { bool: { filter: [{ term: { partition } }, whole] } };
  const sameEvent = index > 0 ? { term: { index } } : { bool: { must_not: { exists: { field: 'index' } } } };
  // A turn is the first entry of its event; its observations follow.
  const following = after.startsWith('trn_')
    ? { bool: { filter: [sameEvent, { term: { kind: 'said' } }] } }
    : {
        bool: {
          must_not: { term: { kind: 'turn' } },
          filter: [sameEvent, { range: { id: { gt: after } } }],
        },
      };
  const later = { range: { index: { gt: index } } };
  const ofRecord = {
    bool: {
      filter: { term: { read_offset: from } },
      should: [following, later],
      minimum_should_match: 1,
    },
  };
  return {
    bool: {
      filter: [{ term: { partition } }, { bool: { should: [whole, ofRecord], minimum_should_match: 1 } }],
    },
  };
};

/**
 * Reads the feed from the recall index. A batch may be partly visible, so entries end at the positions that
 * the projectors have `committed`.
 */
export const makeFeedIndex = (
  elasticsearch: Elasticsearch,
  alias: string,
  committed: () => Promise<Positions>,
  horizons: Horizons,
): FeedIndex => ({
  settled: async () =>
    Object.fromEntries(
      Object.entries(await committed()).filter(([partition]) => /^(turns|observations)\//.test(partition)),
    ),
  wrote: async (organizations, ranges) => {
    if (ranges.length === 0) return new Set();
    const { aggregations } = await elasticsearch.ask<Buckets>('POST', `/${alias}/_search`, {
      query: { allow_partial_search_results: false },
      body: {
        size: 0,
        track_total_hits: false,
        query: {
          bool: {
            filter: [
              { terms: { org: organizations } },
              { bool: { should: ranges.map(ofTopic), minimum_should_match: 1 } },
            ],
          },
        },
        aggs: { wrote: { terms: { field: 'org', size: organizations.length } } },
      },
    });
    return new Set(aggregations.wrote.buckets.map(({ key }) => key));
  },
  partitionsOf: async org => {
    const partitions = { terms: { field: 'partition', size: ALL_PARTITIONS } };
    const { terminated_early: isCutOff, aggregations } = await elasticsearch.ask<Partitions>(
      'POST',
      `/${alias}/_search`,
      {
        query: { allow_partial_search_results: false },
        body: {
          size: 0,
          track_total_hits: false,
          terminate_after: MOST_LOOKED_AT,
          query: {
            bool: {
              filter: [
                ...inScope({ org, horizon: EVERYTHING }),
                { terms: { kind: Object.values(KINDS).flat() } },
              ],
            },
          },
          aggs: Object.fromEntries(
            Object.entries(KINDS).map(([topic, kinds]) => [
              topic,
              { filter: { terms: { kind: kinds } }, aggs: { partitions } },
            ]),
          ),
        },
      },
    );
    if (isCutOff) return undefined;
    return new Set(
      (['turns', 'observations'] as const).flatMap(topic =>
        aggregations[topic].partitions.buckets.map(({ key }) => partitionName({ topic, partition: key })),
      ),
    );
  },
  read: async (scope, ranges, limit) => {
    const settled = Object.fromEntries(
      ranges.map(({ topic, partition, to }) => [`${topic}/${partition}`, to]),
    );
    const [first] = ranges;
    if (!first) return { entries: [], settled };
    const { topic } = first;
    const seen = { ...scope, horizon: await horizons(scope.org) };
    const { hits } = await elasticsearch.ask<Hits>('POST', `/${alias}/_search`, {
      query: { ...routingOf(scope), allow_partial_search_results: false },
      body: {
        ...columns(...FRAGMENT, 'partition', 'read_offset', 'index', 'recorded_at', 'metadata'),
        track_total_hits: false,
        size: limit,
        query: {
          bool: {
            filter: [
              ...inScope(seen),
              { terms: { kind: KINDS[topic] } },
              { bool: { should: ranges.map(ofRange), minimum_should_match: 1 } },
            ],
          },
        },
        // Descending, since `turn` sorts after `said`.
        sort: [{ partition: 'asc' }, { read_offset: 'asc' }, byIndex('asc'), { kind: 'desc' }, { id: 'asc' }],
      },
    });
    const entries = hits.hits.map(({ fields }): FeedEntry => {
      const { fragment } = fragmentOf(fields);
      const [partition, recordedAt] = [fields.partition[0], fields.recorded_at[0]];
      const offset = eventOffsetOf({ offset: fields.read_offset[0], index: fields.index?.[0] });
      const { metadata = NO_TERMS } = fields;
      return { fragment, topic, partition, offset, recordedAt, metadata, superseded: false };
    });
    if (topic === 'turns') return { entries, settled };
    const found = entries.map(({ fragment }) => fragment);
    const repeated = await clientObserved(elasticsearch, alias, scope.org, found);
    return {
      entries: entries.map(entry => ({ ...entry, superseded: repeated.has(entry.fragment.id) })),
      settled,
    };
  },
});
