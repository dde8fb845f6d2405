/**
 * Redis' own TLS, with certificates made here, and its ACL: the whole service over them, and who is kept out.
 */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { connectRedis } from '../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { type Certificates, makeCertificates } from '../support/engines/certificates.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../support/engines/engine-urls.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import {
  aclOf,
  PASSWORD,
  type SecureRedis,
  startSecureRedis,
  USER,
} from '../support/engines/guarded-redis.ts';
import { canStartRedis } from '../support/engines/own-redis.ts';
import { metric } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { until } from '../support/wait.ts';

const { urls } = inject('engines');

describe.skipIf(!canStartRedis)("Redis' own security", () => {
  let certificates: Certificates;
  let redis: SecureRedis;
  beforeAll(async () => {
    certificates = makeCertificates();
    redis = await startSecureRedis(certificates, aclOf('test-*'));
  });
  afterAll(() => redis?.close());

  const variables = (): Record<string, string> => ({
    TURNSTONE_REDIS_URL: redis.url,
    TURNSTONE_REDIS_USER: USER,
    TURNSTONE_REDIS_PASSWORD: PASSWORD,
    TURNSTONE_REDIS_CA: certificates.ca,
    TURNSTONE_REDIS_CERT: certificates.clientCert,
    TURNSTONE_REDIS_KEY: certificates.clientKey,
  });

  /** Returns what a connection of this configuration meets: an answer, or why there is none. */
  const meets = async (changes: Record<string, string>): Promise<string> => {
    const read = readConfig({
      ...clusterVariables,
      ...variables(),
      ...changes,
    });
    if (!read.ok) throw new Error(read.faults.join('\n'));
    const { redisUrl, redis: connection } = read.config.cluster as ClusterConfig;
    let trouble = '';
    const client = connectRedis(
      { redisUrl, redis: connection },
      { onTrouble: error => (trouble = (error as Error).message) },
    );
    try {
      let answer = '';
      await until('it is answered or refused', async () => {
        answer = await client.set('test-a:one', '1').then(
          () => 'stored',
          (error: Error) => (error.message === 'Redis is unreachable.' ? '' : error.message),
        );
        return answer !== '' || trouble !== '';
      });
      return answer || trouble;
    } finally {
      client.disconnect();
    }
  };
  const clusterVariables = {
    TURNSTONE_MODE: 'cluster',
    TURNSTONE_KAFKA_BROKERS: 'unused:1',
    TURNSTONE_ELASTICSEARCH_URL: 'http://unused',
    TURNSTONE_CLICKHOUSE_URL: 'http://unused',
    TURNSTONE_INSTALLATION_KEY: import.meta.filename,
    TURNSTONE_SIGNING_KEYS: import.meta.filename,
  };

  it('lets in the user with its certificate', async () => {
    expect(await meets({})).toBe('stored');
    const inUrl = redis.url.replace('//', `//${USER}:${encodeURIComponent(PASSWORD)}@`);
    expect(
      await meets({ TURNSTONE_REDIS_URL: inUrl, TURNSTONE_REDIS_USER: '', TURNSTONE_REDIS_PASSWORD: '' }),
    ).toBe('stored');
  });

  it('keeps out strangers', async () => {
    expect(await meets({ TURNSTONE_REDIS_PASSWORD: 'hunter2' })).toContain('WRONGPASS');
    expect(await meets({ TURNSTONE_REDIS_CA: certificates.stranger })).toMatch(
      /unreachable \((UNABLE_TO|SELF_SIGNED)/,
    );
    expect(await meets({ TURNSTONE_REDIS_CERT: '', TURNSTONE_REDIS_KEY: '' })).not.toBe('stored');
  });

  describeOnEngines('the service', () => {
    let cluster: Cluster;
    afterAll(async () => {
      await cluster?.close();
      if (cluster) await dropNamespace(clusterConfig({ namespace: cluster.namespace }));
    });

    it('runs on it, with the documented rights on its own keys', async () => {
      const engines = Object.fromEntries(ENGINES.map(name => [URL_VARIABLES[name], urls[name]!]));
      cluster = await makeCluster({ ...engines, ...variables() });
      const server = await cluster.start('all');
      const client = await cluster.client(server);
      const [text, timestamp] = ['The samovar is brass.', new Date().toISOString()];
      await client.ingest({ turns: [{ role: 'user', text, timestamp }] });
      const { hits } = await client.recall({ q: 'What is brass?', kinds: ['turn'] });
      expect(hits.turns).toHaveLength(1);
      await until(
        'it is projected',
        async () => (await metric(server.url, 'turnstone_projector_lag_events')) === 0,
      );
      expect(server.stderr()).not.toMatch(/NOPERM|WRONGPASS/);
      await server.stop();
    });
  });
});
