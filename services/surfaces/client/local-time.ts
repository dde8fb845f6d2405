/** The time where this program runs: on the machine of whoever types the command, or talks to the agent. */

import { speakersClock } from './speakers-clock.ts';

/**
 * Returns its offset at an instant, in minutes to the east of UTC; undefined in UTC, as machines that serve
 * others are set.
 *
 * @param at Unix milliseconds
 */
export const localOffset = (at: number): number | undefined => -new Date(at).getTimezoneOffset() || undefined;

/** Returns the instant as RFC 3339 with the local offset, in which the days of what is said count. */
export const localInstant = (at: number): string => {
  const offset = localOffset(at);
  if (offset === undefined) return new Date(at).toISOString();
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.abs(offset);
  const written = `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return speakersClock(at, offset) + written;
};
