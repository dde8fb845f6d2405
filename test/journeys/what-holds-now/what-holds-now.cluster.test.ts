import { afterAll, beforeAll, it } from 'vitest';
import { describeOnEngines, engineEnvironment } from '../../support/engines/engines.ts';
import type { Client } from '../../support/http/client.ts';
import { type Cluster, makeCluster } from '../../support/processes/cluster.ts';
import { STORIES } from './stories.ts';
import { check, tell } from './tell.ts';

describeOnEngines('what holds now, in the cluster', () => {
  let cluster: Cluster;
  let client: Client;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
    const [api] = await Promise.all([
      cluster.start('api'),
      cluster.start('projector'),
      cluster.start('enricher'),
    ]);
    client = await cluster.client(api);
    await Promise.all(STORIES.map((story, i) => tell(client, `story-${i}`, story)));
  }, 300_000);
  afterAll(() => cluster?.close());

  for (const [i, story] of STORIES.entries()) it(story.name, () => check(client, `story-${i}`, story));
});
