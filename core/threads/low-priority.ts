import { setPriority } from 'node:os';

/**
 * Nice level for background work: a tenth of the processor time of a thread that answers calls, when both
 * want it.
 */
const LOW = 10;
/** Nice level for work that calls soon need: a third. */
export const BEHIND_CALLS = 5;

/**
 * Lowers this thread's priority. Only Linux has priorities per thread; elsewhere it would be the whole
 * process's.
 */
export const lowerPriority = (level = LOW): void => {
  try {
    if (process.platform === 'linux') setPriority(level);
  } catch {
    // A sandbox may forbid it; the thread works without it.
  }
};
