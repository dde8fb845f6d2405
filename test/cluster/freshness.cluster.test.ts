import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Freshness } from '../../schemas/http/parts.ts';
import { turn } from '../support/builders.ts';
import type { Client } from '../support/client.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { until } from '../support/wait.ts';

const LISTS = ['users', 'sessions', 'turns', 'observations', 'entities', 'facts'];

describeOnEngines('how far the index is, in the cluster', () => {
  let cluster: Cluster;
  let client: Client;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
    // Without a projector, what is acknowledged stays in the tail.
    client = await cluster.client(await cluster.start('api'));
  }, 120_000);
  afterAll(() => cluster?.close());

  /** Of a recall and of each list, for one user. */
  const freshness = async (user: string): Promise<Map<string, Freshness>> => {
    const told = new Map<string, Freshness>();
    const { freshness } = await client.recall({ scope: { user_id: user }, q: 'what was planted?' });
    told.set('recall', freshness);
    for (const list of LISTS) {
      const query = list === 'users' ? '' : `?user_id=${user}`;
      told.set(
        list,
        (await client.request<{ freshness: Freshness }>('GET', `/memory/${list}${query}`)).body.freshness,
      );
    }
    return told;
  };

  it('tells what is read from the tail and since when, and that nothing is once it is indexed', async () => {
    const before = Date.now();
    await client.ingest({ scope: { user_id: 'ada' }, turns: [turn(1), turn(2)] });
    const acknowledged = Date.now();
    await client.ingest({ scope: { user_id: 'ada' }, turns: [turn(3)] });

    for (const [what, { indexed_until, from_tail }] of await freshness('ada')) {
      expect.soft(from_tail, what).toBe(3);
      expect.soft(Date.parse(indexed_until), what).toBeGreaterThanOrEqual(before);
      expect.soft(Date.parse(indexed_until), what).toBeLessThanOrEqual(acknowledged);
    }
    const asked = Date.now();
    for (const [what, { indexed_until, from_tail }] of await freshness('ben')) {
      // A list of users is of all of them.
      expect.soft(from_tail, what).toBe(what === 'users' ? 3 : 0);
      if (what !== 'users') expect.soft(Date.parse(indexed_until), what).toBeGreaterThanOrEqual(asked);
    }

    await cluster.start('projector');
    await until('the tail is empty', async () =>
      [...(await freshness('ada')).values()].every(({ from_tail }) => from_tail === 0),
    );
    const then = Date.now();
    for (const [what, { indexed_until }] of await freshness('ada'))
      expect.soft(Date.parse(indexed_until), what).toBeGreaterThanOrEqual(then);
  }, 120_000);
});
