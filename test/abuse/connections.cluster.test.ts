import { afterAll, beforeAll } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { dropNamespaceOfKilled } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { connectionTests, LIMITS } from './connections.ts';

describeOnEngines('connections without a request, cluster', () => {
  let cluster: Cluster;
  let server: Server;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), LIMITS);
    server = await cluster.start('api');
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  connectionTests(() => server);
});
