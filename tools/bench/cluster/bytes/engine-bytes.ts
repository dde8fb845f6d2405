/** Measures what an installation holds in the recall index and in the usage table. */
import { connectClickhouse } from '../../../../infra/cluster/clickhouse/clickhouse-client.ts';
import { bytesOfTable, servedGeneration } from '../../../../infra/cluster/clickhouse/schema.ts';
import { usageTableOf } from '../../../../infra/cluster/clickhouse/usage-tables.ts';
import { connectElasticsearch } from '../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallIndices } from '../../../../infra/cluster/elasticsearch/index/index.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';

export interface EngineBytes {
  /** Lucene's, without deleted ones. */
  documents: number;
  /** In the primary shards. */
  indexBytes: number;
  /** In the table that serves. */
  usageBytes: number;
}

interface Stats {
  _all: { primaries: { docs: { count: number }; store: { size_in_bytes: number } } };
}

/** Merges what is there first, so that the bytes are those of an index at rest. */
export const measureEngineBytes = async (config: ClusterConfig): Promise<EngineBytes> => {
  const elasticsearch = connectElasticsearch(config);
  const clickhouse = connectClickhouse(config, { timeoutMs: 60_000 });
  try {
    const indices = `/${recallIndices(config)}`;
    await elasticsearch.ask('POST', `${indices}/_forcemerge`, {
      query: { max_num_segments: '1', flush: 'true' },
    });
    const { _all } = await elasticsearch.ask<Stats>('GET', `${indices}/_stats/docs,store`);
    const table = usageTableOf(await servedGeneration(config, 'usage'));
    await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`);
    return {
      documents: _all.primaries.docs.count,
      indexBytes: _all.primaries.store.size_in_bytes,
      usageBytes: await bytesOfTable(clickhouse, table),
    };
  } finally {
    await elasticsearch.close();
    await clickhouse.close();
  }
};
