import type { Decoded } from '../core/log/events.ts';
import { rememberLogged } from '../core/log/logged.ts';
import { eventsBehind, hasReached, ofAccounts } from '../core/log/positions.ts';
import type { EventLog, Logged, LogRecord, Positions } from '../core/ports.ts';
import type { Progress } from '../workers/progress.ts';

export interface CatchUp {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: (record: LogRecord) => Promise<Decoded>;
  projector: Pick<Progress, 'until' | 'positions'>;
  /** Events that the tail may hold at the start; with more to do the projector goes first. */
  mostInTail: () => number;
  remember: (event: Logged) => void;
  isProjected: (eventId: string) => boolean;
}

/** Nobody waits for them at the start. */
const withoutObservations = (positions: Positions): Positions =>
  Object.fromEntries(Object.entries(positions).filter(([place]) => !place.startsWith('observations/')));

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
      eventsBehind(withoutObservations(positions), withoutObservations(ends)) <= mostInTail() &&
      hasReached(ofAccounts(positions), ofAccounts(ends)),
  );
  await rememberLogged({ log, decode, remember, isProjected, positions: projector.positions(), ends });
};
