import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { expectStatus, send } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { accountFloodTests, CAPS, type World } from './account-floods.ts';

describeInBothModes('account floods', {
  embedded: () => {
    describe('floods of accounts, embedded', () => {
      let server: Server;
      let world: World;
      beforeAll(async () => {
        server = await startServer({ environment: CAPS });
        world = { url: server.url, apiKey: server.apiKey };
      });
      afterAll(() => server?.stop());

      accountFloodTests(() => world);
    });

    const DAY_MS = 86_400_000;

    /** Rows of the projection of accounts. */
    const accountRows = (dataDir: string): { kinds: Record<string, number>; events: number } => {
      const database = new DatabaseSync(join(dataDir, 'projections-1.db'), { readOnly: true });
      const kinds = database.prepare('SELECT kind, count(*) AS n FROM account_documents GROUP BY kind').all();
      const events = database.prepare('SELECT count(*) AS n FROM account_events').get()!;
      database.close();
      return {
        kinds: Object.fromEntries(kinds.map(({ kind, n }) => [String(kind), Number(n)])),
        events: Number(events.n),
      };
    };

    test('what expired leaves the projections: used refresh tokens, revoked families and keys', async () => {
      const dataDir = temporaryFolder();
      const begin = Date.parse('2026-03-01T12:00:00Z');
      let server: Server;
      const at = async (day: number): Promise<string> => {
        server = await startServer({
          dataDir,
          environment: { TURNSTONE_CLOCK: new Date(begin + day * DAY_MS).toISOString() },
        });
        onTestFinished(() => server.kill());
        return server.url;
      };
      const post = <T>(url: string, path: string, body: object, token?: string) =>
        send<T>(url + path, 'POST', body, token);
      type Tokens = { access_token: string; refresh_token: string };

      let url = await at(0);
      const { apiKey } = server!;
      const exchange = async () =>
        expectStatus(await post<Tokens>(url, '/auth/token-exchange', { api_key: apiKey }), 200);
      const first = await exchange();
      const made = expectStatus(
        await post<{ id: string; api_key: string }>(
          url,
          '/me/api-keys',
          { name: 'short' },
          first.access_token,
        ),
        201,
      );
      let token = first.refresh_token;
      for (let i = 0; i < 30; i++)
        token = expectStatus(
          await post<Tokens>(url, '/auth/refresh', { refresh_token: token }),
          200,
        ).refresh_token;
      // The first one again: its family is revoked.
      expect((await post(url, '/auth/refresh', { refresh_token: first.refresh_token })).status).toBe(401);
      await send(`${url}/me/api-keys/${made.id}`, 'DELETE', undefined, first.access_token);
      const revoked = { api_key: made.api_key };
      expect((await post(url, '/auth/token-exchange', revoked)).status).toBe(403);
      const before = accountRows(dataDir);
      expect(before.kinds).toEqual({ organization: 1, api_key: 2, rotation: 30, family: 1 });
      expect(before.events).toBeGreaterThan(33);
      await server!.stop();

      url = await at(9);
      // Any event of accounts moves the projection's time on.
      await exchange();
      await until('what expired is gone', () => {
        const { kinds, events } = accountRows(dataDir);
        expect(kinds).toEqual({ organization: 1, api_key: 1 });
        expect(events).toBeLessThan(5);
        return true;
      });
      expect((await post(url, '/auth/token-exchange', revoked)).status).toBe(401);
      expect((await post(url, '/auth/refresh', { refresh_token: token })).status).toBe(401);
      const { access_token } = await exchange();
      expect((await send(`${url}/me/api-keys/${made.id}`, 'DELETE', undefined, access_token)).status).toBe(
        404,
      );
      await server!.stop();
    });
  },
  cluster: () => {
    let cluster: Cluster;
    let server: Server;
    let world: World;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), CAPS);
      server = await cluster.start('all');
      world = { url: server.url, apiKey: cluster.apiKey };
    });
    afterAll(async () => {
      await server?.stop();
      await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
    });

    accountFloodTests(() => world);
  },
});
