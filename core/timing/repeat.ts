import { setTimeout as pause } from 'node:timers/promises';

/**
 * Does the work again and again, each time so many milliseconds after it has ended, until it is closed. The work throws nothing; its
 * signal is aborted when nobody wants it any more. It doesn't keep the process alive.
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
