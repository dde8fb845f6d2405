import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import {
  type InstallationKeys,
  isWrappedByFirst,
  rewrapped,
} from '../../../core/log/keys/installation-keys.ts';
import { PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import type { KeyStore, SharedLog } from '../../../core/ports.ts';
import type { KeyCache } from './cache/cache.ts';
import { appendTombstones } from './destroy.ts';
import type { KeyIndex } from './index/key-index.ts';
import type { Lookup, ScopeFound } from './lookup.ts';
import { keyRecord, type LoggedKey } from './record.ts';
import { userKeysOf } from './users.ts';

/** The number of users rewrapped at a time; their appends share batches. */
const AT_ONCE = 50;

export interface RewrapPorts {
  installation: InstallationKeys;
  index: Pick<KeyIndex, 'users'>;
  cache: Pick<KeyCache, 'replace' | 'recordsOf'>;
  lookup: Lookup;
  log: Pick<SharedLog, 'append'>;
}

/** The users of a partition. */
interface Found {
  /** The number of their keys. */
  checked: number;
  /** The owners of keys that another key than the first wraps, by their latest record or in Redis. */
  owners: Set<string>;
}

/**
 * Returns a rewrap that reads the index, the log behind it and Redis, which must all be readable without the
 * former keys. A key is appended again under its own id, and then replaced in Redis. A call interrupted
 * between the two leaves Redis as it was.
 */
export const makeRewrap = ({ installation, index, cache, lookup, log }: RewrapPorts): KeyStore['rewrap'] => {
  const check = async (keys: readonly LoggedKey[], found: Found): Promise<void> => {
    const cached = await cache.recordsOf(keys);
    const yieldWhenDue = makeYieldWhenDue();
    for (const [i, key] of keys.entries()) {
      const those = cached[i] ? [key, cached[i]] : [key];
      if (!those.every(one => isWrappedByFirst(installation, one))) found.owners.add(key.owner);
      found.checked++;
      await yieldWhenDue();
    }
  };

  const find = async (partition: number, end: number): Promise<Found> => {
    const found: Found = { checked: 0, owners: new Set() };
    for await (const keys of userKeysOf({ index, lookup }, partition, end)) await check(keys, found);
    return found;
  };

  /**
   * Appends all of the user's keys, in their order and in one append: after a compaction the first one must
   * still be the first. If a key was created meanwhile, all are appended once more, so that it is behind the
   * others. A key destroyed meanwhile gets a tombstone behind its new record.
   */
  const rewrapOwner = async (owner: string): Promise<void> => {
    let found: ScopeFound = await lookup.ofScopes(owner, [PARTITION]);
    const known = new Set<string>();
    while (found.living.some(({ key }) => !known.has(key.keyId))) {
      const keys = found.living.map(({ key }) => rewrapped(installation, key));
      for (const { keyId } of keys) known.add(keyId);
      found = await found.again(await log.append(keys.map(keyRecord)));
      const living = new Set(found.living.map(({ key }) => key.keyId));
      await appendTombstones(
        log,
        keys.filter(({ keyId }) => !living.has(keyId)),
      );
    }
    await cache.replace(owner, found.living);
  };

  return async function* ({ dryRun }, signal) {
    installation.read(true);
    let [checked, count] = [0, 0];
    for (const { partition, offset: end } of await lookup.endsOf()) {
      const found = await find(partition, end);
      checked += found.checked;
      if (dryRun) count += found.owners.size;
      else {
        const owners = [...found.owners];
        for (let next = 0; next < owners.length; next += AT_ONCE) {
          if (signal.aborted) return;
          const some = owners.slice(next, next + AT_ONCE);
          await Promise.all(some.map(rewrapOwner));
          count += some.length;
          yield { kind: 'progress', checked, rewrapped: count };
        }
      }
      yield { kind: 'progress', checked, rewrapped: count };
    }
    yield { kind: 'done', checked, rewrapped: count };
  };
};
