import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { splitUsage } from './usage-split.ts';

const operate = async (environment: Record<string, string>, ...args: string[]): Promise<void> => {
  const { status, stdout, stderr } = await runCommand(args, environment);
  expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
};

describeInBothModes('usage by user, session and key', {
  embedded: () => {
    it('adds up to the token, after an erasure and a replay too', async () => {
      const server = await startServer({ environment: {} });
      const environment = { TURNSTONE_DATA_DIR: server.dataDir };
      await splitUsage({
        url: server.url,
        owner: await connect(server),
        replay: async () => {
          await operate(environment, 'replay', 'all');
          await operate(environment, 'verify');
        },
      });
    });
  },
  cluster: () => {
    let cluster: SharedCluster;
    beforeAll(async () => {
      cluster = await sharedCluster(engineEnvironment());
    }, 300_000);
    afterAll(() => cluster?.close());

    it('adds up to the token, after an erasure and a replay too', async () => {
      await splitUsage({
        url: cluster.api.url,
        owner: cluster.owner,
        replay: async () => {
          await operate(cluster.environment, 'replay', 'usage');
          await operate(cluster.environment, 'verify');
        },
      });
    }, 300_000);
  },
});
