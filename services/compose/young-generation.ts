import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The size of both semi-spaces together: new objects, and the copies of the survivors. */
const ENOUGH_BYTES = 32 * 1024 * 1024;

/**
 * The size that a thread's old generation may have before it is collected for the first time. A thread keeps
 * 20 to 30 MB (tables, prepared statements, caches): by V8's own measure it would be marked anew after every
 * few megabytes of garbage.
 */
const FIRST_OLD_MB = 64;

/**
 * Keeps the main thread's young generation from growing to 128 MiB, as V8 does under load: few objects of a
 * request survive, and a quarter of that size collects as fast. Only the command line can set its limit, and
 * the service is started in many ways. Therefore its growth factor, which V8 reads each time, is set to 1
 * when the space is large enough, and back to 2 when V8 has shrunk it in a quiet period.
 *
 * The flags apply to the whole process. Threads that start after this call have their own limits
 * (`resourceLimits`) and start at their full size, so the factor does not affect them.
 */
export const limitYoungGeneration = (): void => {
  setFlagsFromString('--min-semi-space-size=16');
  setFlagsFromString(`--initial-old-space-size=${FIRST_OLD_MB}`);
  let enough = false;
  new PerformanceObserver(() => {
    const size = getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.space_size ?? 0;
    if (size >= ENOUGH_BYTES === enough) return;
    enough = !enough;
    setFlagsFromString(`--semi-space-growth-factor=${enough ? 1 : 2}`);
  }).observe({ entryTypes: ['gc'] });
};
