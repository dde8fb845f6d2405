import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { connect, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { CLOCK, expectKnown, fill, snapshot, summaryOf } from '../support/worlds/transfer-world.ts';

const environment = { TURNSTONE_CLOCK: CLOCK };

describeOnEngines('an organization between the modes', () => {
  const newCluster = async (): Promise<Cluster> => {
    const cluster = await makeCluster(engineEnvironment(), environment);
    onTestFinished(async () => {
      await cluster.close();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });
    return cluster;
  };
  const newEmbedded = () =>
    startServer({
      environment: { ...environment, TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
    });

  it('goes from a data folder to the shared engines, with the same answers and the same bill', async () => {
    const source = await newEmbedded();
    const client = await connect(source);
    await fill(client, source.url);
    const file = join(temporaryFolder(), 'local.jsonl');
    await runCommand(['export', '--org', 'local', '--output', file], { TURNSTONE_DATA_DIR: source.dataDir });

    const cluster = await newCluster();
    const server = await cluster.start('all');
    const taken = await runCommand(['import', file, '--org', 'acme'], cluster.environment);
    expect(taken).toMatchObject({ status: 0, stderr: '' });
    expect(taken.stdout).toContain('40 events written; 0 were there already.');
    await settled(server.url, 60_000);
    const there = await cluster.client(server);
    const again = await runCommand(['import', file, '--org', 'acme'], cluster.environment);
    expect(again.stdout).toContain('0 events written; 40 were there already.');
    await settled(server.url, 60_000);
    expect(await snapshot(there)).toEqual(await snapshot(client));
    await expectKnown(there);
    await Promise.all([source.stop(), server.stop()]);
  });

  it('goes from the shared engines to a data folder, with the same answers and the same bill', async () => {
    const cluster = await newCluster();
    const server = await cluster.start('all');
    const client = await cluster.client(server);
    await fill(client, server.url);
    const file = join(temporaryFolder(), 'acme.jsonl');
    const exported = await runCommand(['export', '--org', 'acme', '--output', file], cluster.environment);
    expect(exported).toMatchObject({ status: 0, stderr: '' });
    expect(summaryOf(file).types).toEqual({
      'write.accepted': 5,
      'turn.recorded': 17,
      'observations.extracted': 16,
      'recall.metered': 2,
    });

    const target = await newEmbedded();
    const into = { TURNSTONE_DATA_DIR: target.dataDir };
    const taken = await runCommand(['import', file, '--org', 'local'], into);
    expect(taken.stdout).toContain('40 events written; 0 were there already.');
    const there = await connect(target);
    await settled(target.url);
    expect(await snapshot(there)).toEqual(await snapshot(client));
    await expectKnown(there);
    await Promise.all([target.stop(), server.stop()]);
  });
});
