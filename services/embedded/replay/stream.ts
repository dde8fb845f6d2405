/** Items from one producer that any number of consumers follow, each from the first item. */
export interface Stream<T> {
  push(item: T): void;
  end(fault?: unknown): void;
  /** Throws the fault that the stream ended with; ends early when `signal` is aborted. */
  follow(signal: AbortSignal): AsyncGenerator<T>;
}

export const makeStream = <T>(): Stream<T> => {
  const items: T[] = [];
  let ended: { fault: unknown } | undefined;
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const one of waiting) one();
    waiting.clear();
  };
  return {
    push: item => {
      items.push(item);
      wake();
    },
    end: fault => {
      ended = { fault };
      wake();
    },
    follow: async function* (signal) {
      signal.addEventListener('abort', wake);
      try {
        for (let next = 0; !signal.aborted; ) {
          if (next < items.length) yield items[next++]!;
          else if (!ended) await new Promise<void>(resolve => waiting.add(resolve));
          else if (ended.fault === undefined) return;
          else throw ended.fault;
        }
      } finally {
        signal.removeEventListener('abort', wake);
      }
    },
  };
};
