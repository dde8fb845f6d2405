import { afterAll, beforeAll, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { wordsInFolder } from '../support/files/find-words.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { expectInstallation, expectScreened, SECRET_WORDS, setScreening } from './screening.ts';

const SETTING = 'is off until the organization sets it, which only the role * may';
const EVERYWHERE = 'replaces secrets in all that is stored, and says how many';
const INSTALLATION = "is the installation's where an organization has set nothing";

describeInBothModes('screening', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer({});
    });
    afterAll(() => server?.stop());

    it(SETTING, () => setScreening(server));
    it(EVERYWHERE, async () => {
      await expectScreened(server);
      // The files of a service that runs: the log and the index.
      const found = wordsInFolder(server.dataDir, SECRET_WORDS);
      if (Object.keys(found).length > 0) throw new Error(JSON.stringify(found));
    });
    it(INSTALLATION, async () => {
      const screening = await startServer({ environment: { TURNSTONE_SCREEN: 'secrets' } });
      try {
        await expectInstallation(screening);
      } finally {
        await screening.stop();
      }
    });
  },
  cluster: () => {
    let cluster: Cluster;
    let api: Server;
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), {});
      [api] = await Promise.all([
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
    }, 300_000);
    afterAll(() => cluster?.close());

    it(SETTING, () => setScreening({ url: api.url, apiKey: cluster.apiKey }));
    it(EVERYWHERE, () => expectScreened({ url: api.url, apiKey: cluster.apiKey }));
  },
});
