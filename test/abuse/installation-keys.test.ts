import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { connect } from '../support/client.ts';
import { type Server, startServer } from '../support/server.ts';
import { rotation } from './installation-keys.ts';

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
    kill: async () => {
      await server.kill();
      server = await startServer({ dataDir });
    },
    restart: async () => {
      await server.stop();
      server = await startServer({ dataDir });
    },
  });
}, 120_000);
