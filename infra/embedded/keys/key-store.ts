import { createSecretKey, type KeyObject } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { boundedMap } from '../../../services/core/bounded-map.ts';
import { unavailable } from '../../../services/core/errors.ts';
import {
  identityOf,
  makeWrappedKey,
  ownerOf,
  PARTITION,
  sessionOf,
  unwrapKey,
} from '../../../services/core/log/key-wrapping.ts';
import type { KeyStore, SessionKey } from '../../../services/core/ports.ts';
import type { WriterConnection } from '../log/writer.ts';

const CACHED = 20_000;
/** A key that is destroyed while it is made is made again, for writes after the erasure. */
const TRIES = 5;

interface StoredKey {
  keyId: string;
  key: KeyObject;
}

/**
 * Sealing keys: one a session, wrapped by its user partition's key, wrapped by the installation's key. Each thread
 * has its own store over the same file; new keys are made by the writer thread's commit, before any event uses them.
 */
export const openKeyStore = (
  path: string,
  installationBytes: Uint8Array,
  writer: WriterConnection,
): KeyStore => {
  const installationKey = createSecretKey(installationBytes);
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const byOwner = database.prepare('SELECT key_id, wrapped FROM keys WHERE owner = ? AND session = ?');
  const byKeyId = database.prepare('SELECT owner, session, wrapped FROM keys WHERE key_id = ?');
  const idsOfOwner = database.prepare(
    'SELECT key_id FROM keys WHERE owner = ?1 AND (?2 IS NULL OR session = ?2)',
  );
  const anyOf = database.prepare(
    'SELECT 1 FROM keys WHERE key_id IN (SELECT value FROM json_each(?)) LIMIT 1',
  );
  // Keys never change, so an entry is valid until it is destroyed.
  const sessions = boundedMap<Promise<SessionKey>>(CACHED);
  const partitions = boundedMap<Promise<StoredKey | undefined>>(CACHED);
  const opened = boundedMap<KeyObject>(CACHED);
  const forget = (): void => {
    for (const held of [sessions, partitions, opened]) held.clear();
  };
  // Destroyed by any thread.
  const stopListening = writer.onDestroyed(forget);

  const stored = (owner: string, session: string): { keyId: string; wrapped: Uint8Array } | undefined => {
    const row = byOwner.get(owner, session);
    return row && { keyId: String(row.key_id), wrapped: row.wrapped as Uint8Array };
  };

  /**
   * Reads the key of (owner, session), or makes it and reads what was stored: the first one stored wins. Undefined when
   * the key, or the one that wraps it, was destroyed meanwhile.
   */
  const getOrMake = async (
    owner: string,
    session: string,
    wrapping: KeyObject,
    under?: string,
  ): Promise<StoredKey | undefined> => {
    let row = stored(owner, session);
    if (!row) {
      await writer.request({ keys: [{ ...makeWrappedKey(wrapping, owner, session), under }] });
      // The stored key may have been made after the destruction, under another partition's key.
      if (under !== undefined && stored(owner, PARTITION)?.keyId !== under) return undefined;
      row = stored(owner, session);
    }
    if (!row) return undefined;
    try {
      return { keyId: row.keyId, key: unwrapKey(wrapping, { owner, session, wrapped: row.wrapped }) };
    } catch (error) {
      if (under === undefined) throw error;
      // The partition's key was replaced meanwhile: the stored key may be valid under the new one.
      if (stored(owner, PARTITION)?.keyId !== under) return undefined;
      // Wrapped by a destroyed key: it is useless, and blocks a new one.
      await writer.destroy({ keyIds: [row.keyId] });
      return undefined;
    }
  };

  /** Undefined when it was destroyed while it was made. */
  const partitionKey = (owner: string): Promise<StoredKey | undefined> =>
    partitions.get(owner) ?? partitions.set(owner, getOrMake(owner, PARTITION, installationKey));

  const make = async (owner: string, session: string): Promise<SessionKey> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const partition = await partitionKey(owner);
      // This thread's copy may be destroyed already: the message about it may not have arrived.
      if (partition && stored(owner, PARTITION)?.keyId === partition.keyId) {
        const made = await getOrMake(owner, session, partition.key, partition.keyId);
        if (made) {
          const { keyId, key } = made;
          return { keyId, sealing: key, identity: identityOf(partition.key, keyId) };
        }
      }
      partitions.clear();
    }
    throw unavailable('The sealing keys of this scope are being destroyed.');
  };

  // Don't cache a failure: the next call tries again.
  const forgetFailure = <V>(promise: Promise<V>, forget: () => void): Promise<V> => {
    promise.catch(forget);
    return promise;
  };

  return {
    forSession: (org, user, session) => {
      const owner = ownerOf(org, user);
      const name = `${owner}\n${session}`;
      const known = sessions.get(name);
      if (known) return known;
      const made = make(owner, sessionOf(session));
      sessions.set(name, made);
      return forgetFailure(made, () => {
        sessions.clear();
        partitions.clear();
      });
    },
    byId: async keyId => {
      const known = opened.get(keyId);
      if (known) return known;
      const row = byKeyId.get(keyId);
      if (!row) return undefined;
      const owner = String(row.owner);
      const partition = stored(owner, PARTITION);
      if (!partition) return undefined;
      const wrapping = unwrapKey(installationKey, { owner, session: PARTITION, wrapped: partition.wrapped });
      const key = { owner, session: String(row.session), wrapped: row.wrapped as Uint8Array };
      try {
        return opened.set(keyId, unwrapKey(wrapping, key));
      } catch {
        // The key that wrapped it was destroyed and replaced.
        return undefined;
      }
    },
    idsOf: async (org, user, session) =>
      idsOfOwner
        .all(ownerOf(org, user), session === undefined ? null : sessionOf(session))
        .map(row => String(row.key_id)),
    destroy: async (org, user, session) => {
      const destroyed = await writer.destroy({
        owner: ownerOf(org, user),
        session: session === undefined ? undefined : sessionOf(session),
      });
      forget();
      return destroyed;
    },
    destroyKeys: async keyIds => {
      // Another thread may have just destroyed them, and its message may not have arrived.
      for (const keyId of keyIds) opened.delete(keyId);
      // A replay meets every past erasure, whose keys were destroyed long ago.
      if (keyIds.length === 0 || !anyOf.get(JSON.stringify(keyIds))) return;
      await writer.destroy({ keyIds });
      forget();
    },
    close: async () => {
      stopListening();
      database.close();
    },
  };
};
