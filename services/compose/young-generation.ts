import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both halves: what is new, and where what survives of it is copied to. */
const ENOUGH_BYTES = 32 * 1024 * 1024;

/**
 * Keeps the main thread's space for new objects from growing to 128 MiB, where V8 lets it come to under load: requests
 * leave little behind, and a quarter of it collects as fast. Nothing but the command line can set its limit, and the
 * service is started in many ways; so its growth, a factor that V8 reads each time, ends when the space is large
 * enough, and goes on when V8 has made it smaller in a quiet hour.
 *
 * The flags are the whole process's. Threads that start after this call have limits of their own (`resourceLimits`)
 * and begin with all that they may have, so that the factor is nothing to them.
 */
export const limitYoungGeneration = (): void => {
  setFlagsFromString('--min-semi-space-size=16');
  let enough = false;
  new PerformanceObserver(() => {
    const size = getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.space_size ?? 0;
    if (size >= ENOUGH_BYTES === enough) return;
    enough = !enough;
    setFlagsFromString(`--semi-space-growth-factor=${enough ? 1 : 2}`);
  }).observe({ entryTypes: ['gc'] });
};
