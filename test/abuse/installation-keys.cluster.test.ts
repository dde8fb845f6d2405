import { it } from 'vitest';
import { makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { untilReady } from '../support/until-ready.ts';
import { rotation } from './installation-keys.ts';

describeOnEngines('the installation key', () => {
  it('is rotated under load, through a kill of a server', async () => {
    const cluster = await makeCluster(engineEnvironment());
    try {
      let server = await untilReady(cluster.start('all'));
      await rotation({
        environment: cluster.environment,
        file: cluster.environment.TURNSTONE_INSTALLATION_KEY!,
        client: () => cluster.client(server),
        kill: async () => {
          await server.kill();
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
  }, 180_000);
});
