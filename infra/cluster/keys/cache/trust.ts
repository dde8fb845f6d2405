import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import type { CacheState } from './cache.ts';

/** How long cached keys are used before one command asks Redis whether any key was destroyed. */
export const TRUSTED_MS = 400;
/** The most entries of a cache. */
const CACHED = 20_000;
/**
 * How long an entry is used. A process that destroys a key may die before it tells the others, so each one
 * checks for itself; keys that are looked up in Redis stay there.
 */
const HELD_MS = 60_000;

/** A cache that is dropped as a whole when a key is destroyed. */
export interface ProcessCache<V> {
  get(name: string): V | undefined;
  /** Returns the value; caches it unless the caches were dropped since that generation. */
  keep(name: string, value: V, since: number): V;
  delete(name: string): void;
}

export interface KeyTrust {
  isTrusted(): boolean;
  /** Resolves when the cache was valid at most `TRUSTED_MS` ago or, if Redis is slow, at this call. */
  trust(): Promise<void>;
  /** Like `trust`, with a check that starts after this call. */
  trustAnew(): Promise<void>;
  /** Drops the caches of this process. */
  forget(): void;
  /** Returns the id of Redis's data as of the last check. */
  stateId(): string;
  /** Changes when the caches are dropped: a key read before that must not be cached afterwards. */
  generation(): number;
  cache<V>(): ProcessCache<V>;
}

/** Decides whether a process may keep using its cached keys, and drops them otherwise. */
export const makeKeyTrust = (shared: { state(): Promise<CacheState> }): KeyTrust => {
  const caches: { clear(): void }[] = [];
  let generation = 0;
  let checked = { id: '', destroyed: '', at: Number.NEGATIVE_INFINITY };
  let checking: Promise<void> | undefined;

  const forget = (): void => {
    generation++;
    for (const cache of caches) cache.clear();
  };
  const check = async (): Promise<void> => {
    const at = performance.now();
    const { id, destroyed } = await shared.state();
    if (id !== checked.id || destroyed !== checked.destroyed) forget();
    checked = { id, destroyed, at };
  };
  const isTrusted = (): boolean => performance.now() - checked.at < TRUSTED_MS;
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
      checked.at = Number.NEGATIVE_INFINITY;
      await trust();
    },
    forget,
    stateId: () => checked.id,
    generation: () => generation,
    cache: <V>() => {
      const entries = boundedMap<{ value: V; at: number }>(CACHED);
      caches.push(entries);
      return {
        get: (name: string) => {
          const held = entries.get(name);
          return held && performance.now() - held.at < HELD_MS ? held.value : undefined;
        },
        delete: entries.delete,
        keep: (name: string, value: V, since: number) => {
          if (since === generation) entries.set(name, { value, at: performance.now() });
          return value;
        },
      };
    },
  };
};
