import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, expectStatus } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../support/embedding-server.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/wait.ts';
import {
  embedded,
  environmentOf,
  expectAskedBefore,
  expectDegraded,
  expectFound,
  explained,
  QUESTION,
  write,
} from './embeddings.ts';

describeOnEngines('an embedding model, in the cluster', () => {
  let endpoint: EmbeddingServer;
  let cluster: Cluster;
  let api: Server;
  let projector: Server;
  let enricher: Server;
  let client: Client;
  beforeAll(async () => {
    endpoint = await startEmbeddingServer();
    cluster = await makeCluster(engineEnvironment(), environmentOf(endpoint));
    [api, projector, enricher] = await Promise.all([
      cluster.start('api'),
      cluster.start('projector'),
      cluster.start('enricher'),
    ]);
    client = await cluster.client(api);
  }, 300_000);
  afterAll(async () => {
    await cluster?.close();
    await endpoint?.close();
  });
  const operate = async (environment: object, ...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommand(args, { ...cluster.environment, ...environment });
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    return stdout;
  };

  it('is served, done without, changed by a replay, rolled back, and forgets who is erased', async () => {
    await write(client);
    await embedded(enricher.url, projector.url);
    await expectFound(client);
    await operate({}, 'verify');
    await expectDegraded(client, endpoint);

    const both = environmentOf(endpoint, 'model-b,model-a');
    await Promise.all([api, enricher].map(server => server.stop()));
    [api, enricher] = await Promise.all([
      cluster.start('api', { environment: both }),
      cluster.start('enricher', { environment: both }),
    ]);
    client = await cluster.client(api);
    await expectFound(client);
    expect(await operate(both, 'generations')).toMatch(/recall .*serving .*model-a/);
    await embedded(enricher.url, projector.url);
    await expectAskedBefore(client, 'model-b');
    await operate(both, 'replay', 'recall');
    expect(await operate(both, 'generations')).toMatch(/recall .*serving .*model-b/);
    await until('the new model is asked', async () => {
      await explained(client);
      return endpoint.texts('model-b').includes(`query: ${QUESTION}`);
    });
    await expectFound(client);
    await operate(both, 'rollback', 'recall');
    expect(await operate(both, 'generations')).toMatch(/recall .*serving .*model-a/);
    await expectFound(client);

    expectStatus(await client.request('DELETE', '/memory?user_id=ada'), 200);
    await operate(both, 'verify');
    expect(await operate(both, 'export', '--org', 'acme')).not.toContain('turn.embedded');
  }, 600_000);
});
