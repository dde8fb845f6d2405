import { createSecretKey, type KeyObject } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { boundedMap } from '../../services/bounded-map.ts';
import {
  identityOf,
  makeWrappedKey,
  ownerOf,
  PARTITION,
  sessionOf,
  unwrapKey,
} from '../../services/key-wrapping.ts';
import type { KeyStore, SessionKey } from '../../services/ports.ts';
import type { WriterConnection } from './writer.ts';

const CACHED = 20_000;

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
  // Keys never change, so an entry is never stale until it is destroyed.
  const sessions = boundedMap<Promise<SessionKey>>(CACHED);
  const partitions = boundedMap<Promise<KeyObject>>(CACHED);
  const opened = boundedMap<KeyObject>(CACHED);

  const stored = (owner: string, session: string): { keyId: string; wrapped: Uint8Array } | undefined => {
    const row = byOwner.get(owner, session);
    return row && { keyId: String(row.key_id), wrapped: row.wrapped as Uint8Array };
  };

  /** Reads the key of (owner, session), or makes it and reads what was stored: the first to store wins. */
  const getOrMake = async (owner: string, session: string, wrapping: KeyObject) => {
    let row = stored(owner, session);
    if (!row) {
      await writer.request({ keys: [makeWrappedKey(wrapping, owner, session)] });
      row = stored(owner, session);
      if (!row) throw new Error('a sealing key was destroyed while it was made');
    }
    return { keyId: row.keyId, key: unwrapKey(wrapping, { owner, session, wrapped: row.wrapped }) };
  };

  const partitionKey = (owner: string): Promise<KeyObject> =>
    partitions.get(owner) ??
    partitions.set(
      owner,
      getOrMake(owner, PARTITION, installationKey).then(({ key }) => key),
    );

  // A failure must not be remembered: the next call tries again.
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
      const made = (async (): Promise<SessionKey> => {
        const partition = await partitionKey(owner);
        const { keyId, key } = await getOrMake(owner, sessionOf(session), partition);
        return { keyId, sealing: key, identity: identityOf(partition) };
      })();
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
      return opened.set(keyId, unwrapKey(wrapping, key));
    },
    destroy: async (org, user, session) => {
      await writer.request({
        destroy: {
          owner: ownerOf(org, user),
          session: session === undefined ? undefined : sessionOf(session),
        },
      });
      sessions.clear();
      partitions.clear();
      opened.clear();
    },
    close: async () => database.close(),
  };
};
