import { it, onTestFinished } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { accessToken, connect } from '../support/http/client.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { checkExports } from './exports.ts';

describeOnEngines('exports, cluster', () => {
  it('an export reads its own part of the log, a few at a time, and delays nobody', async () => {
    const cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    onTestFinished(async () => {
      await cluster.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });
    const [api, projector] = await Promise.all([cluster.start('api'), cluster.start('projector')]);
    const token = await accessToken(api.url, cluster.apiKey);
    const client = await connect({ url: api.url, apiKey: cluster.apiKey }, token);
    await checkExports({ url: api.url, pid: api.child.pid!, isEnriched: false }, { client, token });
    await Promise.all([api, projector].map(server => server.stop()));
  });
});
