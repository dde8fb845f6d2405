/** The shared engines that the suites of the mode `cluster` run on. */
import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import type { ClusterConfig } from '../../schemas/config.ts';

const urls = {
  kafka: process.env.TURNSTONE_KAFKA_BROKERS,
  elasticsearch: process.env.TURNSTONE_ELASTICSEARCH_URL,
  clickhouse: process.env.TURNSTONE_CLICKHOUSE_URL,
  redis: process.env.TURNSTONE_REDIS_URL,
};
const missing = Object.entries(urls).flatMap(([name, url]) => (url ? [] : [name]));

/** A configuration with a namespace that nobody else uses: suites share the engines. */
export const clusterConfig = (changes: Partial<ClusterConfig> = {}): ClusterConfig => ({
  namespace: `test-${randomBytes(5).toString('hex')}`,
  kafkaBrokers: (urls.kafka ?? '').split(','),
  elasticsearchUrl: urls.elasticsearch ?? '',
  clickhouseUrl: urls.clickhouse ?? '',
  redisUrl: urls.redis ?? '',
  partitions: 4,
  replication: 1,
  shards: 1,
  replicas: 0,
  usageRetentionDays: 0,
  installationKey: '',
  migrateAtStart: true,
  ...changes,
});

/** A suite that needs the engines: skipped where there are none, and a failure where CI says that there must be. */
export const describeOnEngines = (name: string, body: () => void): void => {
  if (missing.length > 0 && process.env.CI) throw new Error(`no ${missing.join(', no ')}: ${name} can't run`);
  describe.skipIf(missing.length > 0)(name, body);
};
