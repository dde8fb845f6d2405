import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { holdClock } from '../support/processes/clock.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { expectGone, letGo, outliveRetention, type World } from './derived.ts';

const FOLLOWS = 'tells nothing of what was made of a turn that has gone, after a replay too';
const RETENTION = 'ends a correction with what it corrects, where a retention decides';

const check = async (world: World, operate: (...args: string[]) => Promise<void>): Promise<void> => {
  const gone = await letGo(world);
  await expectGone(world, gone);
  await operate('verify');
  await operate('replay', 'recall');
  await expectGone(world, gone);
  await operate('verify');
};

describeInBothModes('what is derived', {
  embedded: () => {
    const clock = holdClock();
    let server: Server;
    beforeAll(async () => {
      server = await startServer({ environment: clock.environment });
    });
    afterAll(() => server?.stop());
    const operate = async (...args: string[]): Promise<void> => {
      const { status, stdout, stderr } = await runCommand(args, {
        ...clock.commandEnvironment(),
        TURNSTONE_DATA_DIR: server.dataDir,
      });
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    };

    it(FOLLOWS, () => check({ url: server.url, apiKey: server.apiKey, clock }, operate));
    it(RETENTION, () => outliveRetention({ url: server.url, apiKey: server.apiKey, clock }));
  },
  cluster: () => {
    const clock = holdClock();
    let cluster: Cluster;
    let api: Server;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), clock.environment);
      api = await cluster.start('all');
    }, 300_000);
    afterAll(() => cluster?.close());
    const operate = async (...args: string[]): Promise<void> => {
      const { status, stdout, stderr } = await runCommand(args, {
        ...cluster.environment,
        ...clock.commandEnvironment(),
      });
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    };

    it(FOLLOWS, () => check({ url: api.url, apiKey: cluster.apiKey, clock }, operate), 300_000);
    it(RETENTION, () => outliveRetention({ url: api.url, apiKey: cluster.apiKey, clock }), 300_000);
  },
});
