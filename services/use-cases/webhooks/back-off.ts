import { DAY_MS, HOUR_MS } from '../../../core/time.ts';

const FIRST_MS = 5_000;
const GROWS = 3;
const LONGEST_MS = HOUR_MS;
/** The share by which a pause is shorter or longer: who failed together is not called together. */
const SPREAD = 0.2;

/** For how long a receiver may fail before its webhook is paused. */
export const FAILS_FOR_MS = DAY_MS;

/**
 * Returns how long to wait after so many failures in a row: 5 s, 15 s, 45 s and so on up to an hour.
 *
 * @param random in [0, 1)
 */
export const pauseAfter = (failures: number, random: number): number => {
  const pause = Math.min(LONGEST_MS, FIRST_MS * GROWS ** (failures - 1));
  return Math.round(pause * (1 - SPREAD + 2 * SPREAD * random));
};
