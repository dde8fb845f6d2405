import type { Decode } from '../core/log/events.ts';
import { rememberLogged } from '../core/log/logged.ts';
import { eventsBetween, hasReached, positionsIn } from '../core/log/positions.ts';
import type { EventLog, Logged } from '../core/ports.ts';
import type { Progress } from '../workers/progress.ts';

export interface CatchUp {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  projector: Pick<Progress, 'until' | 'positions'>;
  /** The most events in the tail at the start; with more, the projector catches up first. */
  mostInTail: () => number;
  remember: (event: Logged) => void;
  isProjected: (eventId: string) => boolean;
}

/** Topics that delay the start. Observations don't: no caller waits for them. */
const AWAITED = ['turns', 'usage', 'accounts'] as const;

/**
 * Resolves when calls can be answered: accounts are projected, and all other unprojected events are in the tail. Rejects
 * when the projector stops before that.
 */
export const catchUp = async ({
  log,
  decode,
  projector,
  mostInTail,
  remember,
  isProjected,
}: CatchUp): Promise<void> => {
  const ends = await log.ends();
  await projector.until(
    positions =>
      eventsBetween(positions, positionsIn(ends, AWAITED)) <= mostInTail() &&
      hasReached(positions, positionsIn(ends, ['accounts'])),
  );
  await rememberLogged({ log, decode, remember, isProjected, positions: projector.positions(), ends });
};
