import type { KeyObject } from 'node:crypto';
import { boundedMap } from '../../../services/core/bounded-map.ts';
import { type InstallationKeys, unwrapUserKey } from '../../../services/core/log/installation-keys.ts';
import { ownerOf, PARTITION, sessionOf, unwrapKey } from '../../../services/core/log/key-wrapping.ts';
import type { KeyStore, SessionKey } from '../../../services/core/ports.ts';
import type { WriterConnection } from '../log/event-log.ts';
import { type KeyReader, openKeyReader } from './key-database.ts';
import { makeRewrap } from './rewrap.ts';
import { makeSessionKeys } from './session-keys.ts';

const CACHED = 20_000;

/**
 * Sealing keys: one per session, wrapped by its user partition's key, which is wrapped by the installation's key. Each
 * thread has its own store over the same file; new keys are made in the writer thread's commit, before any event uses
 * them.
 */
export const openKeyStore = (
  path: string,
  installation: InstallationKeys,
  writer: WriterConnection,
): KeyStore => {
  const stored = openKeyReader(path);
  const sessionKeys = makeSessionKeys({ installation, stored, writer });
  // Keys never change, so an entry is valid until it is destroyed.
  const sessions = boundedMap<Promise<SessionKey>>(CACHED);
  const opened = boundedMap<KeyObject>(CACHED);
  const forgetSessions = (): void => {
    sessions.clear();
    sessionKeys.forget();
  };
  const forget = (): void => {
    forgetSessions();
    opened.clear();
  };
  // Called when any thread destroys keys.
  const stopListening = writer.onDestroyed(forget);

  return {
    forSession: (org, user, session) => {
      const owner = ownerOf(org, user);
      const name = `${owner}\n${session}`;
      const known = sessions.get(name);
      if (known) return known;
      const made = sessions.set(name, sessionKeys.get(owner, sessionOf(session)));
      // A failure isn't cached: the next call tries again.
      made.catch(forgetSessions);
      return made;
    },
    byId: async keyId => {
      const known = opened.get(keyId);
      if (known) return known;
      const key = unwrapStored(stored, installation, keyId);
      return key && opened.set(keyId, key);
    },
    idsOf: async (org, user, session) =>
      stored.idsOf(ownerOf(org, user), session === undefined ? undefined : sessionOf(session)),
    destroy: async (org, user, session) => {
      const destroyed = await writer.destroy({
        owner: ownerOf(org, user),
        session: session === undefined ? undefined : sessionOf(session),
      });
      forget();
      return destroyed;
    },
    destroyKeys: async keyIds => {
      // Another thread may have just destroyed them, and its message may not have arrived yet.
      for (const keyId of keyIds) opened.delete(keyId);
      // A replay reads every past erasure, whose keys were destroyed long ago.
      if (!stored.hasAny(keyIds)) return;
      await writer.destroy({ keyIds });
      forget();
    },
    rewrap: makeRewrap({ installation, stored, writer }),
    close: async () => {
      stopListening();
      stored.close();
    },
  };
};

/** Undefined when the key, or the one that wrapped it, was destroyed. */
const unwrapStored = (
  stored: Pick<KeyReader, 'byId' | 'find'>,
  installation: InstallationKeys,
  keyId: string,
): KeyObject | undefined => {
  const key = stored.byId(keyId);
  const partition = key && stored.find(key.owner, PARTITION);
  if (!partition) return undefined;
  const { wrapped } = partition;
  const wrapping = unwrapUserKey(installation, { owner: key.owner, session: PARTITION, wrapped });
  try {
    return unwrapKey(wrapping, key);
  } catch {
    // The partition's key was replaced.
    return undefined;
  }
};
