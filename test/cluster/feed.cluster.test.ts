import { it, onTestFinished } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { checkFeedUnderLoad } from '../support/worlds/feed-world.ts';

describeOnEngines('the feed, cluster', () => {
  it('tells every acknowledged turn once and in order, through broken connections and kill -9', async () => {
    const cluster = await makeCluster(engineEnvironment());
    onTestFinished(async () => {
      await cluster.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });
    let api = await cluster.start('api');
    let projector = await cluster.start('projector');
    const enricher = await cluster.start('enricher');
    await checkFeedUnderLoad(
      {
        apiKey: cluster.apiKey,
        url: () => api.url,
        killAndRestart: async () => {
          await Promise.all([api.kill(), projector.kill()]);
          [api, projector] = await Promise.all([cluster.start('api'), cluster.start('projector')]);
        },
      },
      40,
    );
    // Those that leave are not waited for when their namespace is dropped.
    await Promise.all([api, projector, enricher].map(server => server.stop()));
  });
});
