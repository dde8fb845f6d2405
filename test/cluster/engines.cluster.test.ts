import { createClient } from '@clickhouse/client';
import { Client } from '@elastic/elasticsearch';
import { expect, it, onTestFinished } from 'vitest';
import { connectKafka } from '../../infra/cluster/kafka/client/kafka-client.ts';
import { connectRedis } from '../../infra/cluster/redis/redis-client.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';

/** Tests that the suites' engines are what they are taken for, by the clients that the adapters use. */
describeOnEngines('the engines', () => {
  const config = clusterConfig();

  it('Kafka tells its clients addresses that they can reach', async () => {
    const admin = connectKafka(config).admin();
    await admin.connect();
    onTestFinished(() => admin.disconnect());
    const { brokers } = await admin.describeCluster();
    const advertised = brokers.map(({ host, port }) => `${host}:${port}`).sort();
    expect(advertised).toEqual([...config.kafkaBrokers].sort());
  });

  it('Elasticsearch is of the version that the client speaks', async () => {
    const client = new Client({ node: config.elasticsearchUrl });
    onTestFinished(() => client.close());
    expect((await client.info()).version.number).toMatch(/^[89]\./);
  });

  it('ClickHouse takes the credentials of its URL', async () => {
    const client = createClient({ url: config.clickhouseUrl });
    onTestFinished(() => client.close());
    const rows = await client.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' });
    expect(await rows.json()).toEqual([{ one: 1 }]);
  });

  it('Redis writes what it is told to its log', async () => {
    const redis = connectRedis(config);
    onTestFinished(() => {
      redis.disconnect();
    });
    await new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject));
    expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
  });
});
