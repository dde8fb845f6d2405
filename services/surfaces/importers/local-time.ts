import { Temporal } from 'temporal-polyfill';

/** What a wall clock showed. */
export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** IANA names (Europe/Berlin) and offsets (+05:30). */
export const isTimeZone = (name: string): boolean => {
  try {
    Temporal.PlainDate.from('2026-01-01').toZonedDateTime(name);
    return true;
  } catch {
    return false;
  }
};

/**
 * Unix milliseconds of a wall-clock time in a zone. An hour that occurs twice, when summer time ends, is the
 * first of the two; one that is skipped, when it begins, uses the earlier offset, so that 02:30 is 03:30.
 * That is `compatible` of RFC 5545 and ECMA-262's Temporal. It depends on nothing else, so that a line means
 * the same instant in every export.
 */
export const makeInstants = (timeZone: string): ((time: WallTime) => number) => {
  return time =>
    Temporal.PlainDateTime.from({ ...time }, { overflow: 'reject' }).toZonedDateTime(timeZone, {
      disambiguation: 'compatible',
    }).epochMilliseconds;
};

/** The first and last millisecond of a day, `2026-03-01`, in a zone. RangeError if there is no such day. */
export const dayIn = (day: string, timeZone: string): [first: number, last: number] => {
  const date = Temporal.PlainDate.from(day, { overflow: 'reject' });
  const start = (of: Temporal.PlainDate): number => of.toZonedDateTime(timeZone).epochMilliseconds;
  return [start(date), start(date.add({ days: 1 })) - 1];
};
