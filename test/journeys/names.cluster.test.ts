import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, expectStatus } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { correctNames, expectCorrected } from './names.ts';

describeOnEngines('corrected names, in the cluster', () => {
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

  it('keeps them over a replay, and erases them with their user', async () => {
    await correctNames(api.url, client);
    await expectCorrected(client);
    await operate('verify');
    await operate('replay', 'recall');
    await operate('verify');
    await expectCorrected(client);
    expectStatus(await client.request('DELETE', '/memory?user_id=ada'), 200);
    await operate('verify');
    for (const list of ['entities', 'sessions'])
      expect((await client.request('GET', `/memory/${list}?user_id=ada`)).body).toMatchObject({ [list]: [] });
  }, 300_000);
});
