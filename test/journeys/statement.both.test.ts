import { afterAll, beforeAll, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { proveAMonth } from './statement.ts';

describeInBothModes('statement', {
  embedded: () => {
    // Switched off: `projectUsage` of erased turns in services/use-cases/transfer/chunk.ts → the export
    // proves 19 events less.
    it('states what a month billed, and an export proves it, whatever was erased since', async () => {
      const dataDir = temporaryFolder();
      let server: Server | undefined;
      let apiKey = '';
      await proveAMonth({
        org: 'local',
        environment: { TURNSTONE_DATA_DIR: dataDir },
        replay: ['all'],
        at: async instant => {
          await server?.stop();
          server = await startServer({ dataDir, environment: { TURNSTONE_CLOCK: instant } });
          apiKey ||= server.apiKey;
          return { url: server.url, apiKey };
        },
      });
      await server?.stop();
    });
  },
  cluster: () => {
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
  },
});
