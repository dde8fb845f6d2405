/** The gate before a Redis Cluster: it is open while no primary has lost anything, and slots may move. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRedis, type RedisGate } from '../../infra/cluster/redis/gate/gate.ts';
import { gateKeys } from '../../infra/cluster/redis/gate/gate-rebuild.ts';
import { connectionsOf, noteConnections, readMembers } from '../../infra/cluster/redis/gate/members.ts';
import { keysOfOrganization } from '../../infra/cluster/redis/key-names.ts';
import { connectRedis, type RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { canStartRedis } from '../support/engines/own-redis.ts';
import {
  type ClusterNode,
  type RedisCluster,
  slotOf,
  startRedisCluster,
} from '../support/engines/redis-cluster.ts';
import { until } from '../support/wait.ts';

if (!canStartRedis && process.env.CI) throw new Error('redis-server must be installed');

const KEPT = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];

/** A key of another primary than the gate's. */
const REPLICATED = '{t0}';

/**
 * Switched off by hand, each fails a test: the comparison of run ids, the marks, the list's newcomers, the
 * kill of others' connections, the policy of all servers but the first, and dropping on all but the first.
 */
describe.skipIf(!canStartRedis)('the gate before a Redis Cluster', () => {
  let servers: RedisCluster;
  let config: ClusterConfig;
  let key: (tag: string, name: string) => string;
  let marker: string;
  let rebuilds: number;
  let troubles: string[];
  const gates: RedisGate<{ number: number }>[] = [];
  beforeAll(async () => {
    servers = await startRedisCluster({ replicated: [REPLICATED], settings: KEPT });
  });
  afterAll(() => servers?.close());
  beforeEach(async () => {
    const plain = clusterConfig({ redisUrl: servers.urls });
    config = { ...plain, redis: { ...plain.redis, cluster: true } };
    key = (tag, name) => `${keysOfOrganization(config.namespace, tag)}${name}`;
    marker = gateKeys(config.namespace).marker;
    rebuilds = 0;
    troubles = [];
    await servers.isWell();
  });
  afterEach(() => {
    for (const gate of gates.splice(0)) gate.close();
  });

  const open = (rebuild = async (_inside: RedisClient): Promise<void> => {}) => {
    const gate = openRedis({
      config,
      rebuild: async inside => {
        await rebuild(inside);
        return { number: ++rebuilds };
      },
      onTrouble: error => void troubles.push((error as Error).message),
    });
    gates.push(gate);
    return gate;
  };
  const opened = async (...those: Parameters<typeof open>) => {
    const gate = open(...those);
    await gate.opened();
    return gate;
  };
  const rebuilt = (gate: RedisGate<unknown>, times: number): Promise<void> =>
    until(`it is rebuilt ${times} times`, () => rebuilds === times && gate.isOpen(), 20_000);
  /** A tag whose keys the primary has. */
  const tagOn = async (node: ClusterNode): Promise<string> => {
    for (let n = 0; ; n++) if ((await servers.ownerOf(key(`t${n}`, 'x'))) === node) return `t${n}`;
  };
  const other = (than: ClusterNode): ClusterNode => servers.primaries.find(node => node !== than)!;

  it('lets one of many rebuild all servers, and leaves the keys of other installations alone', async () => {
    const tags = await Promise.all(servers.primaries.map(tagOn));
    const hand = connectRedis(config);
    await new Promise<void>(resolve => hand.once('ready', resolve));
    await Promise.all(tags.map(tag => hand.set(key(tag, 'old'), '1')));
    const others = tags.map(tag => `${config.namespace}x:{${tag}}`);
    await Promise.all(others.map(name => hand.set(name, '1')));
    const all = Array.from({ length: 4 }, () =>
      open(async inside => {
        for (const tag of tags) {
          expect(await inside.exists(key(tag, 'old'))).toBe(0);
          await inside.set(key(tag, 'new'), 'yes');
        }
      }),
    );
    await expect(all[0]!.redis.get(key('a', 'b'))).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all(all.map(gate => gate.opened()));
    expect(rebuilds).toBe(1);
    for (const gate of all)
      expect(await Promise.all(tags.map(tag => gate.redis.get(key(tag, 'new'))))).toEqual([
        'yes',
        'yes',
        'yes',
      ]);
    expect(await Promise.all(others.map(name => hand.getdel(name)))).toEqual(['1', '1', '1']);
    hand.disconnect();
    expect(all[0]!.generation().runId.split(' ')).toHaveLength(3);
  });

  it('closes when one server restarts, says which one is missing, and rebuilds', async () => {
    const gate = await opened();
    const { epoch } = gate.generation();
    const home = await servers.ownerOf(marker);
    const replicated = await servers.ownerOf(REPLICATED);
    expect(replicated).not.toBe(home);
    for (const node of servers.primaries.filter(one => one !== replicated)) {
      const before = rebuilds;
      await node.crash();
      await until('it is closed', () => !gate.isOpen());
      await until('it says why', () => {
        try {
          gate.generation();
        } catch (error) {
          return (error as Error).message === `Redis at 127.0.0.1:${node.port} is unreachable.`;
        }
        return false;
      });
      await node.start();
      await rebuilt(gate, before + 1);
      await servers.isWell();
    }
    expect(gate.generation().epoch).not.toBe(epoch);
  });

  it('stays open while slots move between its servers, also that of the marker', async () => {
    const gate = await opened();
    const from = await servers.ownerOf(marker);
    const to = other(from);
    const tag = await tagOn(from);
    await gate.redis.set(key(tag, 'kept'), '1');
    let closed = 0;
    gate.redis.on('close', () => closed++);
    await servers.move([slotOf(key(tag, '')), slotOf(marker)], from, to);
    expect(await servers.ownerOf(marker)).toBe(to);
    await gate.confirm();
    expect(await gate.redis.get(key(tag, 'kept'))).toBe('1');
    const late = await opened();
    expect(await late.redis.get(key(tag, 'kept'))).toBe('1');
    expect([rebuilds, closed]).toEqual([1, 0]);
    await servers.move([slotOf(key(tag, '')), slotOf(marker)], to, from);
    expect(await gate.redis.get(key(tag, 'kept'))).toBe('1');
    expect([rebuilds, closed]).toEqual([1, 0]);
  });

  it('takes in a primary that joins without slots, and then its slots', async () => {
    const gate = await opened();
    const joined = await servers.join();
    await until(
      'it is listed',
      async () =>
        gate.isOpen() && gate.redis.get(marker).then(text => JSON.parse(text!).runId.split(' ').length === 4),
      20_000,
    );
    const from = servers.primaries[0]!;
    const tag = await tagOn(from);
    await gate.redis.set(key(tag, 'kept'), '1');
    await servers.move([slotOf(key(tag, ''))], from, joined);
    await gate.confirm();
    expect(await gate.redis.get(key(tag, 'kept'))).toBe('1');
    expect(rebuilds).toBe(1);
    // It has something to lose by now.
    await joined.crash();
    await joined.start();
    await rebuilt(gate, 2);
    await servers.move([slotOf(key(tag, ''))], joined, from);
  });

  it('closes when a server is emptied while its process goes on', async () => {
    const gate = await opened();
    const home = await servers.ownerOf(marker);
    const emptied = other(home);
    await emptied.redis.flushall();
    await rebuilt(gate, 2);
  });

  it('is closed while one server may delete what is needed', async () => {
    const gate = await opened();
    const node = other(await servers.ownerOf(marker));
    await node.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await until('it is closed', () => !gate.isOpen());
    await until('it says where', () => {
      try {
        gate.generation();
      } catch (error) {
        return (error as Error).message.startsWith(
          `Redis at 127.0.0.1:${node.port} has the maxmemory-policy allkeys-lru`,
        );
      }
      return false;
    });
    await node.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await until('it is open', () => gate.isOpen());
    expect(rebuilds).toBe(1);
  });

  it('ends the connections of everybody before it rebuilds, so that nothing of before arrives later', async () => {
    const gate = await opened();
    // The connection of a process that stands still: what it has sent to servers that were not lost may hang
    // in the network.
    const still = connectRedis(config, { once: true });
    await new Promise<void>(resolve => still.once('ready', resolve));
    const ended = new Promise(resolve => still.once('end', resolve));
    const connections = await connectionsOf(still, await readMembers(still));
    await noteConnections(still, gateKeys(config.namespace).connections, connections);
    await gate.redis.del(marker);
    await rebuilt(gate, 2);
    await ended;
    await expect(still.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('fails over to a replica, and rebuilds', async () => {
    const gate = await opened();
    const failing = await servers.ownerOf(REPLICATED);
    const tag = await tagOn(failing);
    await gate.redis.set(key(tag, 'kept'), '1');
    await failing.crash();
    await rebuilt(gate, 2);
    expect(await gate.redis.get(key(tag, 'kept'))).toBeNull();
    expect(await servers.ownerOf(key(tag, ''))).toBe(servers.replicas[0]);
    await failing.start();
    await servers.isWell();
  });
});
