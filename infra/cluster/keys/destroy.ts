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

/**
 * Marks keys in Redis so that nobody caches them again, then appends their tombstones, then tells every
 * process.
 */
export const makeBury =
  ({ cache, log }: Pick<DestroyPorts, 'log'> & { cache: Pick<KeyCache, 'remove' | 'countDestroyed'> }) =>
  async (keys: readonly LoggedKey[]): Promise<RecordAddress[]> => {
    await cache.remove(keys);
    const appended = await appendTombstones(log, keys);
    await cache.countDestroyed();
    return appended;
  };

/**
 * Destroys keys. A process that dies in between leaves keys that live, or that only processes' caches still
 * have. A repeated destruction always tells the processes, since nobody may have been told about keys it
 * finds destroyed. An erasure is an event, so every reader repeats it.
 */
export const makeDestroy = ({ cache, lookup, log }: DestroyPorts) => {
  const bury = makeBury({ cache, log });
  return {
    /**
     * Destroys all keys of a session or, by the name '', the user's own, including unused ones that came
     * second.
     */
    destroy: async (owner: string, session: string): Promise<string[]> => {
      const { living, again } = await lookup.ofScopes(owner, [session]);
      const keys = living.map(({ key }) => key);
      const appended = await bury(keys);
      if (session === PARTITION || keys.length === 0) return keys.map(({ keyId }) => keyId);
      // A session key replaced meanwhile is on a line that must end; a new line goes on.
      const lines = new Set(keys.map(({ keyId }) => lineOf(keyId)));
      const late = (await again(appended)).living
        .map(({ key }) => key)
        .filter(({ keyId }) => lines.has(lineOf(keyId)));
      if (late.length > 0) await bury(late);
      return [...keys, ...late].map(({ keyId }) => keyId);
    },
    /**
     * Destroys keys by id; returns whether every process was told. False for former keys that are already
     * destroyed: every reader of the log passes their end, and would make all others read their keys again.
     */
    destroyKeys: async (ids: readonly string[], are?: 'former'): Promise<boolean> => {
      const found = await lookup.byIds(ids);
      // The process that destroyed one earlier may have died after appending its tombstone.
      const wasCached = await cache.removeByIds(ids.filter(id => !found.has(id)));
      if (are === 'former' && found.size === 0 && !wasCached) return false;
      await bury([...found.values()].map(({ key }) => key));
      return true;
    },
  };
};
