import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { expectErased, expectOnlyAskersRead, expectSame, keepReceipts } from './receipts.ts';

describeOnEngines('receipts, in the cluster', () => {
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

  it('keeps what was answered, after a replay, an erasure, and in another process', async () => {
    const receipts = await keepReceipts(api.url, client);
    await expectOnlyAskersRead(api.url, client, receipts);
    await operate('replay', 'recall');
    await operate('verify');
    await expectSame(client, receipts);
    const other = await cluster.client(await cluster.start('api'));
    await expectSame(other, receipts);
    await expectErased(client, receipts);
    await operate('verify');
  }, 300_000);
});
