import { messageOf, type Report } from '../../workers/report.ts';
import { startThread, type Thread, type ThreadOptions } from './start-thread.ts';
import type { ThreadOrder } from './thread-data.ts';

/** Back-off between two starts. The longest is shorter than the time after which trouble counts as over. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** A thread that ran for this long had started well: the back-off begins anew. */
const STEADY_MS = 60_000;

/** A start's options; `threadDied`: it replaces a thread that ended by itself. */
export type NextThread = (threadDied: boolean) => Omit<ThreadOptions, 'onReport' | 'onEnded'>;

/**
 * A thread that is replaced, with back-off, whenever it ends by itself: nothing is lost, since its records
 * stay in the log. Each end is reported as trouble. Rejects when the first thread can't start.
 */
export const keepThread = async (next: NextThread, onReport: (report: Report) => void): Promise<Thread> => {
  let thread: Thread | undefined;
  let order: ThreadOrder | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let closing = false;
  let restart: NodeJS.Timeout | undefined;
  let starting: Promise<void> = Promise.resolve();

  const start = async (threadDied: boolean): Promise<void> => {
    let startedAt = performance.now();
    const started = await startThread({
      ...next(threadDied),
      onReport,
      onEnded: reason => {
        thread = undefined;
        if (performance.now() - startedAt > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
        replace(reason);
      },
    });
    startedAt = performance.now();
    thread = started;
    // Repeat the order to hold, which was lost with the previous thread.
    if (order !== undefined) started.send(order);
    if (closing) await started.close();
  };

  const replace = (reason: string): void => {
    if (closing) return;
    onReport({ kind: 'trouble', message: reason });
    restart = setTimeout(() => {
      starting = start(true).catch(error => replace(messageOf(error)));
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };

  await start(false).catch(error => {
    // Its first step began before it could say that it runs; any other fault is one of the start itself.
    if (error?.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    replace(messageOf(error));
  });
  return {
    send: sent => {
      order = sent === 'resume' ? undefined : sent;
      thread?.send(sent);
    },
    close: async () => {
      closing = true;
      clearTimeout(restart);
      await starting;
      await thread?.close();
    },
  };
};
