import { createHash, randomUUID } from 'node:crypto';
import { unavailable } from '../../../services/core/errors.ts';
import type { RedisClient } from '../redis/client.ts';
import { keysOf } from '../redis/names.ts';
import * as scripts from './copy-scripts.ts';
import { decodeKey, encodeKey, type LoggedKey } from './record.ts';

/** How long a destroyed key is remembered: longer than any append takes. */
const GONE_SECONDS = 24 * 60 * 60;

/** A key in Redis. */
export interface HeldKey {
  key: LoggedKey;
  /** Milliseconds since it was proposed, by Redis's clock; undefined once the log has acknowledged it. */
  proposedFor: number | undefined;
}

/** What Redis holds for a session. */
export interface View {
  partition: HeldKey | undefined;
  session: HeldKey | undefined;
  /** The key that wraps the session's key, if it isn't the partition's current key. */
  wrapping: HeldKey | undefined;
  /** Ids that were to be marked durable but were destroyed meanwhile. */
  destroyed: string[];
}

/** The version of the copy: `id` changes when the copy is rebuilt, `destroyed` when keys are destroyed. */
export interface CopyState {
  id: string;
  destroyed: string;
}

export type KeyCopy = ReturnType<typeof openKeyCopy>;

/** The copy of the topic `keys` in Redis: its content and each operation that changes it, without any policy. */
export const openKeyCopy = (redis: RedisClient, namespace: string) => {
  const { state, pointer, hashes } = copyKeys(namespace);

  return {
    /** Throws `unavailable` while the copy is incomplete: a missing key proves nothing then. */
    state: async (): Promise<CopyState> => {
      const [id, destroyed] = await redis.hmget(state, 'id', 'destroyed');
      if (!id) throw unavailable('The sealing keys are being read from the log.', undefined, 2);
      return { id, destroyed: destroyed ?? '' };
    },
    settle: async (
      owner: string,
      session: string,
      proposals: readonly LoggedKey[],
      durable: readonly string[],
    ): Promise<View> => {
      const proposed = proposals.map(key => ({
        session: key.session,
        keyId: key.keyId,
        under: key.under,
        value: encodeKey(key),
      }));
      const values = [session, JSON.stringify(proposed), JSON.stringify(durable)];
      return viewOf((await scripts.settle(redis, hashes(tagOf(owner)), values)) as SettleReply);
    },
    /** Makes the key findable by its id. Call it before the key is used, so that no reader meets an unknown id. */
    point: async ({ keyId, owner }: LoggedKey): Promise<void> => {
      await redis.set(pointer(keyId), tagOf(owner));
    },
    read: async (keyId: string): Promise<{ key: LoggedKey; wrapping: LoggedKey | undefined } | undefined> => {
      const tag = await redis.get(pointer(keyId));
      if (tag === null) return undefined;
      const [value, wrapping] = (await scripts.read(redis, [hashes(tag)[1]!], [keyId])) as [string, string];
      if (value === '') return undefined;
      return { key: decodeKey(value), wrapping: wrapping === '' ? undefined : decodeKey(wrapping) };
    },
    /** Returns the ids of a scope, including proposals and losers of races. New events no longer get them. */
    condemn: async (owner: string, session: string | undefined): Promise<string[]> => {
      const values = session === undefined ? [GONE_SECONDS] : [GONE_SECONDS, session];
      const ids = (await scripts.condemn(redis, hashes(tagOf(owner)), values)) as string[];
      // Make every process drop its cached keys, even if this one dies before the tombstones.
      await scripts.countDestroyed(redis, [state], []);
      return ids;
    },
    /** Does the same for the keys that an erasure names. */
    condemnIds: async (owner: string, ids: readonly string[]): Promise<void> => {
      await scripts.condemnSome(redis, hashes(tagOf(owner)), [GONE_SECONDS, ...ids]);
      await scripts.countDestroyed(redis, [state], []);
    },
    /** Returns the ids of a scope, including proposals and losers of races. */
    idsOf: async (owner: string, session: string | undefined): Promise<string[]> =>
      (await scripts.list(redis, hashes(tagOf(owner)), session === undefined ? [] : [session])) as string[],
    /** Condemns those of these keys that the log has not acknowledged, and returns their ids: nobody has used them. */
    withdraw: async (owner: string, ids: readonly string[]): Promise<string[]> =>
      (await scripts.withdraw(redis, hashes(tagOf(owner)), [GONE_SECONDS, ...ids])) as string[],
    /**
     * Replaces records of keys by others of the same ids; returns the ids that were to be destroyed. Throws `unavailable` when
     * others are missing: Redis may have lost them, so that proves nothing.
     */
    replace: async (owner: string, keys: readonly LoggedKey[]): Promise<string[]> => {
      const records = keys.flatMap(key => [key.keyId, encodeKey(key)]);
      const replaced = await scripts.replace(redis, hashes(tagOf(owner)), records);
      const [destroyed, missing] = replaced as [string[], string[]];
      if (missing.length > 0) throw unavailable('Redis lacks sealing keys that it had.');
      return destroyed;
    },
    /** Removes keys whose tombstones are in the log. */
    forget: async (owner: string, ids: readonly string[]): Promise<void> => {
      await scripts.forget(redis, hashes(tagOf(owner)), ids);
      await Promise.all(ids.map(id => redis.unlink(pointer(id))));
      await scripts.countDestroyed(redis, [state], []);
    },
    /** Marks the copy as incomplete. */
    begin: async (): Promise<void> => {
      await redis.hdel(state, 'id');
    },
    put: async (key: LoggedKey): Promise<void> => {
      await Promise.all([
        scripts.put(redis, hashes(tagOf(key.owner)), [key.session, key.keyId, encodeKey(key)]),
        redis.set(pointer(key.keyId), tagOf(key.owner)),
      ]);
    },
    /** Marks the copy as complete, under a new id. */
    finish: async (): Promise<void> => {
      await redis.hset(state, 'id', randomUUID());
    },
  };
};

/** Ids point to this digest of the owner, so that they don't reveal the owner. */
const tagOf = (owner: string): string => createHash('sha256').update(owner).digest('base64url').slice(0, 22);

const copyKeys = (namespace: string) => {
  const shared = `${keysOf(namespace)}sealing:`;
  return {
    state: `${shared}copy`,
    pointer: (keyId: string): string => `${shared}owner:${keyId}`,
    /** The keys of an owner, in the order in which the scripts expect them. */
    hashes: (tag: string): string[] =>
      ['slots', 'records', 'proposed', 'gone'].map(name => `${shared}{${tag}}:${name}`),
  };
};

/** Records ('' for none), each followed by its age in milliseconds (negative once durable); then destroyed ids. */
type SettleReply = [
  partition: string,
  age: number,
  session: string,
  age: number,
  wrapping: string,
  age: number,
  destroyed: string[],
];

const viewOf = (reply: SettleReply): View => {
  const [partition, partitionAge, session, sessionAge, wrapping, wrappingAge, destroyed] = reply;
  const held = (value: string, age: number): HeldKey | undefined =>
    value === '' ? undefined : { key: decodeKey(value), proposedFor: age < 0 ? undefined : age };
  return {
    partition: held(partition, partitionAge),
    session: held(session, sessionAge),
    wrapping: held(wrapping, wrappingAge),
    destroyed,
  };
};
