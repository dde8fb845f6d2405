import { afterAll, beforeAll, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { expectAskedTimes, expectDaysOfTheAsker, NOON } from './asked-times.ts';

describeInBothModes('asked times', {
  embedded: () => {
    let server: Server;
    let client: Client;
    beforeAll(async () => {
      server = await startServer({ environment: { TURNSTONE_CLOCK: NOON } });
      client = await connect(server);
    });
    afterAll(() => server?.stop());

    it('finds what was said at the time that a question names', () => expectAskedTimes(server.url, client));

    it('counts days where the question is asked', () => expectDaysOfTheAsker(server.url, client));
  },
  cluster: () => {
    let cluster: Cluster;
    let api: Server;
    let client: Client;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), { TURNSTONE_CLOCK: NOON });
      [api] = await Promise.all([
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
      client = await cluster.client(api);
    }, 300_000);
    afterAll(() => cluster?.close());

    it('finds what was said at the time that a question names', () => expectAskedTimes(api.url, client));

    it('counts days where the question is asked', () => expectDaysOfTheAsker(api.url, client));
  },
});
