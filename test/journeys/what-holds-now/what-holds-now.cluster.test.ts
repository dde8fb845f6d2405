import { afterAll, beforeAll, it } from 'vitest';
import { describeOnEngines, engineEnvironment } from '../../support/engines/engines.ts';
import type { Client } from '../../support/http/client.ts';
import { type SharedCluster, sharedCluster } from '../../support/processes/shared-cluster.ts';
import { STORIES } from './stories.ts';
import { check, tell } from './tell.ts';

describeOnEngines('what holds now, in the cluster', () => {
  let cluster: SharedCluster;
  let client: Client;
  beforeAll(async () => {
    cluster = await sharedCluster(engineEnvironment());
    client = cluster.owner;
    await Promise.all(STORIES.map((story, i) => tell(client, `story-${i}`, story)));
  }, 300_000);
  afterAll(() => cluster?.close());

  for (const [i, story] of STORIES.entries()) it(story.name, () => check(client, `story-${i}`, story));
});
