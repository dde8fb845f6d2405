/**
 * No projector runs, so the tail of an organization grows until its writes are refused; then many recalls of
 * the whole organization read all of it at once. The process that answers them must not hold it once for each
 * of them.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { residentBytes } from '../../tools/bench/load/process.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { accessToken, settled } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { largestWrite } from './largest-writes.ts';

const MOST_RESIDENT = 1024 ** 3;
const RECALLS = rounds(8, 60);

describeOnEngines('a tail that nobody projects', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment());
  });
  afterAll(async () => {
    await cluster?.close();
    if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  it('is read by many recalls at once in bounded memory', { timeout: 400_000 }, async () => {
    const api = await cluster.start('api');
    const token = await accessToken(api.url, cluster.apiKey);
    const post = (path: string, body: string): Promise<Response> =>
      fetch(api.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body,
      });
    let status = 202;
    let writes = 0;
    for (; status === 202 && writes < 60; writes++)
      ({ status } = await post('/ingestion/memory', largestWrite('observations', writes)));
    expect(status).toBe(503);
    expect(writes).toBeGreaterThan(5);

    const recall = async (): Promise<number> => {
      const response = await post('/recall', JSON.stringify({ scope: { org_id: 'any' }, q: 'w1 t2 o3' }));
      await response.text();
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: RECALLS }, recall));
    expect(statuses.filter(one => one !== 200 && one !== 503)).toEqual([]);
    const resident = residentBytes(api.child.pid!);
    if (resident) expect(resident.most).toBeLessThan(MOST_RESIDENT);

    // Nothing of it is stuck: with a projector the organization writes again.
    const all = await cluster.start('all');
    await settled(all.url, 200_000);
    expect((await post('/ingestion/memory', largestWrite('observations', 1_000))).status).toBe(202);
    expect(await recall()).toBe(200);
  });
});
