import { unavailable } from '../../../../core/errors.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
  ElasticsearchRefusal,
} from '../../elasticsearch/elasticsearch-client.ts';
import { waitForShards } from '../../elasticsearch/index/wait-for-shards.ts';
import { refreshIndex } from '../../elasticsearch/write/bulk.ts';
import { type BulkItem, outcomeOf } from '../../elasticsearch/write/bulk-outcome.ts';
import { tagOf } from '../record.ts';
import { documentOf, keyOfDocument, type Source } from './document.ts';
import type { KeyIndex, KeyPosition, KeyStub, LivingDocument, PageEnd, StoredKey } from './key-index.ts';

const TIMEOUT_MS = 30_000;
/** The limit for a merge of all deletions. */
const CLEAN_TIMEOUT_MS = 5 * 60_000;
/** Keys per page. */
const PAGE = 500;
/** Stubs that are swept together. */
const STUBS = 100;
/** A longer id is not ours: event envelopes may contain any id. */
const MOST_ID = 200;

export const keysIndex = ({ namespace }: Pick<ClusterConfig, 'namespace'>): string => `${namespace}-keys`;

/** Used only in filters. */
const FILTER = { type: 'keyword', doc_values: false };

/**
 * One shard, so that a copy made during writes has everything below its positions. A key takes some 500
 * bytes.
 */
const settingsOf = ({ replicas }: Pick<ClusterConfig, 'replicas'>) => ({
  settings: {
    number_of_shards: 1,
    number_of_replicas: replicas,
    // The writer refreshes explicitly.
    refresh_interval: '-1',
    // A forced merge expunges deletions from every segment, however few a segment has.
    'index.merge.policy.expunge_deletes_allowed': 0,
  },
  mappings: {
    dynamic: 'strict',
    properties: {
      kind: FILTER,
      owner: FILTER,
      session: FILTER,
      under: FILTER,
      record: { type: 'keyword', index: false, doc_values: false },
      partition: { type: 'integer' },
      offset: { type: 'long' },
      first: { type: 'long' },
      pass: FILTER,
      destroyed: { type: 'boolean' },
      since: { type: 'date', format: 'epoch_millis' },
      unswept: { type: 'boolean' },
      whole: { type: 'long', index: false },
    },
  },
});

/** Creates the index if it is missing; idempotent, also concurrently. */
export const migrateKeysIndex = async (config: ClusterConfig): Promise<string[]> => {
  const elasticsearch = connectElasticsearch(config);
  const name = keysIndex(config);
  try {
    // A write to an index that was deleted must not create one without its mapping.
    const template = {
      index_patterns: [name],
      priority: 500,
      allow_auto_create: false,
      template: settingsOf(config),
    };
    await elasticsearch.ask('PUT', `/_index_template/${name}`, { body: template });
    const found = await elasticsearch.ask<object>('GET', `/${name}/_settings`, { accepted: [404] });
    if (!('error' in found)) return [];
    await elasticsearch.ask('PUT', `/${name}`, { body: settingsOf(config) });
    await waitForShards(elasticsearch, name, 1);
    return [`index ${name}`];
  } catch (error) {
    if (!(error instanceof ElasticsearchRefusal && error.type === 'resource_already_exists_exception'))
      throw error;
    await waitForShards(elasticsearch, name, 1);
    return [];
  } finally {
    await elasticsearch.close();
  }
};

interface Held {
  _id: string;
  found?: boolean;
  error?: { type?: string };
  _seq_no: number;
  _primary_term: number;
  _source: Source;
}

interface Found {
  hits: { hits: Pick<Held, '_id' | '_source'>[] };
}

const positionId = (partition: number): string => `position.${partition}`;
const OF_A_SESSION = { bool: { must_not: { term: { session: '' } } } };
/** The document that notes when the last cleaning began. */
const TURN = 'turn';

/** Opens the index of the keys in Elasticsearch. */
export const openKeyIndex = (
  elasticsearch: Elasticsearch,
  config: Pick<ClusterConfig, 'namespace'>,
  clock: () => number = Date.now,
): KeyIndex => {
  const index = keysIndex(config);

  const get = async (ids: readonly string[]): Promise<Held[]> => {
    if (ids.length === 0) return [];
    const { docs } = await elasticsearch.ask<{ docs: Held[] }>('POST', `/${index}/_mget`, { body: { ids } });
    const failed = docs.find(({ error }) => error);
    if (failed) throw unavailable('Elasticsearch gives no keys now.', failed.error?.type);
    return docs;
  };
  const search = async (body: object): Promise<StoredKey[]> => {
    const { hits } = await elasticsearch.ask<Found>('POST', `/${index}/_search`, {
      query: { allow_partial_search_results: false },
      body: { track_total_hits: false, ...body },
    });
    return hits.hits.map(({ _id, _source }) => keyOfDocument(_id, _source));
  };
  const page = async (filter: object[], after: PageEnd | undefined): Promise<LivingDocument[]> => {
    const found = await search({
      size: PAGE,
      query: { bool: { filter: [{ term: { kind: 'key' } }, { term: { destroyed: false } }, ...filter] } },
      sort: [{ partition: 'asc' }, { offset: 'asc' }],
      ...(after && { search_after: after }),
    });
    return found as LivingDocument[];
  };
  /** Writes the document; returns false if another process wrote it since it was read. */
  const put = async (id: string, fence: KeyPosition['fence'], body: Source): Promise<boolean> => {
    const query: Record<string, string | number> = fence
      ? { if_seq_no: fence.seqNo, if_primary_term: fence.primaryTerm }
      : { op_type: 'create' };
    const answer = await elasticsearch.ask<{ error?: object }>('PUT', `/${index}/_doc/${id}`, {
      query,
      body,
      accepted: [409],
    });
    return answer.error === undefined;
  };
  const fenceOf = ({ found, _seq_no, _primary_term }: Held): KeyPosition['fence'] =>
    found ? { seqNo: _seq_no, primaryTerm: _primary_term } : undefined;
  const removeAll = async (query: object): Promise<void> => {
    await elasticsearch.ask('POST', `/${index}/_delete_by_query`, {
      query: { conflicts: 'proceed', refresh: true },
      body: { query },
      timeoutMs: CLEAN_TIMEOUT_MS,
    });
  };

  return {
    positions: async partitions => {
      const held = await get(partitions.map(positionId));
      return partitions.map((partition, i) => {
        const { found, _source } = held[i]!;
        const { offset = 0, pass = '', whole = 0 } = found ? _source : {};
        return { partition, offset, pass, whole, fence: fenceOf(held[i]!) };
      });
    },
    move: ({ partition, fence }, { offset, pass, whole }) =>
      put(positionId(partition), fence, { kind: 'position', partition, offset, pass, whole }),
    write: async keys => {
      if (keys.length === 0) return;
      const lines = keys.flatMap(key => [
        JSON.stringify({ index: { _id: key.keyId, version: key.offset, version_type: 'external_gte' } }),
        JSON.stringify(documentOf(key)),
      ]);
      const { items } = await elasticsearch.ask<{ items: { index: BulkItem }[] }>('POST', `/${index}/_bulk`, {
        query: { filter_path: 'items.*.status,items.*.error.type,items.*.error.reason' },
        lines,
        timeoutMs: TIMEOUT_MS,
      });
      if (items.length !== keys.length) throw unavailable('Elasticsearch left keys unanswered.');
      // Never skipped: all data sealed by the key would be lost with it.
      if (items.some(item => outcomeOf(item.index) === 'refused'))
        throw new Error('Elasticsearch refuses a sealing key');
      await refreshIndex(elasticsearch, index);
    },
    byIds: async ids => {
      const ours = ids.filter(id => id !== '' && id.length <= MOST_ID);
      const held = (await get(ours)).filter(({ found, _source }) => found && _source.kind === 'key');
      return new Map(held.map(({ _id, _source }) => [_id, keyOfDocument(_id, _source)]));
    },
    ofScopes: async (owner, sessions, pass) => {
      if (pass === '') return [];
      const filter = [
        { term: { kind: 'key' } },
        { term: { owner: tagOf(owner) } },
        { terms: { session: sessions } },
        { term: { pass } },
      ];
      const found: StoredKey[] = [];
      for (let after: unknown[] | undefined; ; ) {
        const hits = await search({
          size: PAGE,
          query: { bool: { filter } },
          sort: [{ destroyed: 'asc' }, { first: 'asc' }],
          ...(after && { search_after: after }),
        });
        found.push(...hits);
        const last = hits.at(-1);
        if (hits.length < PAGE || last?.key === undefined) return found;
        after = [false, last.first];
      }
    },
    sessionsOf: (owner, pass, after) =>
      page([{ term: { owner: tagOf(owner) } }, OF_A_SESSION, { term: { pass } }], after),
    users: ({ partition, pass }, after) =>
      page([{ term: { session: '' } }, { term: { partition } }, { term: { pass } }], after),
    wrappedBy: (ids, after) => page([{ terms: { under: ids } }], after),
    unswept: async () => {
      const filter = [{ term: { kind: 'key' } }, { term: { destroyed: true } }, { term: { unswept: true } }];
      return (await search({ size: STUBS, query: { bool: { filter } } })) as KeyStub[];
    },
    clean: async (before, complete) => {
      const stubs = [
        { term: { destroyed: true } },
        { term: { unswept: false } },
        { range: { since: { lt: before } } },
      ];
      await removeAll({ bool: { filter: [{ term: { kind: 'key' } }, ...stubs] } });
      for (const { partition, pass } of complete) {
        const filter = [{ term: { kind: 'key' } }, { term: { partition } }];
        await removeAll({ bool: { filter, must_not: [{ term: { pass } }] } });
      }
      await elasticsearch.ask('POST', `/${index}/_forcemerge`, {
        query: { only_expunge_deletes: true },
        timeoutMs: CLEAN_TIMEOUT_MS,
      });
      await elasticsearch.ask('POST', `/${index}/_flush`, { query: { force: true }, timeoutMs: TIMEOUT_MS });
    },
    takeTurn: async everyMs => {
      const [held] = await get([TURN]);
      const now = clock();
      if (held!.found && now - (held!._source.whole ?? 0) < everyMs) return false;
      return put(TURN, fenceOf(held!), { kind: TURN, whole: now });
    },
  };
};
