import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { correctSome, correctTogether, expectCorrected } from './correction.ts';

describeOnEngines('correction, in the cluster', () => {
  let cluster: Cluster;
  let api: Server;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
    [api] = await Promise.all([cluster.start('api'), cluster.start('projector'), cluster.start('enricher')]);
  }, 300_000);
  afterAll(() => cluster?.close());
  const operate = async (...args: string[]): Promise<void> => {
    const { status, stdout, stderr } = await runCommand(args, cluster.environment);
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
  };

  it('tells what was corrected, after a replay too', async () => {
    const client = await cluster.client(api);
    await correctSome(api.url, client);
    const world = { url: api.url, apiKey: cluster.apiKey };
    await expectCorrected(world);
    await correctTogether(api.url, client);
    await operate('verify');
    await operate('replay', 'recall');
    await operate('verify');
    await expectCorrected(world);
  }, 300_000);
});
