import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { boundedMap } from '../../../core/caches/bounded-map.ts';
import type { InstallationKeys } from '../../../core/log/keys/installation-keys.ts';
import { ownerOf, PARTITION, sessionOf, unwrapKey } from '../../../core/log/keys/key-wrapping.ts';
import type { KeyStore, SessionKey, SharedLog } from '../../../core/ports.ts';
import type { RedisClient } from '../redis/redis-client.ts';
import { makeSharedLookup } from './by-id.ts';
import { openKeyCache } from './cache/cache.ts';
import { type KeyTrust, makeKeyTrust, TRUSTED_MS } from './cache/trust.ts';
import { makeDestroy } from './destroy.ts';
import { scopeKeysOf } from './fold-keys.ts';
import type { KeyIndex } from './index/key-index.ts';
import { makeLookup } from './lookup.ts';
import { makeReplace } from './replace.ts';
import { makeRewrap } from './rewrap.ts';
import { makePartitionKeys, makeSessionKeys } from './session-keys.ts';
import { makeSweep } from './sweep.ts';
import { makeTails } from './tails.ts';
import { usersOf } from './users.ts';

/** The ids of destroyed keys that a process remembers; they never come back. */
const DESTROYED = 50_000;

export interface LogKeyStoreOptions {
  redis: RedisClient;
  namespace: string;
  log: Pick<SharedLog, 'append' | 'read' | 'ends' | 'partitionOf'>;
  index: KeyIndex;
  installation: InstallationKeys;
  /** Unix milliseconds. */
  clock?: () => number;
}

export interface LogKeyStore extends KeyStore {
  /** Voids Redis's cached keys. Call it when Redis came back, perhaps without its latest writes. */
  beginAnew(): Promise<void>;
}

/**
 * Opens the store of sealing keys. The compacted topic `keys` is authoritative; an index finds keys by id and
 * by scope; Redis and each process cache those in use. The log's order alone decides a scope's keys
 * (fold-keys.ts).
 */
export const openLogKeyStore = (options: LogKeyStoreOptions): LogKeyStore => {
  const { redis, namespace, log, index, installation, clock = Date.now } = options;
  const cache = openKeyCache(redis, namespace);
  const trust = makeKeyTrust(cache);
  const lookup = makeLookup({ index, tails: makeTails(log), log, clock });
  const partitionKey = makePartitionKeys(installation, trust);
  const readOrMake = makeSessionKeys({ installation, partitionKey, cache, lookup, log, trust });
  const opened = trust.cache<KeyObject>();
  const destroyed = boundedMap<true>(DESTROYED);
  const readAndOpen: ReadOrMake = async (owner, session) => {
    const since = trust.generation();
    const key = await readOrMake(owner, session);
    // The next seal looks the key up by its id.
    opened.keep(key.keyId, key.sealing, since);
    return key;
  };
  const forSession = makeShared(readAndOpen, trust);
  const findById = makeSharedLookup(lookup);
  const { destroy, destroyKeys } = makeDestroy({ cache, lookup, log });
  const replace = makeReplace({ partitionKey, cache, lookup, log, trust });
  const forgetHere = async (): Promise<void> => {
    // Another process may have destroyed them a moment ago, while keys that they wrapped are cached here.
    trust.forget();
    await trust.trustAnew();
  };

  return {
    forSession: (org, user, session) => forSession.make(ownerOf(org, user), sessionOf(session)),
    has: async (org, user, session) => {
      const [owner, name] = [ownerOf(org, user), sessionOf(session)];
      if (await forSession.isHere(owner, name)) return true;
      if (await cache.ofScope(owner, name)) return true;
      const { living } = await lookup.ofScopes(owner, [PARTITION, name]);
      return scopeKeysOf(living, name).keys !== undefined;
    },
    byId: async keyId => {
      if (!trust.isTrusted()) await trust.trust();
      const known = opened.get(keyId);
      if (known) return known;
      if (destroyed.get(keyId)) return undefined;
      const since = trust.generation();
      const found = (await cache.byId(keyId)) ?? (await findById(keyId));
      if (!found?.wrapping) {
        destroyed.set(keyId, true);
        return undefined;
      }
      return opened.keep(keyId, unwrapKey(partitionKey(found.wrapping, since), found.key), since);
    },
    idsOf: async (org, user, session) => {
      const name = nameOf(session);
      const { living } = await lookup.ofScopes(ownerOf(org, user), [name]);
      return living.map(({ key }) => key.keyId);
    },
    sessionsOf: (org, user) => lookup.sessionsOf(ownerOf(org, user)),
    usersOf: org => usersOf({ index, lookup }, org),
    destroy: async (org, user, session) => {
      const ids = await destroy(ownerOf(org, user), nameOf(session));
      await forgetHere();
      // After this pause no other process uses one of them for new events.
      await pause(TRUSTED_MS);
      return ids;
    },
    replace: async (org, user, session) => {
      const ids = await replace(ownerOf(org, user), sessionOf(session));
      await forgetHere();
      await pause(TRUSTED_MS);
      return ids;
    },
    destroyKeys: async (keyIds, are) => {
      if (keyIds.length === 0) return;
      // Most keys that a replay passes are destroyed: it has looked them up to open the data that they
      // sealed.
      if (are === 'former' && keyIds.every(id => destroyed.get(id))) return;
      if (await destroyKeys(keyIds, are)) return forgetHere();
      for (const id of keyIds) {
        opened.delete(id);
        destroyed.set(id, true);
      }
    },
    sweep: makeSweep({ index, cache, log }),
    rewrap: makeRewrap({ installation, index, cache, lookup, log }),
    beginAnew: cache.beginAnew,
    close: async () => {},
  };
};

/** Returns the log's name for the keys of a session or, without one, for the user's own. */
const nameOf = (session: string | undefined): string =>
  session === undefined ? PARTITION : sessionOf(session);

type ReadOrMake = (owner: string, session: string) => Promise<SessionKey>;

/**
 * Reads a session's keys from this process's cache. Concurrent calls for one session share one read; an
 * owner's first call makes the partition's key, while the others wait.
 */
const makeShared = (readOrMake: ReadOrMake, trust: KeyTrust) => {
  const sessions = trust.cache<SessionKey>();
  /** Owners that already have a partition's key. */
  const owners = trust.cache<true>();
  const reading = trust.cache<Promise<SessionKey>>();
  const firstOfOwner = new Map<string, Promise<unknown>>();

  const make = async (owner: string, session: string, name: string): Promise<SessionKey> => {
    const since = trust.generation();
    const made = await readOrMake(owner, session);
    owners.keep(owner, true, since);
    return sessions.keep(name, made, since);
  };

  const makeInTurn = async (owner: string, session: string, name: string): Promise<SessionKey> => {
    const first = owners.get(owner) ? undefined : firstOfOwner.get(owner);
    if (first) await first;
    const made = make(owner, session, name);
    if (first || owners.get(owner)) return made;
    const done = (): void => {
      firstOfOwner.delete(owner);
    };
    firstOfOwner.set(owner, made.then(done, done));
    return made;
  };

  const makeOnce: ReadOrMake = async (owner, session) => {
    const name = `${owner}\n${session}`;
    if (!trust.isTrusted()) await trust.trust();
    const known = sessions.get(name) ?? reading.get(name);
    if (known) return known;
    const made = makeInTurn(owner, session, name);
    const done = (): void => {
      if (reading.get(name) === made) reading.delete(name);
    };
    reading.keep(name, made, trust.generation());
    made.then(done, done);
    return made;
  };

  return {
    make: makeOnce,
    /** Whether this process has the key, or is about to. */
    isHere: async (owner: string, session: string): Promise<boolean> => {
      if (!trust.isTrusted()) await trust.trust();
      const name = `${owner}\n${session}`;
      return (sessions.get(name) ?? reading.get(name)) !== undefined;
    },
  };
};
