import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { InstallationKeys } from '../../../services/core/log/installation-keys.ts';
import { ownerOf, PARTITION, sessionOf, unwrapKey } from '../../../services/core/log/key-wrapping.ts';
import type { KeyStore, Positions, SessionKey, SharedLog } from '../../../services/core/ports.ts';
import type { RedisClient } from '../redis/client.ts';
import { catchUpKeys } from './catch-up.ts';
import { openKeyCopy } from './copy.ts';
import { condemnKeys, heldPages } from './held-keys.ts';
import { makeKeyLog } from './key-log.ts';
import { restoreKeys } from './restore.ts';
import { makeRewrap } from './rewrap.ts';
import { makePartitionKeys, makeSessionKeys } from './session-keys.ts';
import { makeSweep } from './sweep.ts';
import { type KeyTrust, makeKeyTrust, TRUSTED_MS } from './trust.ts';

export interface LogKeyStoreOptions {
  redis: RedisClient;
  namespace: string;
  log: Pick<SharedLog, 'append' | 'read' | 'ends'>;
  installation: InstallationKeys;
}

export interface LogKeyStore extends KeyStore {
  /**
   * Rebuilds the copy in Redis, whose keys were dropped, from the whole topic. Until it is done every call throws
   * `unavailable`.
   */
  restore(): Promise<void>;
  /**
   * Brings the copy that Redis came back with up to the log, of which it holds what lies below `from`. Until it is done every
   * call throws `unavailable`. Returns the number of records read.
   */
  catchUp(from: Positions, ends: Positions): Promise<number>;
}

/**
 * Sealing keys: the compacted topic `keys` is authoritative, Redis has a complete copy, and each process caches the keys
 * it uses. A new key is proposed in Redis (the first proposal for a scope wins), appended to the log, then marked durable
 * in Redis, and used only after all three steps: so every key in use is in the log, and a scope never has two. When the
 * process that proposed a key has died, the next process that needs the key appends it.
 */
export const openLogKeyStore = ({ redis, namespace, log, installation }: LogKeyStoreOptions): LogKeyStore => {
  const copy = openKeyCopy(redis, namespace);
  const trust = makeKeyTrust(copy);
  const keyLog = makeKeyLog(log, copy);
  const partitionKey = makePartitionKeys(installation, trust);
  const readOrMake = makeSessionKeys({ installation, partitionKey, copy, log: keyLog, trust });
  const opened = trust.cache<KeyObject>();
  const readAndOpen: ReadOrMake = async (owner, session) => {
    const since = trust.generation();
    const key = await readOrMake(owner, session);
    // What is sealed next is found by the key's id.
    opened.keep(key.keyId, key.sealing, since);
    return key;
  };
  const forSession = makeShared(readAndOpen, trust);

  return {
    forSession: (org, user, session) => forSession(ownerOf(org, user), sessionOf(session)),
    byId: async keyId => {
      if (!trust.isTrusted()) await trust.trust();
      const known = opened.get(keyId);
      if (known) return known;
      const since = trust.generation();
      const id = trust.copyId();
      const found = await copy.read(keyId);
      if (!found?.wrapping) {
        await trust.assertWholeSince(id);
        return undefined;
      }
      return opened.keep(keyId, unwrapKey(partitionKey(found.wrapping, since), found.key), since);
    },
    idsOf: async (org, user, session) => {
      const { id } = await copy.state();
      const ids = await copy.idsOf(ownerOf(org, user), nameOf(session));
      await trust.assertWholeSince(id);
      return ids;
    },
    destroy: async (org, user, session) => {
      const owner = ownerOf(org, user);
      const { id } = await copy.state();
      const ids = await copy.condemn(owner, nameOf(session));
      if (session === undefined) await copy.mark(owner, ids);
      await keyLog.destroy(owner, ids);
      // A copy that was rebuilt meanwhile may contain them again.
      await trust.assertWholeSince(id);
      await trust.trustAnew();
      // After this pause no other process uses one of them for new events.
      await pause(TRUSTED_MS);
      return ids;
    },
    destroyKeys: async keyIds => {
      const { id } = await copy.state();
      const found = (await Array.fromAsync(heldPages(copy, keyIds))).flat();
      for (const [owner, keys] of Map.groupBy(found, key => key.owner))
        await keyLog.destroy(owner, await condemnKeys(copy, owner, keys));
      await trust.assertWholeSince(id);
      if (keyIds.length === 0) return;
      // Another process may have destroyed them a moment ago, and what they wrapped is cached here.
      trust.forget();
      await trust.trustAnew();
    },
    sweep: makeSweep({ copy, keyLog, trust }),
    rewrap: makeRewrap({ installation, copy, log, keyLog, trust }),
    restore: () => restoreKeys(log, copy),
    catchUp: (from, ends) => catchUpKeys({ log, copy, keyLog }, from, ends),
    close: async () => {},
  };
};

/** The name under which the copy has the keys of a session or, without one, the user's own. */
const nameOf = (session: string | undefined): string =>
  session === undefined ? PARTITION : sessionOf(session);

type ReadOrMake = (owner: string, session: string) => Promise<SessionKey>;

/**
 * Reads a session's keys from this process's cache. Concurrent calls for one session share one read; an owner's first
 * call makes the partition's key, while the others wait instead of proposing their own.
 */
const makeShared = (readOrMake: ReadOrMake, trust: KeyTrust): ReadOrMake => {
  const sessions = trust.cache<SessionKey>();
  /** Owners that have a partition's key, so that no request has to make it first. */
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

  return async (owner, session) => {
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
};
