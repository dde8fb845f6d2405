import { setTimeout as pause } from 'node:timers/promises';

/**
 * Repeats the work until closed, each time `everyMs` milliseconds after it ended. The work must not throw;
 * its signal is aborted by `close`. The timer doesn't keep the process alive.
 */
export const repeat = (
  work: (signal: AbortSignal) => Promise<void>,
  everyMs: number,
): { close(): Promise<void> } => {
  const closing = new AbortController();
  const { signal } = closing;
  const running = (async () => {
    while (!signal.aborted) {
      await pause(everyMs, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await work(signal);
    }
  })();
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
};
