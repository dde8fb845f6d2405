/** The servers of Redis that take writes: one that stands alone or behind Sentinels, or every primary of a Redis Cluster. */
import type { Redis } from 'ioredis';

export interface RedisNode {
  /** In the cluster; '' for a server alone. */
  id: string;
  /** For messages. */
  name: string;
  /** A connection to this server alone. */
  redis: Redis;
}

export interface RedisNodes {
  /** None while there is no connection. */
  all: readonly RedisNode[];
  /** The id of the one that has the key. */
  of(key: string): string | undefined;
  /** The ids of all that the client looked for when it connected. */
  known: ReadonlySet<string>;
}

const NODES = Symbol('nodes');

/** Tells `nodesOf` what is behind a client of several servers. */
export const provideNodes = (client: Redis, nodes: () => RedisNodes): void => {
  Object.defineProperty(client, NODES, { value: nodes });
};

export const nodesOf = (client: Redis): RedisNodes => {
  const several = (client as { [NODES]?: () => RedisNodes })[NODES];
  return (
    several?.() ?? { all: [{ id: '', name: 'Redis', redis: client }], of: () => '', known: new Set(['']) }
  );
};

export const isCluster = (client: Redis): boolean => NODES in client;
