import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { state: 'loading'; value: T | undefined }
  | { state: 'ready'; value: T }
  | { state: 'failed'; value: T | undefined; error: unknown };

/**
 * What `load` answers, asked anew whenever `key` changes, and by `reload`. What was there before stays until the next
 * answer is; an answer that came too late is dropped.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` names what `load` asks for; `round` asks again
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
  // Until the effect has run, what is kept is of the key before.
  const current: Loaded<T> = loaded.key === key ? loaded : { state: 'loading', value: undefined };
  return { ...current, reload };
};
