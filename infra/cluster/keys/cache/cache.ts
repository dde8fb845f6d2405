import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../../../core/time.ts';
import { noteRemoval } from '../../redis/files/own-files.ts';
import { keysOf } from '../../redis/key-names.ts';
import type { RedisClient } from '../../redis/redis-client.ts';
import type { ScopeKeys } from '../fold-keys.ts';
import { decodeKey, encodeKey, type LoggedKey, sessionTagOf, tagOf } from '../record.ts';
import * as scripts from './cache-scripts.ts';

/** How long an unused key stays. */
const USED_SECONDS = 60 * 60;
/** A key in use is renewed once in this time. */
const RENEWED_MS = HOUR_MS / 3;
/** How long a destroyed key is remembered: longer than any call that read it earlier. */
const GONE_SECONDS = 24 * 60 * 60;
/** How long a call may still hold a former record: calls end within 30 s. */
const CALL_SECONDS = 60;
/** The number of commands sent together. */
const AT_ONCE = 500;

/** A key and the offset of its latest known record. */
export interface RecordedKey {
  key: LoggedKey;
  offset: number;
}

/** `id` changes when Redis may have lost data, `destroyed` when keys are destroyed. */
export interface CacheState {
  id: string;
  destroyed: string;
}

export type KeyCache = ReturnType<typeof openKeyCache>;

/** Caches the keys in use in Redis. A missing key is found in the index, so nothing depends on the cache. */
export const openKeyCache = (redis: RedisClient, namespace: string) => {
  const names = namesOf(namespace);

  const state = async (): Promise<CacheState> => {
    const [id, destroyed] = (await scripts.readState(redis, [names.state], [randomUUID()])) as [
      string,
      string | null,
    ];
    return { id, destroyed: destroyed ?? '' };
  };
  const read = async (tag: string, ids: readonly string[]): Promise<(RecordedKey | undefined)[]> => {
    const values = await redis.mget(...ids.map(id => names.key(tag, id)));
    return values.map(value => (value === null ? undefined : recordedIn(value)));
  };
  const pointers = async (ids: readonly string[]): Promise<Map<string, { tag: string; under: string }>> => {
    const found = new Map<string, { tag: string; under: string }>();
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const page = ids.slice(at, at + AT_ONCE);
      const values = await Promise.all(page.map(id => redis.get(names.pointer(id))));
      for (const [i, value] of values.entries()) {
        if (value === null) continue;
        const [tag, under] = value.split(' ') as [string, string];
        found.set(page[i]!, { tag, under });
      }
    }
    return found;
  };
  /** Removes the cached values of keys with one tag; `isMarked`: for good. */
  const removeTagged = async (
    tag: string,
    { ids, scopes = [] }: { ids: readonly string[]; scopes?: readonly string[] },
    isMarked: boolean,
  ): Promise<void> => {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const page = ids.slice(at, at + AT_ONCE);
      const marks = isMarked ? page.map(id => names.gone(tag, id)) : [];
      const cached = page.map(id => names.key(tag, id));
      const its = scopes.slice(at, at + AT_ONCE).map(session => names.scope(tag, session));
      await scripts.remove(redis, [...marks, ...cached, ...its], [GONE_SECONDS, marks.length]);
      await Promise.all(page.map(id => redis.unlink(names.pointer(id))));
    }
  };
  const removeKeys = async (keys: readonly LoggedKey[], isMarked: boolean): Promise<void> => {
    if (keys.length === 0) return;
    await noteRemoval(redis, namespace);
    for (const [owner, its] of Map.groupBy(keys, key => key.owner))
      await removeTagged(
        tagOf(owner),
        {
          ids: its.map(({ keyId }) => keyId),
          scopes: its.map(({ session }) => sessionTagOf(owner, session)),
        },
        isMarked,
      );
  };

  return {
    state,
    /** Returns a scope's cached keys under the cache's present id; `isDue`: they must be renewed. */
    ofScope: async (
      owner: string,
      session: string,
    ): Promise<{ keys: ScopeKeys; isDue: boolean } | undefined> => {
      const tag = tagOf(owner);
      // Sent together on one connection, so that no failover comes between the two.
      const [id, value] = await Promise.all([
        redis.hget(names.state, 'id'),
        redis.get(names.scope(tag, sessionTagOf(owner, session))),
      ]);
      if (value === null) return undefined;
      const [cacheId, at, ...ids] = value.split(' ') as [string, string, string, string, string];
      if (cacheId !== id) return undefined;
      const [found, wrapping, user] = await read(tag, ids);
      if (!found || !wrapping || !user) return undefined;
      const keys = { session: found.key, wrapping: wrapping.key, user: user.key };
      return { keys, isDue: Date.now() - Number(at) > RENEWED_MS };
    },
    byId: async (keyId: string): Promise<{ key: LoggedKey; wrapping: LoggedKey | undefined } | undefined> => {
      const { tag, under } = (await pointers([keyId])).get(keyId) ?? {};
      if (!tag) return undefined;
      const [found, wrapping] = await read(tag, under ? [keyId, under] : [keyId]);
      if (!found || (under && !wrapping)) return undefined;
      return { key: found.key, wrapping: wrapping?.key };
    },
    /** Caches a scope's keys, unless one was destroyed recently or the cache's id is no longer `id`. */
    keep: async (keys: ScopeKeys, offsetOf: (key: LoggedKey) => number, id: string): Promise<void> => {
      const { owner, session } = keys.session;
      const tag = tagOf(owner);
      const all = [keys.session, keys.wrapping, keys.user];
      const distinct = [...new Map(all.map(key => [key.keyId, key])).values()];
      await Promise.all(
        distinct.map(({ keyId, under }) =>
          redis.set(names.pointer(keyId), `${tag} ${under}`, 'EX', USED_SECONDS),
        ),
      );
      if ((await state()).id !== id) return;
      await scripts.keep(
        redis,
        [
          names.scope(tag, sessionTagOf(owner, session)),
          ...distinct.map(({ keyId }) => names.key(tag, keyId)),
          ...distinct.map(({ keyId }) => names.gone(tag, keyId)),
        ],
        [
          USED_SECONDS,
          scopeValue(id, keys),
          ...distinct.map(key => valueOfKey({ key, offset: offsetOf(key) })),
        ],
      );
      // A failover in between may have forgotten the marks.
      if ((await state()).id !== id) await removeKeys(distinct, false);
    },
    /** Extends the life of cached keys, as if they were cached now. */
    renew: async (keys: ScopeKeys, id: string): Promise<void> => {
      const { owner, session } = keys.session;
      const tag = tagOf(owner);
      const ids = [...new Set([keys.session, keys.wrapping, keys.user].map(({ keyId }) => keyId))];
      const scope = names.scope(tag, sessionTagOf(owner, session));
      await Promise.all([
        scripts.renew(
          redis,
          [scope, ...ids.map(one => names.key(tag, one))],
          [USED_SECONDS, scopeValue(id, keys)],
        ),
        ...ids.map(one => redis.expire(names.pointer(one), USED_SECONDS)),
      ]);
    },
    /** Removes keys for good: they are not cached again. */
    remove: (keys: readonly LoggedKey[]): Promise<void> => removeKeys(keys, true),
    /** Removes keys without marks: nobody caches them, since the key that wraps them is destroyed. */
    removeDead: (keys: readonly LoggedKey[]): Promise<void> => removeKeys(keys, false),
    /** Removes for good all values cached by these ids; returns whether there may have been any. */
    removeByIds: async (ids: readonly string[]): Promise<boolean> => {
      const found = await pointers(ids);
      if (found.size === 0) return false;
      await noteRemoval(redis, namespace);
      for (const [tag, its] of Map.groupBy(found, ([, { tag }]) => tag))
        await removeTagged(tag, { ids: its.map(([id]) => id) }, true);
      return true;
    },
    /** Replaces former records of a user's keys. */
    replace: async (owner: string, keys: readonly RecordedKey[]): Promise<void> => {
      const tag = tagOf(owner);
      const held = keys.map(({ key }) => names.key(tag, key.keyId));
      await scripts.replace(redis, held, [CALL_SECONDS, ...keys.map(valueOfKey)]);
    },
    /** Returns the cached records of these keys, which may be former ones. */
    recordsOf: async (keys: readonly LoggedKey[]): Promise<(LoggedKey | undefined)[]> => {
      const values = await Promise.all(
        keys.map(({ owner, keyId }) => redis.get(names.key(tagOf(owner), keyId))),
      );
      return values.map(value => (value === null ? undefined : recordedIn(value).key));
    },
    /** Makes every process drop its cached keys. */
    countDestroyed: async (): Promise<void> => {
      await scripts.countDestroyed(redis, [names.state], []);
    },
    /** Voids all cached scopes: Redis may have forgotten a destruction. */
    beginAnew: async (): Promise<void> => {
      await scripts.beginAnew(redis, [names.state], [randomUUID()]);
    },
  };
};

const namesOf = (namespace: string) => {
  const prefix = `${keysOf(namespace)}keys:`;
  const tagged = (tag: string, kind: string, name: string): string => `${prefix}{${tag}}:${kind}:${name}`;
  return {
    state: `${prefix}state`,
    /** Names the pointer from an id to its owner's slot; doesn't reveal the owner's name. */
    pointer: (keyId: string): string => `${prefix}id:${keyId}`,
    key: (tag: string, keyId: string): string => tagged(tag, 'key', keyId),
    scope: (tag: string, session: string): string => tagged(tag, 'scope', session),
    gone: (tag: string, keyId: string): string => tagged(tag, 'gone', keyId),
  };
};

const scopeValue = (id: string, { session, wrapping, user }: ScopeKeys): string =>
  [id, Date.now(), session.keyId, wrapping.keyId, user.keyId].join(' ');

const valueOfKey = ({ key, offset }: RecordedKey): string => `${offset} ${encodeKey(key)}`;

const recordedIn = (value: string): RecordedKey => {
  const at = value.indexOf(' ');
  return { offset: Number(value.slice(0, at)), key: decodeKey(value.slice(at + 1)) };
};
