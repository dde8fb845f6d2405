import { unavailable } from '../../core/errors.ts';

/** Units of UTF-16 from which a write is large: counting its tokens takes longer than other requests should wait. */
export const LARGE = 256 * 1024;
/** How long a large write waits for the others. */
const WAIT_MS = 10_000;

interface Waiting {
  org: string;
  start(): void;
}

/**
 * Runs the work on large writes one after the other, so that the event loop is never given to several of them in a row,
 * and those that are admitted end instead of all being late. Organizations take turns.
 */
export const makeLargeWrites = (waitMs = WAIT_MS) => {
  const waiting: Waiting[] = [];
  let isBusy = false;
  let lastOrg = '';

  const next = (): void => {
    const other = waiting.findIndex(({ org }) => org !== lastOrg);
    const [chosen] = waiting.splice(Math.max(other, 0), 1);
    isBusy = chosen !== undefined;
    chosen?.start();
  };

  const turnOf = (org: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (error: unknown): void => {
        forget();
        waiting.splice(waiting.indexOf(mine), 1);
        reject(error);
      };
      const late = setTimeout(
        () => leave(unavailable('Too many large writes are in progress; try again.', undefined, 5)),
        waitMs,
      );
      const cancelled = (): void => leave(signal!.reason);
      const forget = (): void => {
        clearTimeout(late);
        signal?.removeEventListener('abort', cancelled);
      };
      const start = (): void => {
        forget();
        resolve();
      };
      const mine = { org, start };
      signal?.addEventListener('abort', cancelled, { once: true });
      waiting.push(mine);
    });

  /** Rejects with `unavailable` when it waits for too long, and with the signal's reason when that is aborted. */
  return async <T>(org: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    signal?.throwIfAborted();
    if (isBusy) await turnOf(org, signal);
    isBusy = true;
    lastOrg = org;
    try {
      return await work();
    } finally {
      next();
    }
  };
};
