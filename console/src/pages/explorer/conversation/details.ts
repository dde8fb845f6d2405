/** Details of the turns on the screen. They are loaded turn by turn, a few at a time, and cached. */
import type { TurnDetails } from '../../../api/types.ts';

export interface DetailsStore {
  of(id: string): TurnDetails | undefined;
  /**
   * Loads, in this order, the details that are missing or were not projected yet. Requests of an earlier call
   * that have not started are dropped; failed ones wait for `again`.
   */
  want(ids: readonly string[]): void;
  /** Whether any details are being loaded. */
  loading(): boolean;
  /** Whether any of the wanted details could not be loaded. */
  failed(): boolean;
  /** Whether any of the wanted turns have been erased. */
  erased(): boolean;
  /** Retries the failed requests. */
  again(): void;
  /**
   * Reloads all wanted details, because turns may have been enriched in the meantime. Known details stay
   * until then.
   */
  refresh(): void;
  subscribe(listener: () => void): () => void;
  /** Returns a number that changes with every change of the store. */
  version(): number;
  /** Stops loading and drops requests in flight. */
  close(): void;
}

const AT_ONCE = 4;

export const makeDetailsStore = (
  /** Resolves with undefined if the turn is no longer stored. */
  load: (id: string, signal: AbortSignal) => Promise<TurnDetails | undefined>,
): DetailsStore => {
  const known = new Map<string, TurnDetails>();
  /** Details that are loading, or loaded and final. */
  const asked = new Set<string>();
  const failed = new Set<string>();
  const erased = new Set<string>();
  const listeners = new Set<() => void>();
  let wanted: readonly string[] = [];
  let waiting: string[] = [];
  let running = 0;
  let version = 0;
  let gone = new AbortController();

  const tell = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  const ask = async (id: string, { signal }: AbortController): Promise<void> => {
    asked.add(id);
    try {
      const details = await load(id, signal);
      if (details) known.set(id, details);
      else if (!signal.aborted) erased.add(id);
      if (details?.recorded_at === null) asked.delete(id);
    } catch {
      asked.delete(id);
      if (!signal.aborted) failed.add(id);
    }
  };
  const next = (): void => {
    while (running < AT_ONCE && waiting.length > 0) {
      running += 1;
      void ask(waiting.shift()!, gone).then(() => {
        running -= 1;
        tell();
        next();
      });
    }
  };
  const want = (ids: readonly string[]): void => {
    wanted = ids;
    waiting = ids.filter(id => !asked.has(id) && !failed.has(id));
    next();
    tell();
  };

  return {
    of: id => known.get(id),
    want,
    loading: () => running > 0 || waiting.length > 0,
    failed: () => wanted.some(id => failed.has(id)),
    erased: () => wanted.some(id => erased.has(id)),
    again: () => {
      failed.clear();
      want(wanted);
    },
    refresh: () => {
      asked.clear();
      failed.clear();
      want(wanted);
    },
    subscribe: listener => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
    close: () => {
      waiting = [];
      gone.abort();
      gone = new AbortController();
    },
  };
};
