import { afterAll, expect, it } from 'vitest';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/client.ts';
import {
  generationIndex,
  migrateIndex,
  recallAlias,
  recallIndexOf,
} from '../../infra/cluster/elasticsearch/index/index.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';

describeOnEngines('an index of the last release', () => {
  const config = clusterConfig();
  const elasticsearch = connectElasticsearch(config);
  const index = recallIndexOf(config, 1);
  afterAll(async () => {
    await elasticsearch.ask('DELETE', `/${index}`, { accepted: [404] });
    await elasticsearch.close();
  });

  it('gets the fields of this one by `turnstone migrate`, without a replay', async () => {
    const made = generationIndex(config, 0);
    const { index: _, ...before } = made.mappings.properties;
    await elasticsearch.ask('PUT', `/${index}`, {
      body: {
        ...made,
        mappings: { ...made.mappings, properties: before },
        aliases: { [recallAlias(config)]: { is_write_index: true } },
      },
    });
    type Mapping = Record<string, { mappings: { properties: Record<string, object> } }>;
    const fields = async () =>
      (await elasticsearch.ask<Mapping>('GET', `/${index}/_mapping`))[index]!.mappings.properties;
    expect(await fields()).not.toHaveProperty('index');
    await migrateIndex(config);
    expect(await fields()).toMatchObject({ index: { type: 'short' } });
  });
});
