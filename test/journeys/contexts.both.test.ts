import { afterAll, beforeAll, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { type SharedCluster, sharedCluster } from '../support/processes/shared-cluster.ts';
import { expectContexts } from './contexts.ts';

describeInBothModes('contexts', {
  embedded: () => {
    let server: Server;
    let client: Client;
    beforeAll(async () => {
      server = await startServer({});
      client = await connect(server);
    });
    afterAll(() => server?.stop());

    it('say what bears on a question, of the person that it asks about', () =>
      expectContexts(server.url, client));
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

    it('say what bears on a question, of the person that it asks about', () =>
      expectContexts(api.url, client));
  },
});
