import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { send } from '../support/http/client.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { rotation } from './signing-keys.ts';

describeInBothModes('signing keys', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.stop());

    test('signing keys are rotated under load without a refused token', () =>
      rotation([server.url], server.apiKey, { TURNSTONE_DATA_DIR: server.dataDir }));

    test('a broken file of signing keys changes nothing, and is in the log', async () => {
      writeFileSync(join(server.dataDir, 'signing-keys.json'), '{"keys": [');
      await until('it is reported', () => server.stderr().includes('the signing keys could not be read'));
      const answer = await send(`${server.url}/auth/token-exchange`, 'POST', { api_key: server.apiKey });
      expect(answer.status).toBe(200);
    });
  },
  cluster: () => {
    it('are rotated under load without a refused token, on two instances', async () => {
      const cluster = await makeCluster(engineEnvironment());
      try {
        const one = await untilReady(cluster.start('all'));
        const two = await untilReady(cluster.start('api'));
        await rotation([one.url, two.url], cluster.apiKey, cluster.environment);
      } finally {
        await cluster.close();
      }
    });
  },
});
