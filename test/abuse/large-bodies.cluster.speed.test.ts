import { afterAll, beforeAll } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { connect, expectStatus, send } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import type { Server } from '../support/processes/server.ts';
import { largeBodyTests, type World } from './large-bodies.ts';

describeOnEngines('a tenant with large bodies, cluster', () => {
  let cluster: Cluster;
  let server: Server;
  let world: World;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    server = await cluster.start('all');
    const { url } = server;
    const { api_key } = expectStatus(
      await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: 'good' }),
      201,
    );
    world = { url, apiKey: cluster.apiKey, good: await connect({ url, apiKey: api_key }) };
  });
  afterAll(async () => {
    await server?.stop();
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  largeBodyTests(() => world);
});
