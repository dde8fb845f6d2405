import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Nice level for background work: a tenth of the processor time of a thread that answers calls, when both
 * want it.
 */
export const LOW = 10;
/** Nice level for work that calls soon need: a third. */
export const BEHIND_CALLS = 5;

/** Does it where threads have priorities of their own: only on Linux. Elsewhere they are a process's. */
const perThread = (lower: () => void): void => {
  try {
    if (process.platform === 'linux') lower();
  } catch {
    // A sandbox may forbid it; the threads work without it.
  }
};

/** Lowers this thread's priority, and that of the threads that it starts from now on. */
export const lowerPriority = (level = LOW): void => perThread(() => setPriority(level));

const THREADS = '/proc/self/task';
/** The name that the kernel knows V8's own threads by. */
const V8_THREAD = 'V8Worker';

/**
 * Lowers the priority of V8's own threads, which were started before any code of ours ran and serve all
 * heaps of the process: they mark, sweep and compile. On few processors they would take turns, as equals,
 * with the thread that answers calls.
 */
export const lowerV8Threads = (level = BEHIND_CALLS): void =>
  perThread(() => {
    const isOfV8 = (id: string) => readFileSync(`${THREADS}/${id}/comm`, 'utf8').startsWith(V8_THREAD);
    for (const id of readdirSync(THREADS).filter(isOfV8)) setPriority(Number(id), level);
  });
