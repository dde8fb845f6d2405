import { Temporal } from 'temporal-polyfill';

/** A time as shown by a wall clock. */
export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

/** Accepts IANA names (Europe/Berlin) and offsets (+05:30). */
export const isTimeZone = (name: string): boolean => {
  try {
    Temporal.PlainDate.from('2026-01-01').toZonedDateTime(name);
    return true;
  } catch {
    return false;
  }
};

/**
 * Converts a wall-clock time in a zone to Unix milliseconds. For an hour that occurs twice, when summer time
 * ends, the first one is used; for an hour that is skipped, when summer time begins, the earlier offset is
 * used, so 02:30 means 03:30. This is `compatible` in RFC 5545 and ECMA-262's Temporal. The result depends on
 * nothing else, so a line means the same instant in every export.
 */
export const makeInstants = (timeZone: string): ((time: WallTime) => number) => {
  return time =>
    Temporal.PlainDateTime.from({ ...time }, { overflow: 'reject' }).toZonedDateTime(timeZone, {
      disambiguation: 'compatible',
    }).epochMilliseconds;
};

/**
 * Returns the first and last millisecond of a day, `2026-03-01`, in a zone. Throws a RangeError if there is
 * no such day.
 */
export const dayIn = (day: string, timeZone: string): [first: number, last: number] => {
  const date = Temporal.PlainDate.from(day, { overflow: 'reject' });
  const start = (of: Temporal.PlainDate): number => of.toZonedDateTime(timeZone).epochMilliseconds;
  return [start(date), start(date.add({ days: 1 })) - 1];
};
