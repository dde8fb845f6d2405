import { setTimeout as pause } from 'node:timers/promises';
import { eventsBetween, eventsUntil, hasReached, positionsIn } from '../../../core/log/positions.ts';
import type { ReplayMessage } from '../../../core/operator/replay-messages.ts';
import type { Positions } from '../../../core/ports.ts';

/** The progress of the vectors of the log's turns, for the model that is to serve. */
export interface VectorsOfLog {
  ends: () => Promise<Positions>;
  /** Next offsets of the consumer that makes the vectors. */
  embedded: () => Promise<Positions>;
}

const LOOK_EVERY_MS = 500;

/**
 * Waits until every turn that is in the log now has been given to the model: for as long as the model takes.
 */
export async function* untilEmbedded(
  { ends, embedded }: VectorsOfLog,
  signal: AbortSignal,
): AsyncGenerator<ReplayMessage> {
  const wanted = positionsIn(await ends(), ['turns']);
  const total = eventsUntil(wanted);
  const started = performance.now();
  let first: number | undefined;
  while (!signal.aborted) {
    const reached = positionsIn(await embedded(), ['turns']);
    if (hasReached(reached, wanted)) return;
    const events = total - eventsBetween(reached, wanted);
    first ??= events;
    const seconds = (performance.now() - started) / 1_000;
    const eventsPerSecond = seconds > 0 ? (events - first) / seconds : 0;
    yield {
      kind: 'progress',
      phase: 'embedding',
      events,
      total,
      eventsPerSecond: Math.round(eventsPerSecond),
      secondsLeft: eventsPerSecond > 0 ? Math.ceil((total - events) / eventsPerSecond) : null,
    };
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
