import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/**
 * How busy the service is with what somebody waits for, in memory that all threads see. The enricher steps aside by
 * it: on few cores its low priority is not enough, since what it does in the gaps still takes caches, the disk and the
 * projector's time.
 */
const UTILISATION = 0;
const BACKLOG = 1;

export const makeSharedLoad = (): SharedArrayBuffer => new SharedArrayBuffer(8);

/** Reports the tail and how busy the busier of two event loops is, requests' and searches', ten times a second. */
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

/** Events in the tail beyond which somebody's writes wait for the projector. */
const BEHIND = 500;
/** Even then one part in nine is the enricher's, or it would drain for minutes after a load of one. */
const SHARE_BEHIND = 8;
/** With a loop busy more than half of the time the enricher takes a quarter. */
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
