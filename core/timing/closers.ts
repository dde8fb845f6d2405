import { within } from './within.ts';

type Closer = () => unknown;

/** A closer that is late is still begun: a connection is closed in a fraction of this. */
const LATE_MS = 50;

/** Collects close functions in the order of opening and calls them in reverse. */
export interface Closers {
  /** Aborted when closing begins, so that long work ends early. */
  signal: AbortSignal;
  add(...closers: Closer[]): void;
  /**
   * Calls each when the one before it has ended. `until`: the instant, by the clock of `performance.now()`,
   * from which on none is waited for any more; default: each is waited for.
   */
  close(until?: number): Promise<void>;
}

export const makeClosers = (): Closers => {
  const closers: Closer[] = [];
  const closing = new AbortController();
  const call = async (closer: Closer): Promise<void> => {
    await closer();
  };
  return {
    signal: closing.signal,
    add: (...more) => void closers.push(...more),
    close: async until => {
      closing.abort();
      const late = new Error('it takes too long');
      for (const closer of closers.splice(0).reverse()) {
        const closed = call(closer);
        if (until === undefined) await closed;
        else
          await within(Math.max(LATE_MS, until - performance.now()), closed, () => late).catch(error => {
            if (error !== late) throw error;
          });
      }
    },
  };
};
