import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { wordsInFolder } from '../support/files/find-words.ts';
import { type Client, connect, expectStatus, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { correctNames, expectCorrected } from './names.ts';

describeInBothModes('names', {
  embedded: () => {
    it('keeps corrected names over a kill, a rebuild and a move to another organization, and erases them', async () => {
      const dataDir = temporaryFolder();
      const environment = { TURNSTONE_SIGNUP: 'open' };
      let server = await startServer({ dataDir, environment });
      const { apiKey } = server;
      await correctNames(server.url, await connect(server));
      await expectCorrected(await connect(server));
      await server.kill();

      for (const name of readdirSync(dataDir))
        if (name.startsWith('projections')) rmSync(join(dataDir, name));
      server = await startServer({ dataDir, environment });
      const client = await connect({ url: server.url, apiKey });
      // A start awaits turns, and not what was extracted from them.
      await settled(server.url);
      await expectCorrected(client);
      const operate = (...args: string[]) => runCommand(args, { TURNSTONE_DATA_DIR: dataDir });
      expect(await operate('verify')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('no differences'),
      });

      const file = join(temporaryFolder(), 'local.jsonl');
      expect((await operate('export', '--org', 'local', '--output', file)).status).toBe(0);
      const other = await startServer({ environment });
      const signedUp = await connect(other);
      const made = expectStatus(
        await signedUp.request<{ api_key: string }>('POST', '/signup', { org_id: 'globex' }),
        201,
      );
      const into = { TURNSTONE_DATA_DIR: other.dataDir };
      for (const known of [/ 0 were there/, /^0 events written/m])
        expect((await runCommand(['import', file, '--org', 'globex'], into)).stdout).toMatch(known);
      await settled(other.url);
      await expectCorrected(await connect({ url: other.url, apiKey: made.api_key }));
      expect((await runCommand(['verify'], into)).status).toBe(0);
      await other.stop();

      // An erasure of one session leaves the names; one of the user leaves nothing.
      expectStatus(await client.request('DELETE', '/memory?user_id=ada&session_id=home'), 200);
      expect((await operate('export', '--org', 'local')).stdout).toContain('entity.corrected');
      expect((await operate('export', '--org', 'local')).stdout).not.toContain('session.titled');
      expectStatus(await client.request('DELETE', '/memory?user_id=ada'), 200);
      expect((await operate('export', '--org', 'local')).stdout).not.toContain('entity.corrected');
      expect((await operate('verify')).status).toBe(0);
      await server.stop();
      expect(wordsInFolder(dataDir, ['Nell', 'Melanie', 'Who lives where'])).toEqual({});
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
    const operate = async (...args: string[]): Promise<void> => {
      const { status, stdout, stderr } = await runCommand(args, cluster.environment);
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    };

    it('keeps them over a replay, and erases them with their user', async () => {
      await correctNames(api.url, client);
      await expectCorrected(client);
      await operate('verify');
      await operate('replay', 'recall');
      await operate('verify');
      await expectCorrected(client);
      expectStatus(await client.request('DELETE', '/memory?user_id=ada'), 200);
      await operate('verify');
      for (const list of ['entities', 'sessions'])
        expect((await client.request('GET', `/memory/${list}?user_id=ada`)).body).toMatchObject({
          [list]: [],
        });
    }, 300_000);
  },
});
