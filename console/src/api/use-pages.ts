import { useCallback, useEffect, useRef, useState } from 'react';
import { readBefore } from './read-before.ts';

interface Pages<T> {
  items: T[];
  /** Whether there is another page. */
  more: boolean;
  loading: boolean;
  error: unknown;
}

/**
 * Returns a list that grows by one page with every `next`; `load` returns the page after a cursor. When the
 * reader returns to the list, as many entries as before are loaded.
 */
export const usePages = <T>(
  key: string,
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<{ items: T[]; cursor: string | null }>,
): Pages<T> & { next: () => void; reload: () => void } => {
  const none: Pages<T> = { items: [], more: true, loading: true, error: undefined };
  const [pages, setPages] = useState(none);
  const [round, setRound] = useState(0);
  const at = useRef<{ cursor: string | undefined; gone: AbortController; missing: number }>(undefined);
  const loader = useRef(load);
  loader.current = load;

  const next = useCallback(() => {
    const here = at.current;
    if (!here) return;
    const { signal } = here.gone;
    setPages(before => ({ ...before, loading: true, error: undefined }));
    loader.current(here.cursor, signal).then(
      ({ items, cursor }) => {
        if (signal.aborted) return;
        here.cursor = cursor ?? undefined;
        here.missing -= items.length;
        const goesOn = here.missing > 0 && cursor !== null;
        setPages(before => ({
          items: [...before.items, ...items],
          more: cursor !== null,
          loading: goesOn,
          error: undefined,
        }));
        if (goesOn) next();
      },
      error => {
        if (!signal.aborted) setPages(before => ({ ...before, loading: false, error }));
      },
    );
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies what `load` lists; `round` repeats it
  useEffect(() => {
    const gone = new AbortController();
    at.current = { cursor: undefined, gone, missing: readBefore()?.shown ?? 0 };
    setPages(none);
    next();
    return () => gone.abort();
  }, [key, next, round]);

  const reload = useCallback(() => setRound(before => before + 1), []);
  return { ...pages, next, reload };
};
