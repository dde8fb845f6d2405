import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import type { Sweeping } from '../../core/ports/projection/projection-store.ts';
import { repeat } from '../../core/timing/repeat.ts';

/** An answer that began before a moment may still be reading what expires then. */
const GRACE_MS = 10_000;
/** How often the clock is looked at. */
const LOOK_MS = 1_000;

/**
 * Removes expired data from read models, in the background and in steps. Any number of processes may do it at
 * once; data that one leaves because it fails or ends is found by the next round of any of them. It is not
 * urgent: no answer shows expired data. `everyMs` is measured on `clock`, which may jump: after a machine
 * slept, a sweep is due at once.
 */
export const startExpirySweep = (
  { sweep }: Sweeping,
  { clock, everyMs, graceMs = GRACE_MS }: { clock: () => number; everyMs: number; graceMs?: number },
  onFault: (error: unknown) => void,
): { close(): Promise<void> } => {
  let isFailing = false;
  let sweptAt = clock();
  return repeat(
    async signal => {
      if (Math.abs(clock() - sweptAt) < everyMs) return;
      const yieldWhenDue = makeYieldWhenDue();
      try {
        while (!signal.aborted && (await sweep(clock() - graceMs))) await yieldWhenDue();
        isFailing = false;
      } catch (error) {
        // Once an outage, however long.
        if (!isFailing && !signal.aborted) onFault(error);
        isFailing = true;
      }
      sweptAt = clock();
    },
    Math.min(LOOK_MS, everyMs),
  );
};
