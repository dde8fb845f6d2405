import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { state: 'loading'; value: T | undefined }
  | { state: 'ready'; value: T }
  | { state: 'failed'; value: T | undefined; error: unknown };

/**
 * Returns the result of `load`, which is called again when `key` changes and by `reload`. The previous value
 * stays until the next answer; an answer to an outdated call is dropped.
 */
export const useLoad = <T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
): Loaded<T> & { reload: () => void } => {
  const [loaded, setLoaded] = useState<Loaded<T> & { key: string }>({
    key,
    state: 'loading',
    value: undefined,
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` identifies what `load` requests; `round` repeats it
  useEffect(() => {
    const gone = new AbortController();
    setLoaded(({ value, key: before }) => ({
      key,
      state: 'loading',
      value: before === key ? value : undefined,
    }));
    load(gone.signal).then(
      value => !gone.signal.aborted && setLoaded({ key, state: 'ready', value }),
      error => !gone.signal.aborted && setLoaded(({ value }) => ({ key, state: 'failed', value, error })),
    );
    return () => gone.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound(before => before + 1), []);
  // Until the effect has run, the state belongs to the previous key.
  const current: Loaded<T> = loaded.key === key ? loaded : { state: 'loading', value: undefined };
  return { ...current, reload };
};
