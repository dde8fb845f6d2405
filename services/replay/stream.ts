/** What one side says and any number of others follow, from the first word on. */
export interface Stream<T> {
  say(word: T): void;
  end(fault?: unknown): void;
  /** Throws the fault that the stream ended with; ends early when `signal` is aborted. */
  follow(signal: AbortSignal): AsyncGenerator<T>;
}

/** `isKept`: who comes later hears it too; of the others the last one alone. */
export const makeStream = <T>(isKept: (word: T) => boolean): Stream<T> => {
  const kept: T[] = [];
  let last: { word: T } | undefined;
  let number = 0;
  let ended: { fault: unknown } | undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const one of waiting) one();
    waiting.clear();
  };
  return {
    say: word => {
      number++;
      if (isKept(word)) kept.push(word);
      else last = { word };
      wake();
    },
    end: fault => {
      ended = { fault };
      wake();
    },
    follow: async function* (signal) {
      let told = 0;
      let seen = 0;
      const onAbort = (): void => wake();
      signal.addEventListener('abort', onAbort);
      try {
        while (!signal.aborted) {
          while (told < kept.length) {
            yield kept[told++]!;
            if (signal.aborted) return;
          }
          if (seen < number && last && !ended) {
            seen = number;
            yield last.word;
            continue;
          }
          if (ended) {
            if (ended.fault !== undefined) throw ended.fault;
            return;
          }
          await new Promise<void>(resolve => waiting.add(resolve));
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
};
