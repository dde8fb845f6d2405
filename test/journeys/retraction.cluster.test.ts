import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { expectHidden, expectOnlyOwnersHide, hideSome, hideUnderLoad } from './retraction.ts';

describeOnEngines('retraction, in the cluster', () => {
  let cluster: Cluster;
  let api: Server;
  let client: Client;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
    [api] = await Promise.all([cluster.start('api'), cluster.start('projector'), cluster.start('enricher')]);
    client = await cluster.client(api);
  }, 300_000);
  afterAll(() => cluster?.close());
  const operate = async (...args: string[]): Promise<void> => {
    const { status, stdout, stderr } = await runCommand(args, cluster.environment);
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
  };

  it('hides a turn and a fact from every answer, after a replay too', async () => {
    const hidden = await hideSome(api.url, client);
    const world = { url: api.url, apiKey: cluster.apiKey };
    await expectHidden(world, hidden);
    await expectOnlyOwnersHide(api.url, client);
    await operate('verify');
    await operate('replay', 'recall');
    await operate('verify');
    await expectHidden(world, hidden);
  }, 300_000);

  it('hides a thousand turns during writes and a replay, and loses nothing else', async () => {
    await hideUnderLoad(api.url, client, () => operate('replay', 'recall'));
    await operate('verify');
  }, 300_000);
});
