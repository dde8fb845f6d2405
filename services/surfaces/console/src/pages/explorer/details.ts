/** What was made of the turns that are on the screen: asked for turn by turn, a few at a time, and kept. */
import type { TurnDetails } from '../../api/types.ts';

export interface DetailsStore {
  of(id: string): TurnDetails | undefined;
  /**
   * Asks for those that aren't there yet, and for those that were not projected yet, in this order. Those of an earlier
   * call that haven't begun are dropped; those that failed wait for `again`.
   */
  want(ids: readonly string[]): void;
  /** Whether more of them is on its way. */
  loading(): boolean;
  /** Whether some of those that are wanted could not be loaded. */
  failed(): boolean;
  /** Whether some of those that are wanted are not kept any more. */
  erased(): boolean;
  /** Asks for them once more. */
  again(): void;
  /** Asks anew for all that are wanted: enrichment may have come since. What is known stays until then. */
  refresh(): void;
  subscribe(listener: () => void): () => void;
  /** Changes whenever more is known. */
  version(): number;
  /** Asks for no more, and drops what is under way. */
  close(): void;
}

const AT_ONCE = 4;

export const makeDetailsStore = (
  /** Undefined: the turn is not kept any more. */
  load: (id: string, signal: AbortSignal) => Promise<TurnDetails | undefined>,
): DetailsStore => {
  const known = new Map<string, TurnDetails>();
  /** Under way, or there and final. */
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
      if (details?.provenance === null) asked.delete(id);
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
