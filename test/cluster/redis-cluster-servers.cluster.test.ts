/**
 * Tests what concerns each server of a Redis Cluster by itself: its memory, its files, its users and its
 * certificates.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { noteRemoval, openOwnFiles } from '../../infra/cluster/redis/files/own-files.ts';
import { keysOfOrganization } from '../../infra/cluster/redis/key-names.ts';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import type { AdmissionBench } from '../contracts/openers/admission.ts';
import { openClusterAdmissionBench } from '../contracts/openers/cluster-admission.ts';
import { makeCertificates } from '../support/engines/certificates.ts';
import { freePorts } from '../support/engines/child-engine.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { aclOf, PASSWORD, startSecureRedis, USER } from '../support/engines/guarded-redis.ts';
import { canStartRedis } from '../support/engines/own-redis.ts';
import { openTestRedis } from '../support/engines/redis.ts';
import { type RedisCluster, startRedisCluster } from '../support/engines/redis-cluster.ts';
import { until } from '../support/wait.ts';
import { turnRecorded } from '../support/worlds/builders.ts';
import { asked } from '../support/worlds/cluster-admission-world.ts';

if (!canStartRedis && process.env.CI) throw new Error('redis-server must be installed');

const AOF = ['--appendonly', 'yes', '--auto-aof-rewrite-percentage', '0'];

describe.skipIf(!canStartRedis)('the servers of a Redis Cluster', () => {
  let servers: RedisCluster;
  let config: ClusterConfig;
  let redis: RedisClient;
  beforeAll(async () => {
    servers = await startRedisCluster({ settings: AOF });
    const plain = clusterConfig({ redisUrl: servers.urls });
    config = { ...plain, redis: { ...plain.redis, cluster: true } };
    redis = await openTestRedis(config);
  });
  afterAll(async () => {
    redis?.disconnect();
    await servers?.close();
  });

  it('refuse what is new for their own organizations alone', async () => {
    const bench: AdmissionBench = await openClusterAdmissionBench(config);
    const owner = await servers.ownerOf(keysOfOrganization(config.namespace, 'acme'));
    const other = servers.primaries.find(node => node !== owner)!;
    let neighbour = '';
    for (let n = 0; neighbour === ''; n++)
      if ((await servers.ownerOf(keysOfOrganization(config.namespace, `o${n}`))) === other)
        neighbour = `o${n}`;
    const used = Number(/^used_memory:(\d+)/m.exec(await owner.redis.info('memory'))![1]);
    await owner.redis.config('SET', 'maxmemory', Math.floor(1.1 * used));
    const turns = [turnRecorded(1)];
    await expect(bench.admission.admit(asked(turns))).rejects.toThrow('Redis is too full');
    expect((await bench.admission.admit(asked(turns, { org: neighbour }))).kind).toBe('admitted');
    await owner.redis.config('SET', 'maxmemory', 0);
    expect((await bench.admission.admit(asked(turns))).kind).toBe('admitted');
    await bench.close();
  });

  /**
   * Switched off by hand: own-files.ts asks the first server alone → the files of the others keep what was
   * removed.
   */
  it('all write their files anew after something was removed on any of them', async () => {
    const rewrites = (): Promise<number[]> =>
      Promise.all(
        servers.primaries.map(async node =>
          Number(/^aof_rewrites:(\d+)/m.exec(await node.redis.info('persistence'))![1]),
        ),
      );
    const before = await rewrites();
    const { namespace } = config;
    await noteRemoval(redis, namespace);
    const files = openOwnFiles({ redis, namespace, times: { settleMs: 100, gapMs: 100 } });
    await until('the files are free of it', () => files.look());
    expect(await rewrites()).toEqual(before.map(count => count + 1));
    expect(await files.look()).toBe(false);
  });

  it('are found and asked over TLS, with the certificate and the rights of the documentation', async () => {
    const certificates = makeCertificates();
    const [busPort] = await freePorts(1);
    const secure = await startSecureRedis(
      certificates,
      aclOf('test-*'),
      `user admin on >${PASSWORD} ~* +@all`,
      'cluster-enabled yes',
      'tls-cluster yes',
      `cluster-port ${busPort}`,
    );
    const connect = (changes: Record<string, string>): RedisClient => {
      const read = readConfig({
        TURNSTONE_MODE: 'cluster',
        TURNSTONE_KAFKA_BROKERS: 'unused:1',
        TURNSTONE_ELASTICSEARCH_URL: 'http://unused',
        TURNSTONE_CLICKHOUSE_URL: 'http://unused',
        TURNSTONE_INSTALLATION_KEY: import.meta.filename,
        TURNSTONE_SIGNING_KEYS: import.meta.filename,
        TURNSTONE_REDIS_URL: secure.url,
        TURNSTONE_REDIS_USER: USER,
        TURNSTONE_REDIS_PASSWORD: PASSWORD,
        TURNSTONE_REDIS_CA: certificates.ca,
        TURNSTONE_REDIS_CERT: certificates.clientCert,
        TURNSTONE_REDIS_KEY: certificates.clientKey,
        ...changes,
      });
      if (!read.ok) throw new Error(read.faults.join('\n'));
      return connectRedis(read.config.cluster!, {
        onTrouble: error => troubles.push((error as Error).message),
      });
    };
    const troubles: string[] = [];
    const admin = connect({ TURNSTONE_REDIS_USER: 'admin' });
    await new Promise<void>(resolve => admin.once('ready', resolve));
    await admin.cluster('ADDSLOTSRANGE', 0, 16_383);
    const ours = connect({ TURNSTONE_REDIS_CLUSTER: 'yes' });
    const stranger = connect({ TURNSTONE_REDIS_CLUSTER: 'yes', TURNSTONE_REDIS_PASSWORD: 'hunter2' });
    try {
      await new Promise<void>(resolve => ours.once('ready', resolve));
      await until('slots are served', () => ours.set('test-a:one', '1').then(() => true));
      expect(await ours.get('test-a:one')).toBe('1');
      await expect(ours.get('other')).rejects.toThrow('NOPERM');
      await until('the stranger is kept out', () => troubles.some(one => one.includes('WRONGPASS')));
    } finally {
      for (const client of [admin, ours, stranger]) client.disconnect();
      await secure.close();
    }
  });
});
