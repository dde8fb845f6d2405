import { afterAll, beforeAll, describe } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { connect, send } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { hostileTenantTests, type World } from './hostile-tenant.ts';

const hostileKeyOf = async (url: string): Promise<string> => {
  const { body } = await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: 'hostile' });
  return body.api_key;
};

describe('one process', () => {
  let server: Server;
  let world: World;
  beforeAll(async () => {
    server = await startServer({
      environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
    });
    world = {
      api: server,
      good: await connect({ url: server.url, apiKey: server.apiKey }),
      hostileKey: await hostileKeyOf(server.url),
    };
  });
  afterAll(() => server?.kill());

  hostileTenantTests('embedded', () => world);
});

describeOnEngines('the cluster', () => {
  let cluster: Cluster;
  let world: World;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    // As in infra/compose.yaml: what a projector folds keeps no call waiting.
    const [api] = await Promise.all([
      cluster.start('api'),
      cluster.start('projector'),
      cluster.start('enricher'),
    ]);
    world = { api, good: await cluster.client(api), hostileKey: await hostileKeyOf(api.url) };
  });
  afterAll(async () => {
    await cluster?.close();
    await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  hostileTenantTests('cluster', () => world);
});
