import { afterAll, beforeAll, describe, it } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { isReadyAgain, withstandsLargestWrites } from './largest-writes.ts';

describeOnEngines('the largest writes, cluster', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
  });
  afterAll(async () => {
    await cluster?.close();
    if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  describe.each(['observations', 'many names'] as const)('%s', form => {
    it('leave the process ready and small, and so does a restart', { timeout: 900_000 }, async () => {
      const server = await cluster.start('all');
      await withstandsLargestWrites(server, cluster.apiKey, form);
      await server.stop();

      const again = await cluster.start('all');
      await isReadyAgain(again);
      await again.stop();
    });
  });
});
