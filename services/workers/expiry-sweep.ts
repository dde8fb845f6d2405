import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import type { Sweeping } from '../../core/ports/projection/projection-store.ts';
import { repeat } from '../../core/timing/repeat.ts';

/** An answer that began before a moment may still be reading what expires then. */
const GRACE_MS = 10_000;
/** How often the clock is looked at. */
const LOOK_MS = 1_000;

export interface ExpirySweepOptions {
  clock: () => number;
  upTo: () => Promise<number | undefined>;
  everyMs: number;
  graceMs?: number;
}

/**
 * Removes expired data from read models, in the background and in steps. Any number of processes may do it at
 * once; data that one leaves because it fails or ends is found by the next round of any of them. It is not
 * urgent: no answer shows expired data. `everyMs` is measured on `clock`, which may jump: after a machine
 * slept, a sweep is due at once. `upTo`: the instant by which what has expired may be destroyed; undefined:
 * none for now.
 */
export const startExpirySweep = (
  { sweep }: Sweeping,
  { clock, upTo, everyMs, graceMs = GRACE_MS }: ExpirySweepOptions,
  onFault: (error: unknown) => void,
): { close(): Promise<void> } => {
  let isFailing = false;
  let sweptAt = clock();
  return repeat(
    async signal => {
      if (Math.abs(clock() - sweptAt) < everyMs) return;
      const yieldWhenDue = makeYieldWhenDue();
      try {
        const past = await upTo();
        while (past !== undefined && !signal.aborted && (await sweep(past - graceMs))) await yieldWhenDue();
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
