import { setPriority } from 'node:os';

const LOW_PRIORITY = 10;

/** Lowers this thread's priority. Only Linux has priorities per thread; elsewhere it would be the whole process's. */
export const lowerPriority = (): void => {
  try {
    if (process.platform === 'linux') setPriority(LOW_PRIORITY);
  } catch {
    // A sandbox may forbid it; the thread works without it.
  }
};
