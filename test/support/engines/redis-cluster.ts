/** A Redis Cluster of a test's own: real servers to kill, wipe and fill, and slots to move. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Redis } from 'ioredis';
import { temporaryFolder } from '../processes/server.ts';
import { until } from '../wait.ts';
import { type ChildEngine, freePorts, startChild } from './child-engine.ts';

const SLOTS = 16_384;
/** Milliseconds after which the others count a server as lost. */
const PATIENCE_MS = 1_000;

export interface ClusterNode {
  port: number;
  busPort: number;
  url: string;
  /** A connection beside the service's. */
  redis: Redis;
  folder: string;
  id(): Promise<string>;
  /** kill -9. */
  crash(): Promise<void>;
  /** Starts it again; resolves when it has read its files. */
  start(): Promise<void>;
  /** Removes what it has on its disk, but not its place in the cluster. */
  wipe(): void;
}

export interface RedisCluster {
  primaries: ClusterNode[];
  replicas: ClusterNode[];
  /** Comma-separated: the first two primaries. */
  urls: string;
  /** The primary that serves the key, as the first server that answers sees it. */
  ownerOf(key: string): Promise<ClusterNode>;
  /** The three steps in which a slot moves: it is open, keys of it move, it is the other's. */
  beginMove(slot: number, from: ClusterNode, to: ClusterNode): Promise<void>;
  moveKeys(keys: readonly string[], from: ClusterNode, to: ClusterNode): Promise<void>;
  endMove(slot: number, from: ClusterNode, to: ClusterNode): Promise<void>;
  /** Moves slots with all their keys, as redis-cli does it. */
  move(slots: readonly number[], from: ClusterNode, to: ClusterNode): Promise<void>;
  /** Nothing more reaches the replica. */
  cutReplication(replica: ClusterNode): Promise<void>;
  /** Adds a primary without slots. */
  join(): Promise<ClusterNode>;
  isWell(): Promise<void>;
  close(): Promise<void>;
}

export const slotOf = (key: string): number => new Command('get', [key]).getSlot();

const beginMove = async (slot: number, from: ClusterNode, to: ClusterNode): Promise<void> => {
  await to.redis.cluster('SETSLOT', slot, 'IMPORTING', await from.id());
  await from.redis.cluster('SETSLOT', slot, 'MIGRATING', await to.id());
};

const moveKeys = async (keys: readonly string[], from: ClusterNode, to: ClusterNode): Promise<void> => {
  await from.redis.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5_000, 'KEYS', ...keys);
};

const endMove = async (slot: number, from: ClusterNode, to: ClusterNode): Promise<void> => {
  const target = await to.id();
  await to.redis.cluster('SETSLOT', slot, 'NODE', target);
  // A server that has given away its last slot may be a replica of the new owner by now.
  await from.redis.cluster('SETSLOT', slot, 'NODE', target).catch((error: Error) => {
    if (!error.message.includes('only with masters')) throw error;
  });
};

const startNode = async (
  port: number,
  busPort: number,
  settings: readonly string[],
): Promise<ClusterNode> => {
  const folder = temporaryFolder();
  let child: ChildEngine;
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => 50 });
  redis.on('error', () => {});
  const start = async (): Promise<void> => {
    mkdirSync(folder, { recursive: true });
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    const clustered = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
    const patience = ['--cluster-node-timeout', String(PATIENCE_MS)];
    child = startChild('redis-server', [...own, ...clustered, ...patience, ...settings], folder);
    if (redis.status === 'wait') await redis.connect().catch(() => {});
    await until('Redis answers', async () => (await redis.ping()) === 'PONG');
  };
  await start();
  return {
    port,
    busPort,
    url: `redis://127.0.0.1:${port}`,
    redis,
    folder,
    id: async () => String(await redis.cluster('MYID')),
    crash: () => child.kill(),
    start,
    wipe: () => rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true }),
  };
};

/** Three primaries. `replicated`: a key of each primary that has a replica. */
export const startRedisCluster = async ({
  replicated = [],
  settings = [],
}: {
  replicated?: readonly string[];
  settings?: readonly string[];
} = {}): Promise<RedisCluster> => {
  const nodes: ClusterNode[] = [];
  const add = async (many: number): Promise<ClusterNode[]> => {
    const ports = await freePorts(2 * many);
    const added = await Promise.all(
      Array.from({ length: many }, (_, n) => startNode(ports[2 * n]!, ports[2 * n + 1]!, settings)),
    );
    nodes.push(...added);
    return added;
  };
  const started = await add(3 + replicated.length);
  const [primaries, replicas] = [started.slice(0, 3), started.slice(3)];
  const first = primaries[0]!;
  for (const [n, { redis }] of primaries.entries()) {
    const edge = (at: number): number => Math.floor((at * SLOTS) / primaries.length);
    await redis.cluster('ADDSLOTSRANGE', edge(n), edge(n + 1) - 1);
  }
  const introduce = async (...those: readonly ClusterNode[]): Promise<void> => {
    for (const node of those) await node.redis.cluster('MEET', '127.0.0.1', first.port, first.busPort);
    await until('they know each other', async () => {
      const ids = await Promise.all(nodes.map(node => node.id()));
      const known = await Promise.all(nodes.map(({ redis }) => redis.cluster('NODES').then(String)));
      return known.every(text => !/handshake/.test(text) && ids.every(id => text.includes(id)));
    });
  };
  await introduce(...started.slice(1));
  for (const [n, replica] of replicas.entries()) {
    const followed = primaries[Math.floor((slotOf(replicated[n]!) * primaries.length) / SLOTS)]!;
    await replica.redis.cluster('REPLICATE', await followed.id());
    await until('the replica follows', async () =>
      /master_link_status:up/.test(await replica.redis.info('replication')),
    );
  }
  const isWell = async (): Promise<void> => {
    await until(
      'every slot is served',
      async () => {
        const alive = nodes.filter(({ redis }) => redis.status === 'ready');
        const said = await Promise.all(alive.map(({ redis }) => redis.cluster('INFO')));
        return said.every(text => /cluster_state:ok/.test(String(text)));
      },
      30_000,
    );
  };
  await isWell();
  return {
    primaries,
    replicas,
    urls: primaries
      .slice(0, 2)
      .map(({ url }) => url)
      .join(','),
    ownerOf: async key => {
      const asked = nodes.find(({ redis }) => redis.status === 'ready')!;
      const slot = slotOf(key);
      const ranges = await asked.redis.cluster('SLOTS');
      const [, , primary] = ranges.find(([from, to]) => from <= slot && slot <= to)!;
      return nodes.find(({ port }) => port === primary![1])!;
    },
    beginMove,
    moveKeys,
    endMove,
    move: async (slots, from, to) => {
      for (const slot of slots) {
        await beginMove(slot, from, to);
        for (;;) {
          const keys = (await from.redis.cluster('GETKEYSINSLOT', slot, 10)) as string[];
          if (keys.length === 0) break;
          await moveKeys(keys, from, to);
        }
        await endMove(slot, from, to);
      }
    },
    cutReplication: async ({ redis }) => {
      await redis.config('SET', 'masterauth', 'wrong');
      await redis.call('CLIENT', 'KILL', 'TYPE', 'master');
      await until('the link is down', async () =>
        /master_link_status:down/.test(await redis.info('replication')),
      );
    },
    join: async () => {
      const [node] = (await add(1)) as [ClusterNode];
      await introduce(node);
      await isWell();
      return node;
    },
    isWell,
    close: async () => {
      for (const { redis } of nodes) redis.disconnect();
      await Promise.all(nodes.map(({ crash }) => crash()));
    },
  };
};
