import type { Positions } from '../ports.ts';

const PROJECTED = /^(turns|observations|usage|accounts)\//;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Events that a projection reads up to these ends. */
export const eventsUntil = (ends: Positions): number =>
  sum(Object.entries(ends).map(([place, end]) => (PROJECTED.test(place) ? end : 0)));

/** Events that a projection at these positions does not show. */
export const eventsBehind = (positions: Positions, ends: Positions): number =>
  sum(
    Object.entries(ends).map(([place, end]) =>
      PROJECTED.test(place) ? Math.max(end - (positions[place] ?? 0), 0) : 0,
    ),
  );

/** Whether `positions` has come to `others` everywhere. */
export const hasReached = (positions: Positions, others: Positions): boolean =>
  Object.entries(others).every(([place, offset]) => (positions[place] ?? 0) >= offset);

export const ofAccounts = (positions: Positions): Positions =>
  Object.fromEntries(Object.entries(positions).filter(([place]) => place.startsWith('accounts/')));
