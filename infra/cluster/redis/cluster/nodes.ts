/**
 * The Redis servers that take writes: a single server, alone or behind Sentinels, or every primary of a Redis
 * Cluster.
 */
import type { Redis } from 'ioredis';

export interface RedisNode {
  /** The server's id in the cluster; '' for a single server. */
  id: string;
  /** For messages. */
  name: string;
  /** A connection to this server alone. */
  redis: Redis;
}

export interface RedisNodes {
  /** Empty while there is no connection. */
  all: readonly RedisNode[];
  /** Returns the id of the server that has the key. */
  of(key: string): string | undefined;
  /** The ids of all servers that the client looked for when it connected. */
  known: ReadonlySet<string>;
}

const NODES = Symbol('nodes');

/** Registers the servers behind a client of several servers, for `nodesOf`. */
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
