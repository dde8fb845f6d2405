import type { Document } from '../../projections/recall/document.ts';
import type { RecallWrite } from '../../projections/recall/projection.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { Positions } from '../../services/ports.ts';
import { type Bulk, bulks, refreshIndex, sendBulk } from './elasticsearch-bulk.ts';
import type { Elasticsearch } from './elasticsearch-client.ts';
import { generationIndex, recallAlias, recallIndexOf } from './elasticsearch-index.ts';
import type { Clause } from './elasticsearch-scope.ts';
import type { GenerationEngine } from './generation-engine.ts';

/** Larger than a projector's: nobody waits for one of them. */
const BULK_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;
const COPIED_WITHIN = '60s';
const MOST_BUCKETS = 1_000;

/** The topic that the documents of a kind come from. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  turns: ['turn', 'identity', 'said', 'job'],
  observations: ['extracted', 'mention', 'enriched'],
};

/** The indices of the generations of recall, as a replay makes, fills, serves and removes them. */
export const recallGenerations = (
  elasticsearch: Elasticsearch,
  config: ClusterConfig,
  decodeDocument: (bytes: Uint8Array) => Document,
): GenerationEngine<RecallWrite, Bulk> => {
  const alias = recallAlias(config);
  const indexOf = (generation: number): string => recallIndexOf(config, generation);

  /** Documents by organization and kind; of events below the positions alone, where they are given. */
  const counts = async (generation: number, below?: Positions): Promise<Map<string, number>> => {
    const found = new Map<string, number>();
    for (let after: object | undefined; ; ) {
      type Page = {
        aggregations: {
          kinds: { after_key?: object; buckets: { key: { org: string; kind: string }; doc_count: number }[] };
        };
      };
      const sources = [{ org: { terms: { field: 'org' } } }, { kind: { terms: { field: 'kind' } } }];
      const page: Page = await elasticsearch.ask('POST', `/${indexOf(generation)}/_search`, {
        query: { allow_partial_search_results: false },
        body: {
          size: 0,
          track_total_hits: false,
          ...(below && { query: { bool: { should: belowPositions(below), minimum_should_match: 1 } } }),
          aggs: { kinds: { composite: { size: MOST_BUCKETS, sources, ...(after && { after }) } } },
        },
        timeoutMs: TIMEOUT_MS,
      });
      const { buckets, after_key } = page.aggregations.kinds;
      for (const { key, doc_count } of buckets) found.set(JSON.stringify([key.org, key.kind]), doc_count);
      if (!after_key) return found;
      after = after_key;
    }
  };

  return {
    make: async generation => {
      await elasticsearch.ask('PUT', `/${indexOf(generation)}`, {
        body: generationIndex(config, 0),
        timeoutMs: TIMEOUT_MS,
        // By the replay that this one goes on with: numbers are never given twice.
        accepted: [400],
      });
    },
    requests: writes => [...bulks(writes, decodeDocument, BULK_BYTES)],
    send: async (generation, bulk) => (await sendBulk(elasticsearch, indexOf(generation), bulk)).length,
    finish: async generation => {
      await elasticsearch.ask('PUT', `/${indexOf(generation)}/_settings`, {
        body: { index: { number_of_replicas: config.replicas } },
        timeoutMs: TIMEOUT_MS,
      });
      // Copies that no node can take are not waited for: those of the serving generation aren't there either.
      await elasticsearch.ask('GET', `/_cluster/health/${indexOf(generation)}`, {
        query: { wait_for_no_initializing_shards: true, timeout: COPIED_WITHIN },
        timeoutMs: TIMEOUT_MS + 5_000,
        accepted: [408],
      });
      await refreshIndex(elasticsearch, indexOf(generation));
    },
    serve: async generation => {
      const actions = [
        { remove: { index: `${alias}-*`, alias, must_exist: false } },
        { add: { index: indexOf(generation), alias, is_write_index: true } },
      ];
      await elasticsearch.ask('POST', '/_aliases', { body: { actions }, timeoutMs: TIMEOUT_MS });
    },
    remove: async generation => {
      await elasticsearch.ask('DELETE', `/${indexOf(generation)}`, {
        accepted: [404],
        timeoutMs: TIMEOUT_MS,
      });
    },
    bytes: async generation => {
      type Stats = { _all: { primaries: { store?: { size_in_bytes: number } } } };
      const stats = await elasticsearch.ask<Stats>('GET', `/${indexOf(generation)}/_stats/store`, {
        accepted: [404],
      });
      return stats._all?.primaries.store?.size_in_bytes ?? 0;
    },
    figures: counts,
  };
};

const belowPositions = (below: Positions): Clause[] =>
  Object.entries(below).flatMap(([place, offset]) => {
    const [topic, partition] = place.split('/') as [string, string];
    const kinds = KINDS[topic];
    if (!kinds) return [];
    const filter = [
      { terms: { kind: kinds } },
      { term: { partition: Number(partition) } },
      { range: { offset: { lt: offset } } },
    ];
    return [{ bool: { filter } }];
  });
