import { setPriority } from 'node:os';

const LOW_PRIORITY = 10;

/** This thread gives way to the others. Linux alone has a priority for each thread; elsewhere it would be the whole process's. */
export const lowerPriority = (): void => {
  try {
    if (process.platform === 'linux') setPriority(LOW_PRIORITY);
  } catch {
    // A sandbox may forbid it: a courtesy, not a need.
  }
};
