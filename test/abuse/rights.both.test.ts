import { afterAll, beforeAll, test } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { untilReady } from '../support/http/until-ready.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { everyRowWithEveryKind, expiryAndAddresses, keysOfOneUser, tableIsTheContract } from './rights.ts';
import { nothingIsTold } from './untold.ts';

const environment = {
  TURNSTONE_TRUSTED_PROXIES: '127.0.0.1,::1',
  TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000',
};

const suite = (start: () => Promise<{ url: string; apiKey: string; stop: () => Promise<unknown> }>) => () => {
  let server: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server?.stop());

  test('the table of rights is that of the contract', tableIsTheContract);

  test('every operation answers every kind of key as its row says', () =>
    everyRowWithEveryKind(server.url, server.apiKey));

  test('a key of one user handles the keys of that user alone', () =>
    keysOfOneUser(server.url, server.apiKey));

  test('a key is refused after its end and from foreign addresses, and so are its tokens', () =>
    expiryAndAddresses(server.url, server.apiKey));

  test('a key that may not read learns from no answer what is stored', () =>
    nothingIsTold(server.url, server.apiKey));
};

describeInBothModes('the table of rights', {
  embedded: suite(() => startServer({ environment })),
  cluster: suite(async () => {
    const cluster: Cluster = await makeCluster(engineEnvironment());
    const server: Server = await untilReady(cluster.start('all', { environment }));
    return { url: server.url, apiKey: cluster.apiKey, stop: () => cluster.close() };
  }),
});
