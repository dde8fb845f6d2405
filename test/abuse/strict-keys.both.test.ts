import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { connect, expectStatus } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { strictForAUser, strictKeysReach } from './strict-keys.ts';

describeInBothModes('strict keys', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.stop());

    test('a strict key with every role leaves its session in no operation', () =>
      strictKeysReach(server.url, server.apiKey));

    test('a strict key without a session stays with its user', () =>
      strictForAUser(server.url, server.apiKey));

    test('a key that manages keys can not revoke one that may more than itself', async () => {
      const { url, apiKey } = server;
      const owner = await connect({ url, apiKey });
      const newKey = async (roles: string[]) =>
        expectStatus(
          await owner.request<{ id: string; api_key: string }>('POST', '/me/api-keys', { name: 'n', roles }),
          201,
        );
      const thief = await connect({ url, apiKey: (await newKey(['keys:manage'])).api_key });
      const { api_keys } = expectStatus(
        await owner.request<{ api_keys: { id: string; roles: string[] }[] }>('GET', '/me/api-keys'),
        200,
      );
      const all = api_keys.find(({ roles }) => roles.includes('*'))!;
      expect((await thief.request('DELETE', `/me/api-keys/${all.id}`)).status).toBe(403);
      expect(
        (await thief.request('DELETE', `/me/api-keys/${(await newKey(['memory:read'])).id}`)).status,
      ).toBe(403);
      expect(
        (await thief.request('DELETE', `/me/api-keys/${(await newKey(['keys:manage'])).id}`)).status,
      ).toBe(204);
      expectStatus(await owner.request('GET', '/me'), 200);
    });
  },
  cluster: () => {
    let cluster: SharedCluster;
    let server: Server;
    beforeAll(async () => {
      cluster = await sharedCluster(engineEnvironment());
      server = cluster.api;
    });
    afterAll(() => cluster?.close());

    it('with every role leave their session in no operation', () =>
      strictKeysReach(server.url, cluster.apiKey));

    it('without a session stay with their user', () => strictForAUser(server.url, cluster.apiKey));
  },
});
