import type { KeyStore } from '../../core/ports.ts';
import { repeat } from '../../core/timing/repeat.ts';
import type { Log } from '../../core/watch/logger.ts';

/**
 * How often a process looks for data left behind by destroyed keys. It can't be read any more, so this is not
 * urgent.
 */
const EVERY_MS = 2_000;

/**
 * Removes in the background what the keys of erased users had wrapped. Any number of processes may do it at
 * once; what one leaves because it fails or ends is found by the next look of any of them.
 */
export const startKeySweep = (
  { sweep }: Pick<KeyStore, 'sweep'>,
  logger: Pick<Log, 'info' | 'warn'>,
  everyMs = EVERY_MS,
): { close(): Promise<void> } => {
  let isFailing = false;
  const sweepOnce = async (signal: AbortSignal): Promise<void> => {
    try {
      const removed = await sweep(signal);
      isFailing = false;
      if (removed > 0) logger.info({ removed }, 'keys of erased sessions were removed');
    } catch (error) {
      if (signal.aborted) return;
      // Once an outage, however long.
      if (!isFailing)
        logger.warn(
          { reason: error instanceof Error ? error.message : 'unknown fault' },
          'keys of erased sessions could not be removed yet; nothing can be read with them',
        );
      isFailing = true;
    }
  };
  return repeat(sweepOnce, everyMs);
};
