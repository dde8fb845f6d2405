import { afterAll, beforeAll } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { LIMITS, turnedLimitTests, type World } from './turned-limits.ts';

describeInBothModes('limits turned against others', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer({ environment: LIMITS });
    });
    afterAll(() => server?.stop());

    turnedLimitTests(() => server);
  },
  cluster: () => {
    let cluster: Cluster;
    let world: World;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), LIMITS);
      const { url } = await cluster.start('all');
      world = { url, apiKey: cluster.apiKey };
    });
    afterAll(() => cluster?.close());

    turnedLimitTests(() => world);
  },
});
