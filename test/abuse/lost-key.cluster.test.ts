import { it } from 'vitest';
import { makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { untilReady } from '../support/until-ready.ts';
import { lostKey } from './lost-key.ts';

describeOnEngines('an operator whose last key is lost', () => {
  it('gets another on the shared engines', async () => {
    const cluster = await makeCluster(engineEnvironment());
    try {
      const { url } = await untilReady(cluster.start('all'));
      await lostKey(url, cluster.apiKey, 'acme', cluster.environment);
    } finally {
      await cluster.close();
    }
  });
});
