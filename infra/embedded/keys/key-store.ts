import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { boundedMap } from '../../../core/caches/bounded-map.ts';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { type InstallationKeys, unwrapUserKey } from '../../../core/log/keys/installation-keys.ts';
import {
  orgAndUserOf,
  ownerOf,
  PARTITION,
  sessionNamed,
  sessionOf,
  unwrapKey,
  type WrappedKey,
} from '../../../core/log/keys/key-wrapping.ts';
import type { KeyStore, SessionKey } from '../../../core/ports.ts';
import type { WriterConnection } from '../log/writer-connection.ts';
import { type KeyReader, openKeyReader } from './key-database.ts';
import { makeRewrap } from './rewrap.ts';
import { makeSessionKeys } from './session-keys.ts';

const CACHED = 20_000;
/** The pause between steps of the sweep, which nobody waits for, so that urgent writes get the disk. */
const BETWEEN_STEPS_MS = 20;

export interface EmbeddedKeyStore extends KeyStore {
  /** Returns whether the key, or the one that wraps it, is destroyed. Reads the file synchronously. */
  isDestroyed(keyId: string): boolean;
}

interface OpenedKey {
  key: KeyObject;
  /** The id of the user's key that wraps it. */
  under: string;
}

/**
 * Opens the store of sealing keys: one per session, wrapped by its user partition's key, which is wrapped by
 * the installation's key. Each thread has its own store over the same file; new keys are made in the writer
 * thread's commit, before any event uses them.
 */
export const openKeyStore = (
  path: string,
  installation: InstallationKeys,
  writer: WriterConnection,
): EmbeddedKeyStore => {
  const stored = openKeyReader(path);
  const sessionKeys = makeSessionKeys({ installation, stored, writer });
  // Keys never change, so an entry is valid until it is destroyed.
  const sessions = boundedMap<Promise<SessionKey>>(CACHED);
  const opened = boundedMap<OpenedKey>(CACHED);
  /** The users' own keys by id. The file is asked whether one is still stored before it is used. */
  const wrapping = boundedMap<KeyObject>(CACHED);
  // Ids that this thread was told to destroy: keys that they wrap may be in its cache until the writer's
  // message arrives.
  const destroyed = boundedMap<true>(CACHED);
  const forgetSessions = (): void => {
    sessions.clear();
    sessionKeys.forget();
  };
  const forget = (): void => {
    forgetSessions();
    opened.clear();
    wrapping.clear();
  };
  const wrappingOf = (key: WrappedKey): KeyObject =>
    wrapping.get(key.keyId) ?? wrapping.set(key.keyId, unwrapUserKey(installation, key));
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
    has: async (org, user, session) => {
      const owner = ownerOf(org, user);
      return (
        sessions.get(`${owner}\n${session}`) !== undefined ||
        stored.find(owner, sessionOf(session)) !== undefined
      );
    },
    byId: async keyId => {
      const known = opened.get(keyId);
      if (known && !destroyed.get(known.under)) return known.key;
      const found = openStored(stored, wrappingOf, keyId);
      return found && opened.set(keyId, found).key;
    },
    isDestroyed: stored.isDestroyed,
    idsOf: async (org, user, session) => {
      const named = [ownerOf(org, user), nameOf(session)] as const;
      const found = stored.find(...named);
      return [...(found ? [found.keyId] : []), ...stored.formerOf(...named)];
    },
    sessionsOf: async (org, user) => {
      const names = () => sessionsOf(stored, ownerOf(org, user));
      // All again: who got a key since is among them.
      return { names, since: names };
    },
    usersOf: org => usersOf(stored, org),
    replace: async (org, user, session) => {
      const named = [ownerOf(org, user), sessionOf(session)] as const;
      await sessionKeys.replace(...named);
      forget();
      return stored.formerOf(...named);
    },
    destroy: async (org, user, session) => {
      const ids = await writer.destroy({ owner: ownerOf(org, user), session: nameOf(session) });
      forget();
      return ids;
    },
    destroyKeys: async keyIds => {
      // Another thread may have just destroyed them, and its message may not have arrived yet.
      for (const keyId of keyIds) {
        opened.delete(keyId);
        wrapping.delete(keyId);
        destroyed.set(keyId, true);
      }
      // A replay reads every past erasure, whose keys were destroyed long ago.
      if (!stored.hasAny(keyIds)) return;
      await writer.destroy({ keyIds });
      forget();
    },
    sweep: async signal => {
      let count = 0;
      // Each step is a commit of its own, so that other requests can come between.
      for (let more = stored.isUnswept(); more && !signal.aborted; await pause(BETWEEN_STEPS_MS)) {
        const step = await writer.sweep();
        count += step.removed;
        more = step.more;
      }
      return count;
    },
    rewrap: makeRewrap({ installation, stored, writer }),
    close: async () => {
      stopListening();
      stored.close();
    },
  };
};

/** Returns the file's name for the keys of a session or, without one, for the user's own. */
const nameOf = (session: string | undefined): string =>
  session === undefined ? PARTITION : sessionOf(session);

/** Sessions per statement: a millisecond. */
const SESSIONS_AT_ONCE = 500;

async function* sessionsOf(stored: Pick<KeyReader, 'sessionsAfter'>, owner: string) {
  const yieldWhenDue = makeYieldWhenDue();
  for (let after: string = PARTITION; ; ) {
    const page = stored.sessionsAfter(owner, after, SESSIONS_AT_ONCE);
    if (page.length > 0) yield page.map(sessionNamed);
    if (page.length < SESSIONS_AT_ONCE) return;
    after = page.at(-1)!;
    await yieldWhenDue();
  }
}

async function* usersOf(stored: Pick<KeyReader, 'ownersBetween'>, org: string) {
  const yieldWhenDue = makeYieldWhenDue();
  // An owner is written as a list of two names: all of an organization begin alike, and end with a bracket.
  const prefix = `${JSON.stringify([org]).slice(0, -1)},`;
  for (let after = prefix; ; ) {
    const page = stored.ownersBetween(after, `${prefix}#`, SESSIONS_AT_ONCE);
    if (page.length > 0) yield page.map(owner => orgAndUserOf(owner)[1]);
    if (page.length < SESSIONS_AT_ONCE) return;
    after = page.at(-1)!;
    await yieldWhenDue();
  }
}

/** Opens a stored key; undefined if the key, or the one that wraps it, was destroyed. */
const openStored = (
  stored: Pick<KeyReader, 'byId'>,
  wrappingOf: (key: WrappedKey) => KeyObject,
  keyId: string,
): OpenedKey | undefined => {
  const found = stored.byId(keyId);
  const under = found?.under;
  const partition = under ? stored.byId(under) : undefined;
  if (!found || !under || !partition) return undefined;
  return { key: unwrapKey(wrappingOf(partition), found), under };
};
