import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogGuard } from './log-guard.ts';

const JOIN_AGAIN_MS = 2_000;

interface Joined {
  close(): Promise<void>;
}

/**
 * Joins once the log was found whole. A join that fails is repeated, like everything that a projector does.
 */
export const joinWhenWhole = (
  { whole }: Pick<LogGuard, 'whole'>,
  join: () => Promise<Joined>,
  onTrouble: (error: unknown) => void,
) => {
  let consumer: Joined | undefined;
  const closing = new AbortController();
  const closed = once(closing.signal, 'abort').then(() => 'closed' as const);
  const joining = (async () => {
    if ((await Promise.race([whole(), closed])) === 'closed') return;
    while (!closing.signal.aborted && !consumer) {
      try {
        consumer = await join();
      } catch (error) {
        onTrouble(error);
        await pause(JOIN_AGAIN_MS, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  })();
  return {
    hasJoined: (): boolean => consumer !== undefined,
    close: async (): Promise<void> => {
      closing.abort();
      await joining;
      await consumer?.close();
    },
  };
};
