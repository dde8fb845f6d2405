import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, callerWith, type Usage } from '../http/contract/kit.ts';
import { settled } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { dropNamespaceOfKilled } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { CAP_IN, FREE_STORAGE } from './free-storage.ts';

describeOnEngines('storage that nobody pays for, cluster', () => {
  let cluster: Cluster;
  let caller: Caller;
  let url: string;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_QUOTA_TOKENS_IN: String(CAP_IN) });
    ({ url } = await cluster.start('all'));
    caller = await callerWith(url, cluster.apiKey);
  }, 120_000);
  afterAll(async () => {
    await cluster?.close();
    if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  }, 60_000);

  test.for(Object.entries(FREE_STORAGE))('%s', ([, check]) => check(caller));

  test('the same is billed by the log, and the usage store agrees with it', async () => {
    const before = await caller.get<Usage>('/usage/today');
    expect(before.tokens_in).toBe(CAP_IN);
    await settled(url, 60_000);
    expect(await caller.get<Usage>('/usage/today')).toEqual(before);
    const verified = await runCommand(['verify', 'usage'], cluster.environment);
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
  });
});
