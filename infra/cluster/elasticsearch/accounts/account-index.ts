import type { AccountKind } from '../../../../projections/accounts/accounts-projection.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch, ElasticsearchRefusal } from '../elasticsearch-client.ts';
import type { BOOKKEEPING } from '../index/index.ts';
import { waitForShards } from '../index/wait-for-shards.ts';

export const accountIndex = ({ namespace }: Pick<ClusterConfig, 'namespace'>): string =>
  `${namespace}-accounts`;

/**
 * A snapshot of one shard is of one moment, so documents and positions are restored together, and the
 * documents below the positions are complete.
 */
const SHARDS = 1;
/** A rebuild refreshes by itself; between rebuilds, this bounds the engine's memory for reads by id. */
const REFRESH_INTERVAL = '30s';

const FOUND_BY = { type: 'keyword' };
/** Kept only in the source. */
const KEPT = { type: 'keyword', index: false, doc_values: false };

/**
 * The sort order that keeps an organization's documents together; a bucket has those of several
 * organizations.
 */
export const ORDER = ['owner', 'key'] as const;

export type StoredKind = AccountKind | 'event' | typeof BOOKKEEPING.position;

const MAPPING = {
  dynamic: 'strict',
  properties: {
    kind: FOUND_BY,
    /** A digest of the organization, and its first byte. */
    owner: FOUND_BY,
    bucket: FOUND_BY,
    /** The document's id. */
    key: FOUND_BY,
    org: KEPT,
    id: KEPT,
    /** JSON. */
    document: KEPT,
    /** Organizations: it has, or had, a retention. */
    retention: { type: 'boolean' },
    attempt: KEPT,
    /** The instant from which it is no longer needed; missing: never. Unix milliseconds. */
    end: { type: 'long' },
    /** Markers: the address of the event in the log. Positions: see held-positions.ts. */
    source: KEPT,
    partition: { type: 'long', index: false },
    offset: { type: 'long', index: false },
  },
};

/**
 * Creates the index of accounts if it is missing. Idempotent, also concurrently. Resolves with a line for
 * each thing created.
 */
export const migrateAccountIndex = async (config: ClusterConfig): Promise<string[]> => {
  const elasticsearch = connectElasticsearch(config);
  const index = accountIndex(config);
  const made = {
    settings: {
      number_of_shards: SHARDS,
      number_of_replicas: config.replicas,
      refresh_interval: REFRESH_INTERVAL,
    },
    mappings: MAPPING,
  };
  try {
    await elasticsearch.ask('PUT', `/_index_template/${index}`, {
      body: {
        index_patterns: [index],
        priority: 500,
        // A write after the index was lost must not create it with a mapping of the engine's own.
        allow_auto_create: false,
        template: made,
      },
    });
    await elasticsearch.ask('PUT', `/${index}`, { body: made });
    await waitForShards(elasticsearch, index, SHARDS);
    return [`index ${index}`];
  } catch (error) {
    const exists =
      error instanceof ElasticsearchRefusal && error.type === 'resource_already_exists_exception';
    if (!exists) throw error;
    await waitForShards(elasticsearch, index, SHARDS);
    return [];
  } finally {
    await elasticsearch.close();
  }
};
