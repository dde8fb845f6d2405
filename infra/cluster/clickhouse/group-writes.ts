import { setTimeout as pause } from 'node:timers/promises';

export interface GroupWrites<T, R> {
  /**
   * Resolves with the result of the group's write, or undefined for no items; rejects with the write's error.
   */
  append(items: readonly T[]): Promise<R | undefined>;
  /** Writes pending items. Later appends reject. */
  close(): Promise<void>;
}

/**
 * Returns a writer in which appends that arrive during a write share the next one. Writes are sequential with
 * a pause of `paceMs` between them, so that an engine that stores each write as a file gets few files. The
 * first append after a pause is written at once.
 */
export const makeGroupWrites = <T, R>(
  write: (items: T[]) => Promise<R>,
  { paceMs, most }: { paceMs: number; most: number },
): GroupWrites<T, R> => {
  const waiting: { items: readonly T[]; settled: PromiseWithResolvers<R> }[] = [];
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  /** Takes as many appends as fit into one write; an append is never split. */
  const nextGroup = (): typeof waiting => {
    let size = 0;
    const beyond = waiting.findIndex(({ items }, n) => {
      size += items.length;
      return n > 0 && size > most;
    });
    return waiting.splice(0, beyond < 0 ? waiting.length : beyond);
  };

  const run = async (): Promise<void> => {
    // Groups the appends of one turn of the event loop.
    await pause();
    while (waiting.length > 0) {
      const group = nextGroup();
      try {
        const result = await write(group.flatMap(({ items }) => items));
        for (const { settled } of group) settled.resolve(result);
      } catch (error) {
        for (const { settled } of group) settled.reject(error);
      }
      await pause(paceMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    running = undefined;
  };

  return {
    append: items => {
      if (closing.signal.aborted) return Promise.reject(new Error('appended after the close'));
      if (items.length === 0) return Promise.resolve(undefined);
      const settled = Promise.withResolvers<R>();
      waiting.push({ items, settled });
      running ??= run();
      return settled.promise;
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
};
