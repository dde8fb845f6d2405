type Closer = () => unknown;

/** Collects close functions in the order of opening and calls them in reverse. */
export interface Closers {
  /** Aborted when closing begins, so that long work ends early. */
  signal: AbortSignal;
  add(...closers: Closer[]): void;
  close(): Promise<void>;
}

export const makeClosers = (): Closers => {
  const closers: Closer[] = [];
  const closing = new AbortController();
  return {
    signal: closing.signal,
    add: (...more) => void closers.push(...more),
    close: async () => {
      closing.abort();
      for (const closer of closers.splice(0).reverse()) await closer();
    },
  };
};
