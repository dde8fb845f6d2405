import { afterAll, beforeAll } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import type { Server } from '../support/processes/server.ts';
import { signUp } from '../support/worlds/newcomers.ts';
import { erasureTests, type World } from './erasures.ts';

describeOnEngines('erasures, in the cluster', () => {
  let cluster: Cluster;
  let servers: Server[];
  let world: World;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    servers = await Promise.all([
      cluster.start('api'),
      cluster.start('projector'),
      cluster.start('enricher'),
    ]);
    const [api] = servers;
    const { client: hostile } = await signUp(api!.url, 'hostile');
    world = { url: api!.url, good: await cluster.client(api!), hostile };
  });
  afterAll(async () => {
    await Promise.all((servers ?? []).map(server => server.stop()));
    if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  erasureTests(() => world);
});
