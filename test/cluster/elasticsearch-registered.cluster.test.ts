import { afterAll, expect, it } from 'vitest';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/client.ts';
import { openHeldPositions } from '../../infra/cluster/elasticsearch/held-positions.ts';
import { migrateIndex, recallIndexOf } from '../../infra/cluster/elasticsearch/index.ts';
import { openRegistry, registryIndex } from '../../infra/cluster/elasticsearch/registry.ts';
import { deleteInElasticsearch } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';

describeOnEngines('an index that is registered anew', () => {
  const config = clusterConfig();
  const elasticsearch = connectElasticsearch(config);
  const index = recallIndexOf(config, 1);
  afterAll(async () => {
    for (const each of [index, registryIndex(config)]) await deleteInElasticsearch(config, each);
    await deleteInElasticsearch(config, `_index_template/${config.namespace}-recall`);
    await elasticsearch.close();
  });

  /** Whether it is known to say itself how far it is, when `turnstone migrate` finds it unregistered. */
  const isMarked = async (): Promise<boolean | undefined> => {
    await elasticsearch.ask('DELETE', `/${registryIndex(config)}/_doc/recall`, { accepted: [404] });
    await migrateIndex(config);
    const registered = await openRegistry(elasticsearch, config).read('recall');
    return registered!.generations[0]!.isMarked;
  };

  it('says itself how far it is if it is empty or has positions, whichever run made it', async () => {
    expect(await isMarked()).toBe(true);
    // As when the run that made it ended before the registry, or a concurrent one was faster there.
    expect(await isMarked()).toBe(true);

    const document = { kind: 'turn', id: 'of an earlier release' };
    await elasticsearch.ask('PUT', `/${index}/_doc/1`, { body: document });
    expect(await isMarked()).toBe(false);

    const range = { topic: 'turns', partition: 0, from: 0, next: 1 } as const;
    await openHeldPositions(elasticsearch).advance(index, range);
    expect(await isMarked()).toBe(true);
  });
});
