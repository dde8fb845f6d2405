/**
 * A Redis Cluster under load: its slots move, and then one primary after the other dies and comes back with
 * its data, comes back empty, or is replaced by a replica that lacks the last writes. No acknowledged turn is
 * lost, none is billed twice, and none is missing from a recall.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { keysOfOrganization } from '../../infra/cluster/redis/key-names.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { describeWithRedis } from '../support/engines/own-redis.ts';
import {
  type ClusterNode,
  type RedisCluster,
  slotOf,
  startRedisCluster,
} from '../support/engines/redis-cluster.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import type { Server } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { surviveOutage, WRITES } from '../support/worlds/cluster-outage.ts';

const KEPT = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
const REBUILT = 'Redis was rebuilt from the log';

describeWithRedis('a Redis Cluster under load', () => {
  let servers: RedisCluster;
  let cluster: Cluster;
  let server: Server;
  beforeAll(async () => {
    servers = await startRedisCluster({ replicated: [keysOfOrganization('', 'acme')], settings: KEPT });
    cluster = await makeCluster({
      ...engineEnvironment(),
      TURNSTONE_REDIS_URL: servers.urls,
      TURNSTONE_REDIS_CLUSTER: 'yes',
      TURNSTONE_LOG_LEVEL: 'info',
    });
    server = await cluster.start('all');
  });
  afterAll(async () => {
    await server?.stop();
    await cluster?.close();
    const read = cluster && readConfig(cluster.environment);
    if (read?.ok) await dropNamespace(read.config.cluster!);
    await servers?.close();
  });

  const ofAcme = (): Promise<ClusterNode> => servers.ownerOf(keysOfOrganization(cluster.namespace, 'acme'));
  const rebuilds = (): number => server.stderr().split(REBUILT).length - 1;
  const rebuiltAfter = async (lose: () => Promise<unknown>): Promise<void> => {
    const before = rebuilds();
    await lose();
    await until('it is rebuilt', () => rebuilds() > before, 30_000);
    await until('ready', async () => (await fetch(`${server.url}/readyz`)).status === 200, 30_000);
    await servers.isWell();
  };

  it('costs seconds where a primary is lost, nothing where slots move, and no turn and no token', async () => {
    const { writes } = await surviveOutage(cluster, server, {
      prepare: async moreWrites => {
        const from = await ofAcme();
        const to = servers.primaries.find(one => one !== from)!;
        const first = slotOf(keysOfOrganization(cluster.namespace, 'acme'));
        const slots = Array.from({ length: 50 }, (_, n) => first + n - 25);
        const before = rebuilds();
        await servers.move(slots, from, to);
        await moreWrites();
        await servers.move(slots, to, from);
        expect(rebuilds()).toBe(before);
        await moreWrites();
      },
      outage: async () => {
        const replica = servers.replicas[0]!;
        const others = servers.primaries.filter(({ port }) => port !== replica.port);
        const owner = await ofAcme();
        for (const node of others.filter(one => one !== owner)) {
          await rebuiltAfter(async () => {
            await node.crash();
            if (node === others.at(-1)) node.wipe();
            await node.start();
          });
        }
        // The owner acknowledges writes after this, and loses them.
        await servers.cutReplication(replica);
        await rebuiltAfter(() => owner.crash());
        expect(await ofAcme()).toBe(replica);
      },
    });
    expect(writes).toBeGreaterThanOrEqual(4 * WRITES);
    expect(server.stderr()).not.toContain('Redis was repaired');
  });

  it('knows what it took before a primary was emptied', async () => {
    const client = await cluster.client(server);
    const turns = Array.from({ length: 8 }, (_, n) => ({
      turns: [{ role: 'user', text: `Bittern ${n}.`, timestamp: new Date(Date.now() - n).toISOString() }],
    }));
    for (const one of turns) expect((await client.ingest(one)).usage.tokens_in).toBeGreaterThan(0);
    const today = await client.today();
    await rebuiltAfter(async () => (await ofAcme()).redis.flushall());
    for (const one of turns) expect((await client.ingest(one)).usage.tokens_in).toBe(0);
    expect(await client.today()).toEqual(today);
  });
});
