import { afterAll, beforeAll, it } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { proveAMonth } from './statement.ts';

describeOnEngines('the statement of a month, in the cluster', () => {
  let cluster: Cluster;
  let server: Server | undefined;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
  }, 300_000);
  afterAll(() => cluster?.close());

  it('states what a month billed, and an export proves it, whatever was erased since', async () => {
    await proveAMonth({
      org: 'acme',
      environment: cluster.environment,
      replay: ['usage', 'recall'],
      at: async instant => {
        await server?.stop();
        server = await cluster.start('all', { environment: { TURNSTONE_CLOCK: instant } });
        return { url: server.url, apiKey: cluster.apiKey };
      },
    });
  }, 600_000);
});
