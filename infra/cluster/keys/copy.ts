import { createHash, randomUUID } from 'node:crypto';
import { unavailable } from '../../../services/core/errors.ts';
import type { RedisClient } from '../redis/client.ts';
import { keysOf } from '../redis/names.ts';
import { noteRemoval } from '../redis/own-files.ts';
import * as scripts from './copy-scripts.ts';
import { decodeKey, encodeKey, type LoggedKey } from './record.ts';

/** How long a destroyed key is remembered: longer than any append takes. */
const GONE_SECONDS = 24 * 60 * 60;
/** Records of a user that are looked at in one script: Redis does nothing else meanwhile. */
const SWEPT_AT_ONCE = 500;
/** Marks that are read at a time. */
const MARKS = 100;

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
  const { state, marks, pointer, hashes } = copyKeys(namespace);

  const drop = async (owner: string, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return;
    await noteRemoval(redis, namespace);
    await scripts.forget(redis, hashes(tagOf(owner)), ids);
    await Promise.all(ids.map(id => redis.unlink(pointer(id))));
  };
  /** Makes every process drop its cached keys. */
  const countDestroyed = async (): Promise<void> => {
    await scripts.countDestroyed(redis, [state], []);
  };

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
    /** Makes the key findable by its id. Call it before the key is proposed. */
    point: async ({ keyId, owner }: LoggedKey): Promise<void> => {
      await redis.set(pointer(keyId), tagOf(owner));
    },
    /** Of keys that Redis doesn't have. */
    unpoint: async (ids: readonly string[]): Promise<void> => {
      await Promise.all(ids.map(id => redis.unlink(pointer(id))));
    },
    read: async (keyId: string): Promise<{ key: LoggedKey; wrapping: LoggedKey | undefined } | undefined> => {
      const tag = await redis.get(pointer(keyId));
      if (tag === null) return undefined;
      const [value, wrapping] = (await scripts.read(redis, [hashes(tag)[1]!], [keyId])) as [string, string];
      if (value === '') return undefined;
      return { key: decodeKey(value), wrapping: wrapping === '' ? undefined : decodeKey(wrapping) };
    },
    /**
     * Returns the ids of a session's keys, including proposals and losers of races. New events no longer get them, nor what they
     * wrap.
     */
    condemn: async (owner: string, session: string): Promise<string[]> => {
      const ids = (await scripts.condemn(redis, hashes(tagOf(owner)), [GONE_SECONDS, session])) as string[];
      // Even if this process dies before the tombstones.
      await countDestroyed();
      return ids;
    },
    /** Does the same for the keys that an erasure names. */
    condemnIds: async (owner: string, ids: readonly string[]): Promise<void> => {
      await scripts.condemnSome(redis, hashes(tagOf(owner)), [GONE_SECONDS, ...ids]);
      await countDestroyed();
    },
    /** Returns the ids of a session's keys, including proposals and losers of races. */
    idsOf: async (owner: string, session: string): Promise<string[]> =>
      (await scripts.list(redis, hashes(tagOf(owner)), [session])) as string[],
    /** Marks a user's destroyed keys, until what they wrapped is swept. */
    mark: async (owner: string, ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await scripts.mark(redis, [marks], [owner, ...ids]);
    },
    /** Some of the marked keys, any, by owner; none when nothing is left to sweep. */
    marked: async (): Promise<Map<string, string[]>> => {
      const pairs = (await redis.hrandfield(marks, MARKS, 'WITHVALUES')) as string[];
      const found = new Map<string, string[]>();
      for (let i = 0; i < pairs.length; i += 2)
        found.set(pairs[i + 1]!, [...(found.get(pairs[i + 1]!) ?? []), pairs[i]!]);
      return found;
    },
    unmark: async (ids: readonly string[]): Promise<void> => {
      // A mark names the user.
      await noteRemoval(redis, namespace);
      await redis.hdel(marks, ...ids);
    },
    /** A page of the ids of the keys that these users' keys wrap; the next one begins at `next`, unless that is '0'. */
    wrappedBy: async (
      owner: string,
      ids: readonly string[],
      cursor: string,
    ): Promise<{ next: string; ids: string[] }> => {
      const values = [GONE_SECONDS, cursor, SWEPT_AT_ONCE, JSON.stringify(ids)];
      const [next, found] = (await scripts.wrappedBy(redis, hashes(tagOf(owner)), values)) as [
        string,
        string[],
      ];
      return { next, ids: found };
    },
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
      await drop(owner, ids);
      await countDestroyed();
    },
    /** Does the same for dead keys, which no process has cached any more. */
    forgetDead: drop,
    /** Marks the copy as incomplete. */
    begin: async (): Promise<void> => {
      await redis.hdel(state, 'id');
    },
    put: async (key: LoggedKey): Promise<void> => {
      await Promise.all([
        scripts.put(redis, hashes(tagOf(key.owner)), [key.session, key.keyId, encodeKey(key)]),
        scripts.point(redis, [pointer(key.keyId)], [tagOf(key.owner)]),
      ]);
    },
    /** Adds or replaces a key that the log has; false for one that was to be destroyed. */
    take: async (key: LoggedKey): Promise<boolean> => {
      const [taken] = await Promise.all([
        scripts.take(redis, hashes(tagOf(key.owner)), [key.session, key.keyId, encodeKey(key)]),
        scripts.point(redis, [pointer(key.keyId)], [tagOf(key.owner)]),
      ]);
      return taken === 1;
    },
    /** Marks the copy as complete, under a new id. */
    finish: async (): Promise<void> => {
      // Dead keys, and notes of their removal, were dropped with all that preceded a rebuild; a replica has files of its own.
      await noteRemoval(redis, namespace);
      await scripts.complete(redis, [state], [randomUUID()]);
    },
  };
};

/** Ids point to this digest of the owner, so that they don't reveal the owner. */
const tagOf = (owner: string): string => createHash('sha256').update(owner).digest('base64url').slice(0, 22);

const copyKeys = (namespace: string) => {
  const shared = `${keysOf(namespace)}sealing:`;
  return {
    state: `${shared}copy`,
    /** Ids of destroyed users' keys, each with its owner, until what they wrapped is swept. */
    marks: `${shared}unswept`,
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
