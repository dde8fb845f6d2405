import type { Stance } from '../../../schemas/facts.ts';
import { DAY } from '../../extraction/dates/calendar.ts';

/** A change within so many days before it is told is news: it stands from when it is told. */
const NEWS = 90 * DAY;

/** How a fact is said that doesn't tell. */
export const defaultStance = (
  { ended, validFrom }: { ended: boolean; validFrom: number | undefined },
  timestamp: number,
): Stance => {
  if (validFrom !== undefined && validFrom > timestamp) return 'plan';
  return ended ? 'changed' : 'holds';
};

/**
 * Returns the last moment of the period that begins then: of a year or a month ("in 2019", "in May"), which
 * are told by their beginning. Anything else is its own end.
 */
const endOf = (moment: number): number => {
  if (moment % DAY !== 0) return moment;
  const date = new Date(moment);
  if (date.getUTCDate() !== 1) return moment;
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return (month === 0 ? Date.UTC(year + 1, 0) : Date.UTC(year, month + 1)) - 1;
};

/**
 * Returns the standing time of a fact, by which facts are ordered: Unix milliseconds. Undefined for a plan
 * without a beginning, which is no value.
 *
 * @param timestamp when it was said
 */
export const standingTime = (
  { stance, validFrom }: { stance: Stance; validFrom?: number | undefined },
  timestamp: number,
): number | undefined => {
  if (stance === 'plan') return validFrom;
  if (stance !== 'changed' || validFrom === undefined) return timestamp;
  const at = Math.min(endOf(validFrom), timestamp);
  return at >= timestamp - NEWS ? timestamp : at;
};
