/** Key stores of the cluster on Redis and a log in memory, each over a namespace of its own. */

import { readPages } from '../../../core/log/read.ts';
import type { EventLog, NewRecord, SessionKey } from '../../../core/ports.ts';
import { makeKeyIndexer } from '../../../infra/cluster/keys/index/indexer.ts';
import type { KeyIndex } from '../../../infra/cluster/keys/index/key-index.ts';
import { type LogKeyStore, openLogKeyStore } from '../../../infra/cluster/keys/key-store.ts';
import { decodeKey } from '../../../infra/cluster/keys/record.ts';
import type { RedisClient, RedisConnection } from '../../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { memoryKeyIndex } from '../engines/memory-key-index.ts';
import { type MemoryLog, memoryLog } from '../engines/memory-log.ts';
import { dropRedisKeys, makeNamespaces, redisContents } from '../engines/redis.ts';
import { installationOf } from '../files/installation-keys.ts';

const INSTALLATION = installationOf(Buffer.alloc(32, 7));

/** A session's key, to compare with another. */
export const shown = ({ keyId, sealing, identity }: SessionKey) => ({
  keyId,
  sealing: sealing.export().toString('hex'),
  identity: identity.export().toString('hex'),
});

/** How many wrapped keys the topic `keys` holds: of each name the last record counts. */
export const keysStoredIn = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<number> => {
  const last = new Map<string, number>();
  for await (const { records } of readPages(log, { topics: ['keys'], to: await log.ends() }))
    for (const { name, value } of records) last.set(name!, value.length);
  return [...last.values()].filter(length => length > 0).length;
};

/** The record that the log has of a key, to append once more: a late copy, by a process that was slow. */
export const lateCopyOf = (log: Pick<MemoryLog, 'records'>, keyId: string): NewRecord => {
  const { value } = log.records('keys').find(({ name }) => name === keyId)!;
  const { owner } = JSON.parse(Buffer.from(value).toString()) as { owner: string };
  return { topic: 'keys', key: owner, name: keyId, value };
};

/** Each wrapped key that the log holds, in base64, by its owner's user. */
export const wrappedKeys = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  for await (const { records } of readPages(log, { topics: ['keys'], to: await log.ends() }))
    for (const { value } of records.filter(one => one.value.length > 0)) {
      const { owner, wrapped } = decodeKey(Buffer.from(value).toString());
      const user = (JSON.parse(owner) as [string, string])[1];
      found.set(user, [...(found.get(user) ?? []), Buffer.from(wrapped).toString('base64')]);
    }
  return found;
};

export const UNAVAILABLE = { code: 'unavailable' };

/** Reads the topic into the index, to its end. */
export const readIntoIndex = (log: EventLog, index: KeyIndex): Promise<number> =>
  makeKeyIndexer({ index, log, clock: Date.now }).catchUp();

/** A store whose sweeps find what was destroyed before: a projector reads it into the index meanwhile. */
export const sweptAtOnce = (keys: LogKeyStore, log: EventLog, index: KeyIndex): LogKeyStore => ({
  ...keys,
  sweep: async signal => {
    await readIntoIndex(log, index);
    const count = await keys.sweep(signal);
    await readIntoIndex(log, index);
    return count;
  },
});

/** For a suite: connects before it, removes its keys after it. Stores over the same log share its index. */
export const makeKeysWorld = (config: RedisConnection & Pick<ClusterConfig, 'namespace'>) => {
  let redis: RedisClient;
  const indices = new WeakMap<EventLog, KeyIndex>();
  const namespace = makeNamespaces(config, connected => {
    redis = connected;
  });
  const indexOf = (log: EventLog): KeyIndex => {
    const index = indices.get(log) ?? memoryKeyIndex();
    indices.set(log, index);
    return index;
  };
  const openStore = (name: string, log: EventLog, client = redis, installation = INSTALLATION) => {
    const index = indexOf(log);
    const keys = openLogKeyStore({ redis: client, namespace: name, log, index, installation });
    return sweptAtOnce(keys, log, index);
  };
  return {
    redis: () => redis,
    namespace,
    openStore,
    indexOf,
    /** Has the stores over this log use another index. */
    setIndex: (log: EventLog, index: KeyIndex): void => void indices.set(log, index),
    fresh: () => ({ name: namespace(), log: memoryLog() }),
    contents: (name: string) => redisContents(redis, name),
    wipe: (name: string): Promise<void> => dropRedisKeys(redis, name),
  };
};
