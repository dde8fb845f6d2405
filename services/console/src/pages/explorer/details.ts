/** What was made of the turns that are on the screen: asked for turn by turn, a few at a time, and kept. */
import type { TurnDetails } from '../../api/types.ts';

export interface DetailsStore {
  of(id: string): TurnDetails | undefined;
  /** Asks for those that aren't there yet, in this order; those of an earlier call that haven't begun are dropped. */
  want(ids: readonly string[]): void;
  /** Asks anew for those that are wanted next: enrichment may have come since. What is known stays until then. */
  refresh(): void;
  subscribe(listener: () => void): () => void;
  /** Changes whenever more is known. */
  version(): number;
}

const AT_ONCE = 4;

export const makeDetailsStore = (load: (id: string) => Promise<TurnDetails>): DetailsStore => {
  const known = new Map<string, TurnDetails>();
  const asked = new Set<string>();
  const listeners = new Set<() => void>();
  let waiting: string[] = [];
  let running = 0;
  let version = 0;

  const tell = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const next = (): void => {
    while (running < AT_ONCE && waiting.length > 0) {
      const id = waiting.shift()!;
      running += 1;
      asked.add(id);
      load(id)
        .then(details => known.set(id, details))
        // It is asked for again when it is next on the screen; the turn itself is there.
        .catch(() => asked.delete(id))
        .finally(() => {
          running -= 1;
          tell();
          next();
        });
    }
  };

  return {
    of: id => known.get(id),
    want: ids => {
      waiting = ids.filter(id => !asked.has(id));
      next();
    },
    refresh: () => {
      asked.clear();
      tell();
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
};
