type Closer = () => unknown;

/** What was opened in order, to be closed in reverse. */
export interface Closers {
  /** Aborted when closing begins: work that would go on for long ends. */
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
