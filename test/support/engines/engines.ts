/** The shared engines that the suites of the mode `cluster` run on; provide-engines.ts found them. */
import { randomBytes } from 'node:crypto';
import { describe, inject, it } from 'vitest';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { tellMissing } from './engine-urls.ts';

const { urls, missing } = inject('engines');

const ANYONE = { user: undefined, password: undefined };
const PLAIN = { ca: undefined, cert: undefined, key: undefined };

/** A configuration with a namespace that nobody else uses: suites share the engines. */
export const clusterConfig = (changes: Partial<ClusterConfig> = {}): ClusterConfig => ({
  namespace: `test-${randomBytes(5).toString('hex')}`,
  kafkaBrokers: (urls.kafka ?? '').split(','),
  kafka: { ...ANYONE, ...PLAIN, tls: false, sasl: 'none', tokenUrl: undefined, tokenScope: undefined },
  elasticsearchUrl: urls.elasticsearch ?? '',
  elasticsearch: { ...ANYONE, apiKey: undefined, ca: undefined },
  clickhouseUrl: urls.clickhouse ?? '',
  clickhouse: { ...ANYONE, ca: undefined },
  redisUrl: urls.redis ?? '',
  redis: {
    ...ANYONE,
    ...PLAIN,
    cluster: false,
    primary: undefined,
    sentinelUser: undefined,
    sentinelPassword: undefined,
  },
  partitions: 4,
  replication: 1,
  shards: 1,
  replicas: 0,
  usageRetentionDays: 0,
  installationKey: '',
  migrateAtStart: true,
  ...changes,
});

/** The variables that a process of the mode `cluster` finds them by. */
export const engineEnvironment = (): Record<string, string> => ({
  TURNSTONE_KAFKA_BROKERS: urls.kafka ?? '',
  TURNSTONE_ELASTICSEARCH_URL: urls.elasticsearch ?? '',
  TURNSTONE_CLICKHOUSE_URL: urls.clickhouse ?? '',
  TURNSTONE_REDIS_URL: urls.redis ?? '',
});

/** A suite that needs the engines: skipped where there are none, a failure where CI says there must be. */
export const describeOnEngines = (name: string, body: () => void): void => {
  const reasons = tellMissing({ missing });
  if (reasons && process.env.CI) throw new Error(`${name} can't run: ${reasons}`);
  // A suite that opens an engine while it is collected has none to open: its body isn't run at all.
  if (reasons === '') describe(name, body);
  else describe.skip(name, () => it(`needs engines: ${reasons}`, () => {}));
};
