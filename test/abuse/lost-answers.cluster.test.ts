import { expect, it } from 'vitest';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import { untilReady } from '../support/until-ready.ts';
import { until } from '../support/wait.ts';
import { exchange, lostAnswer, refresh, withoutProjection } from './lost-answers.ts';

describeOnEngines('sessions of people', () => {
  const at = (time: string) => ({ environment: { TURNSTONE_CLOCK: time } });
  const inCluster = async (body: (cluster: Cluster) => Promise<void>): Promise<void> => {
    const cluster = await makeCluster(engineEnvironment(), { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '1000' });
    try {
      await body(cluster);
    } finally {
      await cluster.close();
    }
  };

  it('a refresh whose answer was lost can be repeated minutes later, one that was delivered can not', () =>
    inCluster(async cluster => {
      await cluster.start('projector');
      const early = await untilReady(cluster.start('api', at('2026-03-10T08:00:00Z')));
      await lostAnswer(early, cluster.apiKey, () =>
        untilReady(cluster.start('api', at('2026-03-10T08:05:00Z'))),
      );
    }));

  it('refresh and exchange wait for the log alone: without a projector sessions go on, on every instance', () =>
    inCluster(async cluster => {
      const projector = await cluster.start('projector');
      const api = await untilReady(cluster.start('api'));
      const other = await untilReady(cluster.start('api'));
      const first = await exchange(api.url, cluster.apiKey);
      await projector.kill();
      const { stolen } = await withoutProjection(api.url, cluster.apiKey, first, 2_000);
      await cluster.start('projector');
      await until('the other instance knows a stolen token', async () => {
        return (await refresh(other.url, stolen)).status === 401;
      });
      expect((await refresh(api.url, stolen)).status).toBe(401);
    }));
});
