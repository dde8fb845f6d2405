/**
 * The primary of Redis dies under load, and Sentinels make a replica the primary, which lacks the last
 * writes: claims, counters and the tail. No acknowledged turn is lost, none is billed twice, and none is
 * missing from a recall.
 */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../support/engines/engine-urls.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { PASSWORD, PRIMARY, type Sentinels, startSentinels } from '../support/engines/guarded-redis.ts';
import { canStartRedis } from '../support/engines/own-redis.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import type { Server } from '../support/processes/server.ts';
import { surviveOutage, WRITES } from '../support/worlds/cluster-outage.ts';

const { urls } = inject('engines');

describeOnEngines('a failover of Redis', () => {
  let sentinels: Sentinels;
  let cluster: Cluster;
  let server: Server;
  beforeAll(async () => {
    if (!canStartRedis) return;
    sentinels = await startSentinels();
    cluster = await makeCluster({
      ...Object.fromEntries(ENGINES.map(name => [URL_VARIABLES[name], urls[name]!])),
      TURNSTONE_REDIS_URL: sentinels.urls,
      TURNSTONE_REDIS_PRIMARY: PRIMARY,
      TURNSTONE_REDIS_PASSWORD: PASSWORD,
      TURNSTONE_REDIS_SENTINEL_PASSWORD: PASSWORD,
      TURNSTONE_LOG_LEVEL: 'info',
    });
    server = await cluster.start('all');
  });
  afterAll(async () => {
    await server?.stop();
    await cluster?.close();
    const read = cluster && readConfig(cluster.environment);
    if (read?.ok) await dropNamespace(read.config.cluster!);
    await sentinels?.close();
  });

  it.skipIf(!canStartRedis)(
    'under load costs seconds, and no turn and no token',
    async () => {
      const { writes } = await surviveOutage(cluster, server, {
        // These writes are acknowledged, and all that they leave in Redis is lost.
        prepare: async moreWrites => {
          await sentinels.cutReplication();
          await moreWrites();
        },
        outage: sentinels.failOver,
      });
      expect(writes).toBeGreaterThanOrEqual(3 * WRITES);
      // The replica was another run of another server: what it lacked was read from the log.
      expect(server.stderr()).toContain('Redis was repaired from the log');
      expect(server.stderr()).not.toContain('Redis was rebuilt from the log');
    },
    200_000,
  );
});
