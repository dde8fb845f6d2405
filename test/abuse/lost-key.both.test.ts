import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { connect } from '../support/http/client.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer } from '../support/processes/server.ts';
import { lostKey } from './lost-key.ts';

describeInBothModes('lost key', {
  embedded: () => {
    test('an operator whose last key is lost gets another, with the server running and without', async () => {
      const first = await startServer();
      const environment = { TURNSTONE_DATA_DIR: first.dataDir };
      const found = await lostKey(first.url, first.apiKey, 'local', environment);
      // The command line works again.
      expect(readFileSync(join(first.dataDir, 'api-key'), 'utf8')).toBe(`${found}\n`);
      await first.stop();
      const { status, stdout } = await runCommand(['keys', 'recover', '--org', 'local'], environment);
      expect(status).toBe(0);
      const second = await startServer({ dataDir: first.dataDir });
      await connect({ url: second.url, apiKey: /^API key: (\S+)$/m.exec(stdout)![1]! });
      await second.stop();
    });
  },
  cluster: () => {
    it('gets another on the shared engines', async () => {
      const cluster = await makeCluster(engineEnvironment());
      try {
        const { url } = await untilReady(cluster.start('all'));
        await lostKey(url, cluster.apiKey, 'acme', cluster.environment);
      } finally {
        await cluster.close();
      }
    });
  },
});
