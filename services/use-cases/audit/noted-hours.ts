import { boundedMap } from '../../../core/caches/bounded-map.ts';
import { HOUR_MS } from '../../../core/time.ts';
import { digestOf } from '../../../projections/verify/row.ts';

/** Targets of one key and action in an hour that have an entry of their own; all others share one. */
const MOST_TARGETS = 100;
/**
 * Keys and actions, and entries, that are remembered: some 15 MiB. Names are digests, so that it makes no
 * difference how long ids are. One that is forgotten is noted again, under the same id.
 */
const REMEMBERED = { keys: 10_000, entries: 50_000 };

/** Entries of an hour. `of`: the key, the action and the outcome; `own`: the digest of the entry. */
export interface NotedHours {
  /** Whether the entry has to share the one of all targets past a hundred. */
  isTooMuch(of: readonly unknown[], own: string, now: number): boolean;
  /** Returns the append of an entry in this hour, the first one's or a new one. A failed one is forgotten. */
  once(of: readonly unknown[], own: string, now: number, append: () => Promise<void>): Promise<void>;
}

export const makeNotedHours = (most: { keys: number; entries: number } = REMEMBERED): NotedHours => {
  const targets = boundedMap<{ hour: number; count: number }>(most.keys);
  const entries = boundedMap<{ hour: number; appended: Promise<void> }>(most.entries);
  const hourOf = (now: number): number => Math.floor(now / HOUR_MS);
  const knownIn = <T extends { hour: number }>(one: T | undefined, now: number): T | undefined =>
    one?.hour === hourOf(now) ? one : undefined;
  return {
    isTooMuch: (of, own, now) =>
      knownIn(entries.get(own), now) === undefined &&
      (knownIn(targets.get(digestOf(of)), now)?.count ?? 0) >= MOST_TARGETS,
    once: (of, own, now, append) => {
      const known = knownIn(entries.get(own), now);
      if (known) return known.appended;
      const name = digestOf(of);
      const hour = hourOf(now);
      const counted = knownIn(targets.get(name), now) ?? targets.set(name, { hour, count: 0 });
      counted.count++;
      const appended = append().catch((error: unknown) => {
        counted.count--;
        if (entries.get(own)?.appended === appended) entries.delete(own);
        throw error;
      });
      appended.catch(() => {});
      entries.set(own, { hour, appended });
      return appended;
    },
  };
};
