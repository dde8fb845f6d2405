import { expect, it } from 'vitest';
import { METRICS } from '../../tools/observability/metrics.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { send } from '../support/http/client.ts';
import { sharedCluster } from '../support/processes/shared-cluster.ts';
import { scrapeOf } from '../support/promql.ts';

describeOnEngines('the metrics of the cluster', () => {
  it('are those of the list, of a process that answers calls', async () => {
    const { api } = await sharedCluster(engineEnvironment());
    const { types } = scrapeOf((await send<string>(`${api.url}/metrics`, 'GET')).body);
    const listed = METRICS.filter(({ where }) => ['everywhere', 'calls', 'cluster'].includes(where));
    expect([...types.keys()].filter(name => name.startsWith('turnstone_')).toSorted()).toEqual(
      listed.map(({ name }) => name).toSorted(),
    );
    for (const { name, type } of listed) expect(types.get(name), name).toBe(type);
  });
});
