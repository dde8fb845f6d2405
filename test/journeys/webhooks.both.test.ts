import { afterAll, beforeAll, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { expectManaged, expectResumed, expectTakenOver, expectTold } from './webhooks.ts';

const environment = { TURNSTONE_WEBHOOKS_PRIVATE: 'yes' };
const TOLD = 'tell what is written and erased, signed and in the order of each session';
const RESUMED = 'are paused by a receiver that is gone, and go on without what was erased or hidden';
const OVER = 'are delivered by another process, once theirs has ended';
const MANAGED = 'are managed by the client and by commands';

describeInBothModes('webhooks', {
  embedded: () => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer({ environment });
    });
    afterAll(() => server?.stop());

    it(TOLD, () => expectTold(server));
    it(RESUMED, () => expectResumed(server));
    it(MANAGED, () => expectManaged(server));
  },
  cluster: () => {
    let cluster: Cluster;
    let apis: Server[];
    const world = () => ({ url: apis[0]!.url, apiKey: cluster.apiKey });
    beforeAll(async () => {
      cluster = await makeCluster(engineEnvironment(), environment);
      const [one, other] = await Promise.all([
        cluster.start('api'),
        cluster.start('api'),
        cluster.start('projector'),
        cluster.start('enricher'),
      ]);
      apis = [one, other];
    }, 300_000);
    afterAll(() => cluster?.close());

    it(TOLD, () => expectTold(world()));
    it(RESUMED, () => expectResumed(world()));
    it(MANAGED, () => expectManaged(world()));
    it(OVER, async () => {
      await expectTakenOver(world(), async () => {
        await Promise.all(apis.splice(0).map(api => api.kill()));
        apis.push(await cluster.start('api'));
        return world();
      });
    });
  },
});
