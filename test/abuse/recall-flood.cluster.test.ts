import { it, onTestFinished } from 'vitest';
import { metric } from '../support/client.ts';
import { makeCluster } from '../support/cluster.ts';
import { dropNamespaceOfKilled } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { until } from '../support/wait.ts';
import { checkRecallFlood } from './recall-flood.ts';

describeOnEngines('a flood of recalls, cluster', () => {
  it('an organization that floods recalls delays no other, which is refused nothing', async () => {
    const cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    onTestFinished(async () => {
      await cluster.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    }, 60_000);
    const [api, projector] = await Promise.all([cluster.start('api'), cluster.start('projector')]);
    await checkRecallFlood(api.url, () =>
      until(
        'the projector has caught up',
        async () => (await metric(api.url, 'turnstone_projector_lag_events')) === 0,
        120_000,
      ),
    );
    await Promise.all([api, projector].map(server => server.stop()));
  }, 240_000);
});
