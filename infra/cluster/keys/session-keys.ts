import type { KeyObject } from 'node:crypto';
import { isOutage, unavailable } from '../../../core/errors.ts';
import { type InstallationKeys, unwrapUserKey } from '../../../core/log/keys/installation-keys.ts';
import { identityOf, makeWrappedKey, PARTITION, unwrapKey } from '../../../core/log/keys/key-wrapping.ts';
import type { SessionKey, SharedLog } from '../../../core/ports.ts';
import type { KeyCache } from './cache/cache.ts';
import type { KeyTrust } from './cache/trust.ts';
import { type ScopeKeys, scopeKeysOf } from './fold-keys.ts';
import type { Lookup, ScopeFound } from './lookup.ts';
import { keyRecord, type LoggedKey, tombstone } from './record.ts';

/** How often keys are made for a scope whose keys are destroyed meanwhile. */
const ROUNDS = 5;

/** Unwraps a partition's key, which wraps the keys of its sessions. */
export type PartitionKeys = (key: LoggedKey, since: number) => KeyObject;

export const makePartitionKeys = (
  installation: InstallationKeys,
  trust: Pick<KeyTrust, 'cache'>,
): PartitionKeys => {
  /** By key id. */
  const unwrapped = trust.cache<KeyObject>();
  return (key, since) =>
    unwrapped.get(key.keyId) ?? unwrapped.keep(key.keyId, unwrapUserKey(installation, key), since);
};

export interface SessionKeysOptions {
  installation: InstallationKeys;
  partitionKey: PartitionKeys;
  cache: Pick<KeyCache, 'ofScope' | 'keep' | 'renew'>;
  lookup: Pick<Lookup, 'ofScopes'>;
  log: Pick<SharedLog, 'append'>;
  trust: Pick<KeyTrust, 'generation' | 'stateId'>;
}

/**
 * Returns a function that finds a session's keys in Redis or in the index and the log, and makes missing
 * ones.
 */
export const makeSessionKeys = (options: SessionKeysOptions) => {
  const { installation, partitionKey, cache, lookup, log, trust } = options;

  /** Makes the keys that the scope lacks. */
  const missingKeys = (user: LoggedKey | undefined, owner: string, session: string, since: number) => {
    if (user) return [{ ...makeWrappedKey(partitionKey(user, since), owner, session), under: user.keyId }];
    const first = { ...makeWrappedKey(installation.read()[0]!, owner, PARTITION), under: '' };
    const wrapping = unwrapUserKey(installation, first);
    return [first, { ...makeWrappedKey(wrapping, owner, session), under: first.keyId }];
  };

  const bury = async (keys: readonly LoggedKey[]): Promise<void> => {
    if (keys.length > 0) await log.append(keys.map(({ owner, keyId }) => tombstone(owner, keyId)));
  };

  /**
   * Finds the scope's keys. If there is none, appends one, reads up to that record, and takes the first in
   * the log: all concurrent callers take the same one, and nobody waits for a process that has died. A key of
   * ours that comes second is never used, and is destroyed.
   */
  const findOrMake = async (
    owner: string,
    session: string,
    since: number,
  ): Promise<{ keys: ScopeKeys; found: ScopeFound }> => {
    let found = await lookup.ofScopes(owner, [PARTITION, session]);
    for (let round = 0; round < ROUNDS; round++) {
      const { user, keys } = scopeKeysOf(found.living, session);
      if (keys) return { keys, found };
      const made = missingKeys(user, owner, session, since);
      found = await found.again(await log.append(made.map(keyRecord)));
      const { keys: taken } = scopeKeysOf(found.living, session);
      const used = new Set([taken?.user.keyId, taken?.wrapping.keyId, taken?.session.keyId]);
      await bury(made.filter(({ keyId }) => !used.has(keyId)));
      if (taken) return { keys: taken, found };
    }
    throw unavailable('The keys of this session are being destroyed.');
  };

  const keep = async (keys: ScopeKeys, { living }: ScopeFound, id: string): Promise<void> => {
    const offsets = new Map(living.map(({ key, offset }) => [key.keyId, offset]));
    await cache
      .keep(keys, ({ keyId }) => offsets.get(keyId)!, id)
      .catch(error => {
        // The key is in the log, and is found there.
        if (!isOutage(error)) throw error;
      });
  };

  const unwrap = ({ user, wrapping, session }: ScopeKeys, since: number): SessionKey => ({
    keyId: session.keyId,
    userKeyId: user.keyId,
    sealing: unwrapKey(partitionKey(wrapping, since), session),
    identity: identityOf(partitionKey(user, since), session.keyId),
  });

  return async (owner: string, session: string): Promise<SessionKey> => {
    const since = trust.generation();
    const id = trust.stateId();
    const cached = await cache.ofScope(owner, session);
    if (cached) {
      if (cached.isDue) cache.renew(cached.keys, id).catch(() => {});
      return unwrap(cached.keys, since);
    }
    const { keys, found } = await findOrMake(owner, session, since);
    await keep(keys, found, id);
    return unwrap(keys, since);
  };
};
