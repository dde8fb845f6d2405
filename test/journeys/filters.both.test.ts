import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { untilGone, wordsInFolder } from '../support/files/find-words.ts';
import { accessToken, type Client, connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { expectApart, expectRefused, METADATA_WORD, PLANNER, writeAsAgents } from './filters.ts';

describeInBothModes('filters', {
  embedded: () => {
    it('keeps two agents apart, after a kill, a rebuild and an import too, until it is erased', async () => {
      const dataDir = temporaryFolder();
      let server = await startServer({ dataDir });
      const { apiKey } = server;
      let client = await connect(server);
      await writeAsAgents(client, server.url);
      await expectApart({ url: server.url, apiKey });
      await expectRefused(client);
      await server.kill();

      for (const name of readdirSync(dataDir))
        if (name.startsWith('projections')) rmSync(join(dataDir, name));
      server = await startServer({ dataDir });
      await expectApart({ url: server.url, apiKey });
      const { status, stdout } = await runCommand(['verify'], { TURNSTONE_DATA_DIR: dataDir });
      expect([status, stdout]).toEqual([0, expect.stringContaining('no differences')]);

      const exported = async (filter = ''): Promise<string> => {
        const authorization = `Bearer ${await accessToken(server.url, apiKey)}`;
        return (await fetch(`${server.url}/export${filter}`, { headers: { authorization } })).text();
      };
      const file = join(temporaryFolder(), 'export.jsonl');
      const other = await startServer();
      writeFileSync(file, await exported());
      await runCommand(['import', file], { TURNSTONE_DATA_DIR: other.dataDir });
      await settled(other.url);
      await expectApart(other);
      const part = await startServer();
      writeFileSync(file, await exported(`?filter=${encodeURIComponent(JSON.stringify(PLANNER))}`));
      const imported = await runCommand(['import', file], { TURNSTONE_DATA_DIR: part.dataDir });
      expect(imported.stdout).toContain('9 events written');
      await Promise.all([other.stop(), part.stop()]);

      client = await connect(server);
      expect(Object.values(wordsInFolder(dataDir, [METADATA_WORD])).flat()).not.toEqual([]);
      expect((await client.request('DELETE', '/memory?user_id=ada&session_id=p')).status).toBe(200);
      await untilGone(dataDir, [METADATA_WORD]);
      const { hits } = await client.recall({ q: 'What sleeps?', scope: {}, filter: PLANNER } as never);
      expect(hits).toEqual({ turns: [], observations: [], entities: [] });
      await server.stop();
    });
  },
  cluster: () => {
    let cluster: SharedCluster;
    let api: Server;
    let client: Client;
    beforeAll(async () => {
      cluster = await sharedCluster(engineEnvironment());
      ({ api, owner: client } = cluster);
    }, 300_000);
    afterAll(() => cluster?.close());

    it('keep two agents apart, after a replay too', async () => {
      await writeAsAgents(client, api.url);
      const world = { url: api.url, apiKey: cluster.apiKey };
      await expectApart(world);
      await expectRefused(client);
      for (const args of [['verify'], ['replay', 'recall'], ['verify']]) {
        const { status, stdout, stderr } = await runCommand(args, cluster.environment);
        expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
      }
      await expectApart(world);
    }, 300_000);
  },
});
