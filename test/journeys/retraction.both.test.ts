import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { expectHidden, expectOnlyOwnersHide, hideSome, hideUnderLoad } from './retraction.ts';

describeInBothModes('retraction', {
  embedded: () => {
    it('hides a turn and a fact from every answer, after a kill and a rebuild too', async () => {
      const dataDir = temporaryFolder();
      const environment = { TURNSTONE_SIGNUP: 'open' };
      let server = await startServer({ dataDir, environment });
      const { apiKey } = server;
      const client = await connect(server);
      const hidden = await hideSome(server.url, client);
      await expectHidden({ url: server.url, apiKey }, hidden);
      await expectOnlyOwnersHide(server.url, client);
      await server.kill();

      for (const name of readdirSync(dataDir))
        if (name.startsWith('projections')) rmSync(join(dataDir, name));
      server = await startServer({ dataDir, environment });
      await expectHidden({ url: server.url, apiKey }, hidden);
      const { status, stdout } = await runCommand(['verify'], { TURNSTONE_DATA_DIR: dataDir });
      expect([status, stdout]).toEqual([0, expect.stringContaining('no differences')]);
      await server.stop();
    });
  },
  cluster: () => {
    let cluster: Cluster;
    let api: Server;
    let client: Client;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SIGNUP: 'open' });
      [api] = await Promise.all([
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
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
  },
});
