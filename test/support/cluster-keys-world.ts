/** Key stores of the cluster on Redis and a log in memory, each over a namespace of its own. */
import { openLogKeyStore } from '../../infra/cluster/keys/key-store.ts';
import { decodeKey } from '../../infra/cluster/keys/record.ts';
import type { RedisClient, RedisPlace } from '../../infra/cluster/redis/client.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { readPages } from '../../services/core/log/read.ts';
import type { EventLog, NewRecord, SessionKey } from '../../services/core/ports.ts';
import { installationOf } from './installation-keys.ts';
import { type MemoryLog, memoryLog } from './memory-log.ts';
import { dropRedisKeys, makeNamespaces, redisContents } from './redis.ts';

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

/** The record that the log has of a key, to be appended once more: a late copy, by a process that was slow. */
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

/** For a suite: connects before it, and removes its keys after it. */
export const makeKeysWorld = (config: RedisPlace & Pick<ClusterConfig, 'namespace'>) => {
  let redis: RedisClient;
  const namespace = makeNamespaces(config, connected => {
    redis = connected;
  });
  const openStore = (name: string, log: EventLog, client = redis, installation = INSTALLATION) =>
    openLogKeyStore({ redis: client, namespace: name, log, installation });
  return {
    redis: () => redis,
    namespace,
    openStore,
    /** A namespace whose copy is complete. */
    fresh: async () => {
      const [name, log] = [namespace(), memoryLog()];
      await openStore(name, log).restore();
      return { name, log };
    },
    /** But for what is different in every copy. */
    contents: async (name: string) =>
      Object.fromEntries(
        Object.entries(await redisContents(redis, name)).filter(([key]) => !/:(copy|gone|files)$/.test(key)),
      ),
    wipe: (name: string): Promise<void> => dropRedisKeys(redis, name),
  };
};
