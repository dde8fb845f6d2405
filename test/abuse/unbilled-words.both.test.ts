import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { unbilledOf, WAYS, writeMarked } from './unbilled-words.ts';

const check = async (url: string, client: Client): Promise<void> => {
  await writeMarked(client);
  await settled(url);
  const unbilled: object[] = [];
  for (const way of WAYS) unbilled.push(...(await unbilledOf(client, way)));
  expect(unbilled).toEqual([]);
};

describeInBothModes('words that nobody pays for', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer();
    });
    afterAll(() => server?.stop());

    it('gives back in a receipt only what the answer had', async () => {
      await check(server.url, await connect(server));
    });
  },
  cluster: () => {
    let cluster: SharedCluster;
    beforeAll(async () => {
      cluster = await sharedCluster(engineEnvironment());
    }, 300_000);
    afterAll(() => cluster?.close());

    it('gives back in a receipt only what the answer had', async () => {
      await check(cluster.api.url, cluster.owner);
    });
  },
});
