import type { Decode } from '../core/log/events.ts';
import { rememberLogged } from '../core/log/logged.ts';
import { eventsBetween, hasReached, positionsIn } from '../core/log/positions.ts';
import type { EventLog, Logged } from '../core/ports.ts';
import type { Progress } from '../workers/progress.ts';

export interface CatchUp {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  projector: Pick<Progress, 'until' | 'positions'>;
  /** Events that the tail may hold at the start; with more to do the projector goes first. */
  mostInTail: () => number;
  remember: (event: Logged) => void;
  isProjected: (eventId: string) => boolean;
}

/** Nobody waits for observations at the start. */
const AWAITED = ['turns', 'usage', 'accounts'] as const;

/**
 * Resolves when calls can be answered: accounts are projected, and what else the projections don't show is in the tail.
 * Rejects when the projector stops before.
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
