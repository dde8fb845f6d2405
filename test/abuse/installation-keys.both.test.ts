import { join } from 'node:path';
import { afterAll, beforeAll, it, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { connect } from '../support/http/client.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { rotation } from './installation-keys.ts';

describeInBothModes('installation keys', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.stop());

    test('the installation key is rotated under load, through a kill of the server', async () => {
      const { apiKey, dataDir } = server;
      await rotation({
        environment: { TURNSTONE_DATA_DIR: dataDir },
        file: join(dataDir, 'installation-key'),
        client: () => connect({ url: server.url, apiKey }),
        kill: () => server.kill(),
        start: async () => {
          server = await startServer({ dataDir });
        },
        restart: async () => {
          await server.stop();
          server = await startServer({ dataDir });
        },
      });
    });
  },
  cluster: () => {
    it('is rotated under load, through a kill of a server', async () => {
      const cluster = await makeCluster(engineEnvironment());
      try {
        let server = await untilReady(cluster.start('all'));
        await rotation({
          environment: cluster.environment,
          file: cluster.environment.TURNSTONE_INSTALLATION_KEY!,
          client: () => cluster.client(server),
          kill: () => server.kill(),
          start: async () => {
            server = await untilReady(cluster.start('all'));
          },
          restart: async () => {
            await server.stop();
            server = await untilReady(cluster.start('all'));
          },
        });
      } finally {
        await cluster.close();
      }
    });
  },
});
