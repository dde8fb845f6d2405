import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, callerWith, type Usage } from '../http/contract/kit.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { CAP_IN, FREE_STORAGE } from './free-storage.ts';

describeInBothModes('free storage', {
  embedded: () => {
    describe('storage that nobody pays for', () => {
      let server: Server;
      let caller: Caller;
      const start = async (dataDir?: string): Promise<void> => {
        server = await startServer({ dataDir, environment: { TURNSTONE_QUOTA_TOKENS_IN: String(CAP_IN) } });
        caller = await callerWith(server.url, server.apiKey);
      };
      beforeAll(() => start());
      afterAll(() => server?.stop());

      test.for(Object.entries(FREE_STORAGE))('%s', ([, check]) => check(caller));

      test('the same is billed by the log, after kill -9', async () => {
        const before = await caller.get<Usage>('/usage/today');
        await server.kill();
        await start(server.dataDir);
        expect(await caller.get<Usage>('/usage/today')).toEqual(before);
      });
    });
  },
  cluster: () => {
    let cluster: Cluster;
    let caller: Caller;
    let url: string;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), { TURNSTONE_QUOTA_TOKENS_IN: String(CAP_IN) });
      ({ url } = await cluster.start('all'));
      caller = await callerWith(url, cluster.apiKey);
    });
    afterAll(async () => {
      await cluster?.close();
      if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });

    test.for(Object.entries(FREE_STORAGE))('%s', ([, check]) => check(caller));

    test('the same is billed by the log, and the usage store agrees with it', async () => {
      const before = await caller.get<Usage>('/usage/today');
      expect(before.tokens_in).toBe(CAP_IN);
      await settled(url, 60_000);
      expect(await caller.get<Usage>('/usage/today')).toEqual(before);
      const verified = await runCommand(['verify', 'usage'], cluster.environment);
      expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
    });
  },
});
