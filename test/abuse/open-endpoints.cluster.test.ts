import { afterAll, beforeAll } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { dropNamespaceOfKilled } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { openEndpointTests, type World } from './open-endpoints.ts';

// What is tested here is not how often an address may call.
const UNLIMITED = { TURNSTONE_OPEN_REQUESTS_PER_MINUTE: '0' };

describeOnEngines('a caller without a token, in the cluster', () => {
  let cluster: Cluster;
  let server: Server;
  let world: World;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), UNLIMITED);
    server = await cluster.start('all');
    world = { url: server.url, good: await cluster.client(server) };
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  openEndpointTests(() => world);
});
