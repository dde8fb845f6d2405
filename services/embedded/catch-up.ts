import type { Decode } from '../../core/log/events.ts';
import { rememberLogged } from '../../core/log/logged.ts';
import { eventsBetween, hasReached, positionsIn } from '../../core/log/positions.ts';
import type { EventLog } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { TailBound, Unsettled } from '../../infra/embedded/admission/unsettled.ts';
import type { Progress } from '../workers/progress.ts';
import { unappliedRemovals } from './unapplied-removals.ts';

interface CatchUp {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  projector: Pick<Progress, 'until' | 'positions' | 'stopped'>;
  /** The most in the tail at the start; with more, the projector catches up first. */
  mostInTail: () => TailBound;
  tail: Pick<Unsettled, 'add' | 'below'>;
  isProjected: (eventId: string) => boolean;
  /** Whether the serving generation was written by another release: its projector stands still. */
  isFrozen: () => boolean;
}

/** How often a wait for the projector looks whether it has stopped. */
const PATIENCE_MS = 1_000;
/** Topics that delay the start. Observations don't: no caller waits for them. */
const AWAITED = ['turns', 'usage', 'accounts'] as const;

/**
 * Resolves when calls can be answered: accounts are projected, and so is whatever takes words away, since a
 * file that has lost its last commits to a power cut, or was restored, still shows them. All other
 * unprojected events are in the tail. Rejects when the projector stops before that.
 */
const catchUp = async ({
  log,
  decode,
  projector,
  mostInTail,
  tail,
  isProjected,
  isFrozen,
}: CatchUp): Promise<void> => {
  const ends = await log.ends();
  await projector.until(
    positions =>
      eventsBetween(positions, positionsIn(ends, AWAITED)) <= mostInTail().events &&
      hasReached(positions, positionsIn(ends, ['accounts'])),
  );
  await rememberLogged({
    log,
    decode,
    remember: tail.add,
    // The bytes of events are known once they are read: when there are too many, what is next waits for the
    // projector.
    room: async () => {
      while (!(await tail.below(mostInTail(), PATIENCE_MS)))
        if (projector.stopped()) throw new Error('the projector has stopped');
    },
    isProjected,
    positions: projector.positions(),
    ends,
  });
  const removals = await unappliedRemovals(log, { from: projector.positions(), to: ends });
  await projector.until(positions => isFrozen() || hasReached(positions, removals));
};

/** Stage 5 of open.ts: puts the log's unprojected events back into the tail; then calls can be answered. */
export const fillTail = (
  { closing, ...options }: CatchUp & { isDamaged: () => boolean; closing: AbortSignal },
  logger: Log,
) => {
  let isCaughtUp = false;
  const caughtUp = catchUp(options).then(() => {
    isCaughtUp = true;
  });
  // Waiting callers get the failure; without any, it must not end the process as an unhandled rejection.
  caughtUp.catch(error => {
    // An operator's command may end before it: its files are closed under it.
    if (!closing.aborted) logger.error({ err: error }, 'catching up with the log failed');
  });
  return { caughtUp, isCaughtUp: () => isCaughtUp && !options.isDamaged() };
};
