import { afterAll, beforeAll, describe } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { connect } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { openEndpointTests, type World } from './open-endpoints.ts';

describeInBothModes('open endpoints', {
  embedded: () => {
    let server: Server;
    let world: World;
    beforeAll(async () => {
      server = await startServer();
      world = { url: server.url, good: await connect(server) };
    });
    afterAll(() => server?.stop());

    describe('a caller without a token, embedded', () => openEndpointTests(() => world));
  },
  cluster: () => {
    // How often an address may call is not tested here.
    const UNLIMITED = { TURNSTONE_OPEN_REQUESTS_PER_MINUTE: '0' };

    let cluster: Cluster;
    let server: Server;
    let world: World;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), UNLIMITED);
      server = await cluster.start('all');
      world = { url: server.url, good: await cluster.client(server) };
    });
    afterAll(async () => {
      await server?.stop();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });

    openEndpointTests(() => world);
  },
});
