import { afterAll, expect, it } from 'vitest';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/client.ts';
import { registryIndex } from '../../infra/cluster/elasticsearch/registry.ts';
import { migrateEngines } from '../../services/cluster/open.ts';
import { FORMAT } from '../../services/core/format.ts';
import { deleteInElasticsearch } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { topicsOf } from '../support/kafka.ts';

describeOnEngines('indices of another format', () => {
  const config = clusterConfig();
  const elasticsearch = connectElasticsearch(config);
  afterAll(async () => {
    await deleteInElasticsearch(config, registryIndex(config));
    await elasticsearch.close();
  });

  it('are refused in one sentence, and nothing is made beside them', async () => {
    await elasticsearch.ask('PUT', `/${registryIndex(config)}`, {
      body: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    });
    const made: string[] = [];
    await expect(migrateEngines(config, line => made.push(line))).rejects.toThrow(
      `The data in the indices ${config.namespace}-* was written by a development version before 0.1.0 (no format number; this version reads format ${FORMAT}). Start with another TURNSTONE_NAMESPACE.`,
    );
    expect(made).toEqual([]);
    expect(await topicsOf(config)).toEqual([]);
  });
});
