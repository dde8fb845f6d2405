import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/**
 * How busy the service is with work that callers wait for, in memory that all threads share. The enricher
 * pauses by it: on few cores its low priority is not enough, since its work in the gaps still takes caches,
 * the disk and the projector's time.
 */
const UTILISATION = 0;
const BACKLOG = 1;

export const makeSharedLoad = (): SharedArrayBuffer => new SharedArrayBuffer(8);

/**
 * Reports the tail's size and the utilization of the busier event loop, requests' or searches', ten times a
 * second.
 */
export const reportLoad = (
  shared: SharedArrayBuffer,
  searches: () => EventLoopUtilization,
  backlog: () => number,
): NodeJS.Timeout => {
  const load = new Int32Array(shared);
  const loops = [() => performance.eventLoopUtilization(), searches];
  let last = loops.map(loop => loop());
  return setInterval(() => {
    const now = loops.map(loop => loop());
    const shares = now.map((each, i) => performance.eventLoopUtilization(each, last[i]).utilization);
    Atomics.store(load, UTILISATION, Math.round(Math.max(...shares) * 1_000));
    Atomics.store(load, BACKLOG, backlog());
    last = now;
  }, 100).unref();
};

/** With more events in the tail than this, callers' writes wait for the projector. */
const BEHIND = 500;
/**
 * Even then the enricher runs for a ninth of the time, or it would need minutes to catch up after a minute of
 * load.
 */
const SHARE_BEHIND = 8;
/** With a loop busy for more than half of the time, the enricher runs for a quarter of it. */
const BUSY = 500;
const SHARE_BUSY = 3;
const LONGEST_PAUSE_MS = 1_000;

/** Pauses after a step of `stepMs` while the service is busy. */
export const makePace = (shared: SharedArrayBuffer): ((stepMs: number) => Promise<void>) => {
  const load = new Int32Array(shared);
  return async stepMs => {
    const behind = Atomics.load(load, BACKLOG) > BEHIND;
    if (!behind && Atomics.load(load, UTILISATION) <= BUSY) return;
    const pause = Math.min(stepMs * (behind ? SHARE_BEHIND : SHARE_BUSY), LONGEST_PAUSE_MS);
    await new Promise(resolve => setTimeout(resolve, pause));
  };
};
