import type { KeyObject } from 'node:crypto';
import { boundedMap } from '../../../core/caches/bounded-map.ts';
import { unavailable } from '../../../core/errors.ts';
import { type InstallationKeys, unwrapUserKey } from '../../../core/log/keys/installation-keys.ts';
import {
  identityOf,
  makeNextKey,
  makeWrappedKey,
  PARTITION,
  unwrapKey,
  type WrappedKey,
} from '../../../core/log/keys/key-wrapping.ts';
import type { SessionKey } from '../../../core/ports.ts';
import type { WriterConnection } from '../log/writer-connection.ts';
import type { KeyReader, StoredKey } from './key-database.ts';

const CACHED = 20_000;
/**
 * The number of attempts: a key destroyed while it is being made is made again, for writes after the erasure.
 */
const TRIES = 5;

interface OpenedKey {
  keyId: string;
  key: KeyObject;
}

export interface SessionKeysOptions {
  installation: InstallationKeys;
  stored: Pick<KeyReader, 'find'>;
  writer: Pick<WriterConnection, 'request'>;
}

/** The key that wraps and opens another key. */
interface Wrapping {
  wrap: () => KeyObject;
  unwrap: (key: Omit<WrappedKey, 'keyId'>) => KeyObject;
  /** The id of the partition's key. */
  under?: string;
}

const byPartition = ({ keyId, key }: OpenedKey): Wrapping => ({
  wrap: () => key,
  unwrap: wrapped => unwrapKey(key, wrapped),
  under: keyId,
});

/** Reads a session's keys, or requests them from the writer. */
export const makeSessionKeys = ({ installation, stored, writer }: SessionKeysOptions) => {
  const byInstallation: Wrapping = {
    wrap: () => installation.read()[0]!,
    unwrap: key => unwrapUserKey(installation, key),
  };
  /** Partitions' keys by owner. Keys never change, so an entry is valid until it is destroyed. */
  const partitions = boundedMap<Promise<OpenedKey | undefined>>(CACHED);

  /** Finds a living key. A dead one counts as missing: the writer replaces it. */
  const findUnder = (owner: string, session: string, under: string | undefined): StoredKey | undefined => {
    const found = stored.find(owner, session);
    return found && (found.under ?? undefined) === under ? found : undefined;
  };

  /**
   * Reads the key of (owner, session), or makes it and reads the stored one: the first one stored wins.
   * Undefined if the key, or the one that wraps it, was destroyed meanwhile.
   */
  const getOrMake = async (
    owner: string,
    session: string,
    { wrap, unwrap, under }: Wrapping,
  ): Promise<OpenedKey | undefined> => {
    let row = findUnder(owner, session, under);
    if (!row) {
      await writer.request({ keys: [{ ...makeWrappedKey(wrap(), owner, session), under }] });
      // The stored key may have been made after the destruction, under another partition's key.
      if (under !== undefined && stored.find(owner, PARTITION)?.keyId !== under) return undefined;
      row = findUnder(owner, session, under);
    }
    return row && { keyId: row.keyId, key: unwrap({ owner, session, wrapped: row.wrapped }) };
  };

  /** Returns the partition's key; undefined if it was destroyed while it was being made. */
  const partitionKey = (owner: string): Promise<OpenedKey | undefined> =>
    partitions.get(owner) ?? partitions.set(owner, getOrMake(owner, PARTITION, byInstallation));

  return {
    get: async (owner: string, session: string): Promise<SessionKey> => {
      for (let tries = 0; tries < TRIES; tries++) {
        const partition = await partitionKey(owner);
        // This thread's copy may already be destroyed: the message about it may not have arrived yet.
        if (partition && stored.find(owner, PARTITION)?.keyId === partition.keyId) {
          const made = await getOrMake(owner, session, byPartition(partition));
          if (made) {
            const { keyId, key } = made;
            const identity = identityOf(partition.key, keyId);
            return { keyId, userKeyId: partition.keyId, sealing: key, identity };
          }
        }
        partitions.clear();
      }
      throw unavailable('The sealing keys of this scope are being destroyed.');
    },
    /** Gives a session that has a key its next one. */
    replace: async (owner: string, session: string): Promise<void> => {
      const found = stored.find(owner, session);
      // No key is made for a dead session.
      if (!found || stored.find(owner, PARTITION)?.keyId !== found.under) return;
      const partition = await partitionKey(owner);
      if (partition?.keyId !== found.under) return;
      await writer.request({
        replace: { ...makeNextKey(partition.key, found), under: partition.keyId },
      });
    },
    /** Drops the cached partitions' keys. */
    forget: (): void => partitions.clear(),
  };
};
