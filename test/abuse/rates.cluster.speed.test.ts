import { afterAll, beforeAll } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import type { Server } from '../support/processes/server.ts';
import { LIMITS, rateTests, type World } from './rates.ts';

describeOnEngines('callers that call too often, on two APIs of a cluster', () => {
  let cluster: Cluster;
  let servers: Server[];
  let world: World;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), LIMITS);
    servers = await Promise.all([cluster.start('all'), cluster.start('api')]);
    world = { urls: servers.map(({ url }) => url), apiKey: cluster.apiKey };
  });
  afterAll(async () => {
    await Promise.all(servers.map(server => server.stop()));
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  rateTests(() => world);
});
