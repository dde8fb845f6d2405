import { afterAll, beforeAll, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { expectAskedTimes, NOON } from './asked-times.ts';

describeOnEngines('times in a question, in the cluster', () => {
  let cluster: Cluster;
  let api: Server;
  let client: Client;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_CLOCK: NOON });
    [api] = await Promise.all([cluster.start('api'), cluster.start('projector'), cluster.start('enricher')]);
    client = await cluster.client(api);
  }, 300_000);
  afterAll(() => cluster?.close());

  it('finds what was said at the time that a question names', () => expectAskedTimes(api.url, client));
});
