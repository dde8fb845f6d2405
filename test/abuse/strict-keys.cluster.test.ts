import { afterAll, beforeAll, it } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { untilReady } from '../support/until-ready.ts';
import { strictForAUser, strictKeysReach } from './strict-keys.ts';

describeOnEngines('strict keys', () => {
  let cluster: Cluster;
  let server: Server;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
    server = await untilReady(cluster.start('all'));
  });
  afterAll(() => cluster?.close());

  it('with every role leave their session in no operation', () =>
    strictKeysReach(server.url, cluster.apiKey));

  it('without a session stay with their user', () => strictForAUser(server.url, cluster.apiKey));
});
