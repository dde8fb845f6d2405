import { boundedMap } from '../../../services/core/bounded-map.ts';
import { unavailable } from '../../../services/core/errors.ts';
import type { KeyCopy } from './copy.ts';

/** How long cached keys are used before one command asks Redis whether any key was destroyed. */
export const TRUSTED_MS = 400;
/** Entries per cache. */
const CACHED = 20_000;

/** A cache that is dropped as a whole when a key was destroyed. */
export interface KeyCache<V> {
  get(name: string): V | undefined;
  /** Returns the value; caches it unless the caches were dropped since that generation. */
  keep(name: string, value: V, since: number): V;
  delete(name: string): void;
}

export interface KeyTrust {
  isTrusted(): boolean;
  /** Resolves when the cache was valid at most `TRUSTED_MS` ago or, if Redis is slow, at this call. */
  trust(): Promise<void>;
  /** Does the same, but with a check that starts after this call. */
  trustAnew(): Promise<void>;
  /** Drops the caches of this process. */
  forget(): void;
  /** The copy that the cached keys come from. */
  copyId(): string;
  /** Changes when the caches are dropped: a key read before that must not be cached afterwards. */
  generation(): number;
  cache<V>(): KeyCache<V>;
  /**
   * Throws `unavailable` when the copy was rebuilt: then a missing key proves nothing. Concurrent calls share a command.
   */
  assertWholeSince(copyId: string): Promise<void>;
}

/** Decides whether a process may keep using its cached keys, and drops them when it may not. */
export const makeKeyTrust = (copy: Pick<KeyCopy, 'state'>): KeyTrust => {
  const caches: { clear(): void }[] = [];
  let generation = 0;
  let checked = { id: '', destroyed: '', at: Number.NEGATIVE_INFINITY };
  let checking: Promise<void> | undefined;
  let asking: ReturnType<typeof copy.state> | undefined;

  const forget = (): void => {
    generation++;
    for (const cache of caches) cache.clear();
  };
  const check = async (): Promise<void> => {
    const at = performance.now();
    const { id, destroyed } = await copy.state();
    if (id !== checked.id || destroyed !== checked.destroyed) forget();
    checked = { id, destroyed, at };
  };
  const isTrusted = (): boolean => performance.now() - checked.at < TRUSTED_MS;
  const distrust = (): void => {
    checked.at = Number.NEGATIVE_INFINITY;
  };
  const trust = async (): Promise<void> => {
    if (checking) await checking;
    if (isTrusted()) return;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    await checking;
  };

  return {
    isTrusted,
    trust,
    trustAnew: async () => {
      // A check in progress may have begun before this call.
      await checking?.catch(() => undefined);
      distrust();
      await trust();
    },
    forget,
    copyId: () => checked.id,
    generation: () => generation,
    cache: <V>() => {
      const entries = boundedMap<V>(CACHED);
      caches.push(entries);
      return {
        get: entries.get,
        delete: entries.delete,
        keep: (name: string, value: V, since: number) =>
          since === generation ? entries.set(name, value) : value,
      };
    },
    assertWholeSince: async id => {
      asking ??= Promise.resolve().then(() => {
        asking = undefined;
        return copy.state();
      });
      if ((await asking).id === id) return;
      distrust();
      throw unavailable('The sealing keys were read again from the log.');
    },
  };
};
