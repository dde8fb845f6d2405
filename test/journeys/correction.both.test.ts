import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { correctSome, correctTogether, expectCorrected } from './correction.ts';

describeInBothModes('correction', {
  embedded: () => {
    it('tells what was corrected, after a kill, a rebuild and an import too', async () => {
      const dataDir = temporaryFolder();
      let server = await startServer({ dataDir });
      const { apiKey } = server;
      await correctSome(server.url, await connect(server));
      await expectCorrected({ url: server.url, apiKey });
      await correctTogether(server.url, await connect(server));
      await server.kill();

      for (const name of readdirSync(dataDir))
        if (name.startsWith('projections')) rmSync(join(dataDir, name));
      server = await startServer({ dataDir });
      await expectCorrected({ url: server.url, apiKey });
      const { status, stdout } = await runCommand(['verify'], { TURNSTONE_DATA_DIR: dataDir });
      expect([status, stdout]).toEqual([0, expect.stringContaining('no differences')]);

      const file = join(temporaryFolder(), 'local.jsonl');
      const exported = await runCommand(['export', '--org', 'local', '--output', file], {
        TURNSTONE_DATA_DIR: dataDir,
      });
      expect(exported).toMatchObject({ status: 0, stderr: '' });
      await server.stop();
      const target = await startServer();
      const into = { TURNSTONE_DATA_DIR: target.dataDir };
      const imported = () => runCommand(['import', file], into);
      expect((await imported()).stdout).toContain('0 were there already');
      await expectCorrected(target);
      expect((await imported()).stdout).toContain('0 events written');
      await target.stop();
    });
  },
  cluster: () => {
    let cluster: SharedCluster;
    let api: Server;
    beforeAll(async () => {
      cluster = await sharedCluster(engineEnvironment());
      ({ api } = cluster);
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
  },
});
