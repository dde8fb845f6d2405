import type { ReplayMessage } from '../../../core/operator/replay-messages.ts';
import type { ReplayProgress } from '../../../core/ports/projection/generations.ts';

/** The rate is measured over this window. */
const RATE_OVER_MS = 5_000;
const REPORT_EVERY_MS = 500;

/**
 * Events a second, and the time left at that rate, from samples of the last seconds. `clock`: milliseconds.
 */
export const makeRate = (clock: () => number) => {
  const samples: { at: number; events: number }[] = [];
  return (events: number, total: number): { eventsPerSecond: number; secondsLeft: number | null } => {
    const at = clock();
    samples.push({ at, events });
    while (samples.length > 2 && at - samples[0]!.at > RATE_OVER_MS) samples.shift();
    const first = samples[0]!;
    const rate = at > first.at ? ((events - first.events) * 1_000) / (at - first.at) : 0;
    return {
      eventsPerSecond: Math.round(rate),
      secondsLeft: rate > 0 ? Math.ceil((total - events) / rate) : null,
    };
  };
};

/**
 * Progress messages of a replay, throttled so that people can read them; the last message of a build is
 * always sent.
 */
export const makeProgressReport = (clock: () => number) => {
  const rate = makeRate(clock);
  return async function* (read: AsyncIterable<ReplayProgress>): AsyncGenerator<ReplayMessage> {
    let reported = Number.NEGATIVE_INFINITY;
    let phase: string | undefined;
    let pending: ReplayMessage | undefined;
    for await (const step of read) {
      const total = Math.max(step.total, step.events);
      pending = { kind: 'progress', ...step, total, ...rate(step.events, total) };
      if (step.phase === phase && clock() - reported < REPORT_EVERY_MS) continue;
      reported = clock();
      phase = step.phase;
      yield pending;
      pending = undefined;
    }
    if (pending) yield pending;
  };
};
