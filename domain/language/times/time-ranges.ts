/** Ranges of days, weeks, months and seasons, relative to a day. */
import { addMonths, DAY, dayFrom, mondayOf, weekdayOf, yearOf } from '../../extraction/dates/calendar.ts';
import { FEW, NUMBER, number, WEEKDAYS } from '../../extraction/dates/date-words.ts';

/** Unix milliseconds, UTC; `to` is exclusive. */
export interface TimeRange {
  from: number;
  to: number;
}

export const UNITS = '(day|night|week|weekend|fortnight|month|year)s?';
export type Unit = 'day' | 'night' | 'week' | 'weekend' | 'fortnight' | 'month' | 'year';

/** Returns milliseconds; for a month and a year, the mean. */
export const lengthOf = (unit: string): number => LENGTHS[unit.toLowerCase() as Unit];
const LENGTHS: Record<Unit, number> = {
  day: DAY,
  night: DAY,
  week: 7 * DAY,
  weekend: 7 * DAY,
  fortnight: 14 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

/** Matches counts: "3", "three", "a few", "a couple of", "2-3", "two or three", "1.5". */
const ONE_COUNT = `\\d{1,2}\\.5|${NUMBER}|${FEW}|couple(?: of)?`;
export const COUNT = `((?:${ONE_COUNT})(?:(?: ?[-–] ?| to | or )(?:${NUMBER}))?)`;
const BOTH = new RegExp(`^(${ONE_COUNT})(?: ?[-–] ?| to | or )(${NUMBER})$`, 'i');

/**
 * Returns the bounds of a count: "a few" is anything from two to five, and "1.5" from one to two.
 *
 * @param words a match of COUNT
 */
export const counted = (words: string): { least: number; most: number } => {
  const lower = words.toLowerCase();
  const both = BOTH.exec(lower);
  if (both) return { least: counted(both[1]!).least, most: counted(both[2]!).most };
  if (/couple/.test(lower)) return { least: 1, most: 3 };
  if (/few|several|some|many|number/.test(lower)) return { least: 2, most: 5 };
  if (lower.endsWith('.5')) return { least: Math.floor(Number(lower)), most: Math.ceil(Number(lower)) };
  return { least: number(lower), most: number(lower) };
};

export const days = (from: number, count = 1): TimeRange => ({ from, to: from + count * DAY });

export const months = (day: number, by: number, count = 1): TimeRange => ({
  from: addMonths(day, by).day,
  to: addMonths(day, by + count).day,
});

export const yearRange = (number: number): TimeRange => months(dayFrom(number, 0, 1)!, 0, 12);

/** Returns the week, month or year of a day, or one `by` units later (negative: earlier). */
export const unitFrom = (day: number, unit: string, by: number): TimeRange => {
  switch (unit.toLowerCase() as Unit) {
    case 'day':
    case 'night':
      return days(day + by * DAY);
    case 'week':
      return days(mondayOf(day) + by * 7 * DAY, 7);
    case 'fortnight':
      return days(mondayOf(day) + by * 14 * DAY, 14);
    case 'weekend':
      // Before the next weekend has begun, the last one is one ago.
      return weekend(day, weekdayOf(day) < 5 ? by + 1 : by);
    case 'month':
      return months(day, by);
    case 'year':
      return yearRange(yearOf(day) + by);
  }
};

/** Returns the last weekend that has begun, or one `by` weeks later (negative: earlier). */
export const weekend = (day: number, by: number): TimeRange => {
  const begun = weekdayOf(day) >= 5 ? 0 : -7;
  return days(mondayOf(day) + (5 + begun + 7 * by) * DAY, 2);
};

/** Returns the last such weekday before a day. */
export const weekdayBefore = (name: string, day: number): TimeRange =>
  days(day - (((weekdayOf(day) - WEEKDAYS.indexOf(name.toLowerCase()) + 6) % 7) + 1) * DAY);

export const SEASON = '(spring|summer|autumn|fall|winter)';
const FIRST_MONTHS: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

/** Returns a northern season; a winter belongs to the year in which it begins. */
export const season = (name: string, year: number): TimeRange =>
  months(dayFrom(year, FIRST_MONTHS[name.toLowerCase()]!, 1)!, 0, 3);

/** Returns the last season of that name that has begun, or that has ended. */
export const lastSeason = (name: string, day: number, which: 'begun' | 'ended'): TimeRange => {
  const years = [0, -1, -2].map(by => season(name, yearOf(day) + by));
  return years.find(({ from, to }) => (which === 'ended' ? to <= day : from <= day))!;
};
