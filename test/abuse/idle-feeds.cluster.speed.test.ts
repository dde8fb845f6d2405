import { it, onTestFinished } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { checkIdleFeeds } from './idle-feeds.ts';

describeOnEngines('idle feeds, cluster', () => {
  it('idle streams of one organization cost nothing while another writes', async () => {
    const cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    onTestFinished(async () => {
      await cluster.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });
    const [api, projector] = await Promise.all([cluster.start('api'), cluster.start('projector')]);
    await checkIdleFeeds({ url: api.url, pid: api.child.pid! }, async () => {
      const stats = `${engineEnvironment().TURNSTONE_ELASTICSEARCH_URL}/${cluster.namespace}-*/_stats/search`;
      const answer = (await (await fetch(stats)).json()) as {
        _all: { total: { search: { query_total: number } } };
      };
      return answer._all.total.search.query_total;
    });
    await Promise.all([api, projector].map(server => server.stop()));
  });
});
