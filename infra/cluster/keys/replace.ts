import { makeNextKey, PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import type { SharedLog } from '../../../core/ports.ts';
import type { KeyCache } from './cache/cache.ts';
import type { KeyTrust } from './cache/trust.ts';
import { makeBury } from './destroy.ts';
import { scopeKeysOf } from './fold-keys.ts';
import type { Lookup } from './lookup.ts';
import { keyRecord } from './record.ts';
import type { PartitionKeys } from './session-keys.ts';

export interface ReplacePorts {
  partitionKey: PartitionKeys;
  cache: Pick<KeyCache, 'remove' | 'countDestroyed'>;
  lookup: Pick<Lookup, 'ofScopes'>;
  log: Pick<SharedLog, 'append'>;
  trust: Pick<KeyTrust, 'generation'>;
}

/**
 * Appends a session's next key, then marks the former ones so that nobody caches them in Redis again, then
 * tells every process. Former keys stay in the log, where they are found by their ids. A process that dies in
 * between leaves the session with an extra key; the next replacement names all of them.
 *
 * @returns the ids of the former keys; none if the session has no key
 */
export const makeReplace =
  ({ partitionKey, cache, lookup, log, trust }: ReplacePorts) =>
  async (owner: string, session: string): Promise<string[]> => {
    const bury = makeBury({ cache, log });
    const since = trust.generation();
    const before = await lookup.ofScopes(owner, [PARTITION, session]);
    const { keys } = scopeKeysOf(before.living, session);
    if (!keys) return [];
    const { user } = keys;
    const made = { ...makeNextKey(partitionKey(user, since), keys.session), under: user.keyId };
    const { living } = await before.again(await log.append([keyRecord(made)]));
    const { keys: taken } = scopeKeysOf(living, session);
    const lives = (keyId: string): boolean => living.some(({ key }) => key.keyId === keyId);
    // The session's line of keys, for which it was made, was destroyed meanwhile.
    if (!taken || !lives(made.keyId) || !lives(keys.session.keyId)) {
      await bury([made]);
      return [];
    }
    // Another process may have replaced the key a moment later, which makes ours a former one.
    const former = living
      .map(({ key }) => key)
      .filter(key => key.session === session && key.keyId !== taken.session.keyId);
    await cache.remove(former);
    await cache.countDestroyed();
    return former.map(({ keyId }) => keyId);
  };
