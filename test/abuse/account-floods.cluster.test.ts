import { afterAll, beforeAll } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { dropNamespaceOfKilled } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { accountFloodTests, CAPS, type World } from './account-floods.ts';

describeOnEngines('floods of accounts, cluster', () => {
  let cluster: Cluster;
  let server: Server;
  let world: World;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), CAPS);
    server = await cluster.start('all');
    world = { url: server.url, apiKey: cluster.apiKey };
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  accountFloodTests(() => world);
});
