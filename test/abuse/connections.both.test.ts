import { afterAll, beforeAll, describe } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { connectionTests, LIMITS } from './connections.ts';

describeInBothModes('connections', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer({ environment: LIMITS });
    });
    afterAll(() => server?.stop());

    describe('connections without a request, embedded', () => connectionTests(() => server));
  },
  cluster: () => {
    let cluster: Cluster;
    let server: Server;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), LIMITS);
      server = await cluster.start('api');
    });
    afterAll(async () => {
      await server?.stop();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });

    connectionTests(() => server);
  },
});
