import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { settled } from '../support/http/client.ts';
import { type Cluster, makeCluster, type Role } from '../support/processes/cluster.ts';
import { until } from '../support/wait.ts';
import { answersAsOf } from '../support/worlds/as-of-journey.ts';
import { turn } from '../support/worlds/builders.ts';

describeOnEngines('recall as of an instant', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    const { kafkaBrokers, elasticsearchUrl, clickhouseUrl, redisUrl } = clusterConfig();
    cluster = await makeCluster({
      TURNSTONE_KAFKA_BROKERS: kafkaBrokers.join(','),
      TURNSTONE_ELASTICSEARCH_URL: elasticsearchUrl,
      TURNSTONE_CLICKHOUSE_URL: clickhouseUrl,
      TURNSTONE_REDIS_URL: redisUrl,
    });
  });
  afterAll(async () => {
    if (!cluster) return;
    await cluster.close();
    await dropNamespace(clusterConfig({ namespace: cluster.namespace }));
  });

  const start = async (role: Role, clock: string) => {
    const server = await cluster.start(role, { environment: { TURNSTONE_CLOCK: clock } });
    return {
      client: await cluster.client(server),
      url: server.url,
      apiKey: cluster.apiKey,
      settled: () => settled(server.url),
      stop: server.stop,
    };
  };

  it('answers with what it answered then', async () => {
    await answersAsOf(clock => start('all', clock));
  });

  it('takes no instant that a projector has not passed, until it has', async () => {
    const day = new Date(Date.now() + 96 * 3_600_000).toISOString().slice(0, 10);
    const early = await start('api', `${day}T08:00:00Z`);
    await early.client.ingest({ turns: [turn(50)], scope: { session_id: 'later' } });
    await early.stop();
    const late = await start('api', `${day}T12:00:00Z`);
    const asOf = async (time: string): Promise<number> => {
      const body = { scope: { org_id: 'any' }, q: 'ref50', as_of: `${day}T${time}Z` };
      return (await late.client.request('POST', '/recall', body)).status;
    };
    expect(await asOf('11:00:00')).toBe(422);
    expect(await asOf('08:00:00')).toBe(422);
    expect(await asOf('07:58:00')).toBe(200);
    const projector = await cluster.start('projector');
    await until('the projector has passed it', async () => (await asOf('11:00:00')) === 200);
    const { hits } = await late.client.recall({ q: 'ref50', as_of: `${day}T11:00:00Z` });
    expect(hits.turns[0]!.text).toContain('ref50');
    await projector.stop();
    await late.stop();
  });
});
