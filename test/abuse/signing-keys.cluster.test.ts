import { it } from 'vitest';
import { makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { untilReady } from '../support/until-ready.ts';
import { rotation } from './signing-keys.ts';

describeOnEngines('signing keys', () => {
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
});
