import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { expectApart, expectRefused, writeAsAgents } from './filters.ts';

describeOnEngines('filters, in the cluster', () => {
  let cluster: Cluster;
  let api: Server;
  let client: Client;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
    [api] = await Promise.all([cluster.start('api'), cluster.start('projector'), cluster.start('enricher')]);
    client = await cluster.client(api);
  }, 300_000);
  afterAll(() => cluster?.close());

  it('keep two agents apart, after a replay too', async () => {
    await writeAsAgents(client, api.url);
    const world = { url: api.url, apiKey: cluster.apiKey };
    await expectApart(world);
    await expectRefused(client);
    for (const args of [['verify'], ['replay', 'recall'], ['verify']]) {
      const { status, stdout, stderr } = await runCommand(args, cluster.environment);
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    }
    await expectApart(world);
  }, 300_000);
});
