/** The repetition of an erasure's deletion, which outlives every process. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias, recallIndexOf } from '../../infra/cluster/elasticsearch/index/index.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { said, wordsOf } from '../support/files/erased-words.ts';
import { wordsIn } from '../support/files/find-words.ts';
import { type Client, expectStatus, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { until } from '../support/wait.ts';

interface Document {
  _id: string;
  _routing?: string;
  _source: Record<string, unknown>;
}

describeOnEngines('the second deletion of an erasure', () => {
  let cluster: Cluster;
  let config: ReturnType<typeof clusterConfig>;
  let elasticsearch: Elasticsearch;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
    config = { ...clusterConfig(), namespace: cluster.namespace };
    elasticsearch = connectElasticsearch(config);
  });
  afterAll(async () => {
    await cluster?.close();
    await elasticsearch?.close();
    if (cluster) await dropNamespace(config);
  });

  const documents = async (query: object = { match_all: {} }): Promise<Document[]> => {
    const alias = recallAlias(config);
    await elasticsearch.ask('POST', `/${alias}/_refresh`);
    const found = await elasticsearch.ask<{ hits: { hits: Document[] } }>('POST', `/${alias}/_search`, {
      body: { size: 1_000, query },
    });
    return found.hits.hits;
  };
  /** As a projector that lost its partition, and writes late. */
  const writeLate = async ({ _id, _routing, _source }: Document): Promise<void> => {
    await elasticsearch.ask('PUT', `/${recallIndexOf(config, 1)}/_doc/${_id}`, {
      query: { refresh: true, ...(_routing !== undefined && { routing: _routing }) },
      body: _source,
    });
  };
  const erase = async (client: Client, scope: object): Promise<void> => {
    expectStatus(await client.request('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }), 200);
  };

  it('is done by another process when its own was killed right after the receipt', async () => {
    const api = await cluster.start('api');
    const client = await cluster.client(api);
    let [projector, enricher] = await Promise.all([cluster.start('projector'), cluster.start('enricher')]);
    for (let n = 0; n < 4; n++) {
      await client.ingest(said('ada', 'monday', n));
      await client.ingest(said('grace', 'friday', n));
    }
    await settled(api.url, 60_000);
    const owned = await documents({ term: { user: 'ada' } });
    expect(owned.length).toBeGreaterThan(8);
    await erase(client, { user_id: 'ada' });
    await Promise.all([projector.kill(), enricher.kill()]);
    expect(await documents({ term: { user: 'ada' } })).toEqual([]);

    for (const document of owned) await writeLate(document);
    expect(wordsIn(Buffer.from(JSON.stringify(await documents())), wordsOf('ada', 'monday'))).not.toEqual([]);
    [projector, enricher] = await Promise.all([cluster.start('projector'), cluster.start('enricher')]);
    await until(
      'the late documents are deleted',
      async () => (await documents({ term: { user: 'ada' } })).length === 0,
      100_000,
    );
    // Nothing that is due is stored any longer, and nobody else lost anything.
    await until('nothing is due', async () => (await documents({ term: { kind: 'erasure' } })).length === 0);
    expect(wordsIn(Buffer.from(JSON.stringify(await documents())), wordsOf('ada', 'monday'))).toEqual([]);
    expect((await documents({ term: { user: 'grace' } })).length).toBeGreaterThan(8);
    await Promise.all([projector, enricher, api].map(server => server.stop()));
  });

  it('is no difference to the log while it is due', async () => {
    const [api, projector, enricher] = await Promise.all([
      cluster.start('api'),
      cluster.start('projector'),
      cluster.start('enricher'),
    ]);
    const client = await cluster.client(api);
    await client.ingest(said('ida', 'monday', 1));
    await erase(client, { user_id: 'ida' });
    await settled(api.url, 60_000);
    expect((await documents({ term: { kind: 'erasure' } })).length).toBeGreaterThan(0);
    const verified = await runCommand(['verify', 'recall'], cluster.environment);
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
    await Promise.all([projector, enricher, api].map(server => server.stop()));
  });
});
