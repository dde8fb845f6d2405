import { lineOf, PARTITION } from '../../../core/log/keys/key-wrapping.ts';
import type { RecordAddress, SharedLog } from '../../../core/ports.ts';
import type { KeyCache } from './cache/cache.ts';
import type { Lookup } from './lookup.ts';
import { type LoggedKey, tombstone } from './record.ts';

/** Tombstones per append. */
const PAGE = 1_000;

export interface DestroyPorts {
  cache: Pick<KeyCache, 'remove' | 'removeByIds' | 'countDestroyed'>;
  lookup: Pick<Lookup, 'ofScopes' | 'byIds'>;
  log: Pick<SharedLog, 'append'>;
}

export const appendTombstones = async (
  log: Pick<SharedLog, 'append'>,
  keys: readonly Pick<LoggedKey, 'owner' | 'keyId'>[],
): Promise<RecordAddress[]> => {
  const appended: RecordAddress[] = [];
  for (let at = 0; at < keys.length; at += PAGE)
    appended.push(
      ...(await log.append(keys.slice(at, at + PAGE).map(({ owner, keyId }) => tombstone(owner, keyId)))),
    );
  return appended;
};

/** First nobody caches these keys in Redis again, then the log has their tombstones, then every process is told. */
export const makeBury =
  ({ cache, log }: Pick<DestroyPorts, 'log'> & { cache: Pick<KeyCache, 'remove' | 'countDestroyed'> }) =>
  async (keys: readonly LoggedKey[]): Promise<RecordAddress[]> => {
    await cache.remove(keys);
    const appended = await appendTombstones(log, keys);
    await cache.countDestroyed();
    return appended;
  };

/**
 * Destroys keys. Who dies in between leaves keys that live, or such that only processes' caches have: whoever destroys them again
 * tells the processes in any case, since what it finds destroyed may have been told to nobody. An erasure is an event that every
 * reader repeats.
 */
export const makeDestroy = ({ cache, lookup, log }: DestroyPorts) => {
  const bury = makeBury({ cache, log });
  return {
    /** All keys of a session or, by the name '', the user's own: also those that nobody uses, since they came second. */
    destroy: async (owner: string, session: string): Promise<string[]> => {
      const { living, again } = await lookup.ofScopes(owner, [session]);
      const keys = living.map(({ key }) => key);
      const appended = await bury(keys);
      if (session === PARTITION || keys.length === 0) return keys.map(({ keyId }) => keyId);
      // Who replaced one meanwhile has given the session a key of a line that is to end; a line that is new goes on.
      const lines = new Set(keys.map(({ keyId }) => lineOf(keyId)));
      const late = (await again(appended)).living
        .map(({ key }) => key)
        .filter(({ keyId }) => lines.has(lineOf(keyId)));
      if (late.length > 0) await bury(late);
      return [...keys, ...late].map(({ keyId }) => keyId);
    },
    /**
     * Returns whether every process was told. Of former keys that are destroyed it isn't: every reader of the log passes their end, and
     * would have all others read their keys anew.
     */
    destroyKeys: async (ids: readonly string[], are?: 'former'): Promise<boolean> => {
      const found = await lookup.byIds(ids);
      // Who destroyed one before may have died when the log had its tombstone.
      const wasCached = await cache.removeByIds(ids.filter(id => !found.has(id)));
      if (are === 'former' && found.size === 0 && !wasCached) return false;
      await bury([...found.values()].map(({ key }) => key));
      return true;
    },
  };
};
