/**
 * Calendar arithmetic in UTC. A day is its midnight in Unix milliseconds; months count from 0, weeks begin on
 * Monday.
 */
export const DAY = 86_400_000;

// biome-ignore format: one table
export const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December',
] as const;
/** As a pattern, in lower case. */
export const ANY_MONTH = MONTHS.join('|').toLowerCase();

export const dayOf = (timestamp: number): number => Math.floor(timestamp / DAY) * DAY;
export const yearOf = (day: number): number => new Date(day).getUTCFullYear();
export const monthOf = (day: number): number => new Date(day).getUTCMonth();
/** 0 = Monday … 6 = Sunday; 1 January 1970 was a Thursday. */
export const weekdayOf = (day: number): number => (((day / DAY + 3) % 7) + 7) % 7;
export const mondayOf = (day: number): number => day - weekdayOf(day) * DAY;

/** Returns the day of a calendar date; undefined if there is none (30 February). */
export function dayFrom(year: number, month: number, date: number): number | undefined {
  const day = new Date(0);
  day.setUTCFullYear(year, month, date);
  return day.getUTCMonth() === month && day.getUTCDate() === date ? day.getTime() : undefined;
}

/** A span of time named by a text: its first day and its precision. */
export interface Span {
  day: number;
  unit: 'day' | 'week' | 'weekend' | 'month' | 'year';
}

export const oneDay = (day: number): Span => ({ day, unit: 'day' });

export function addMonths(day: number, count: number): Span {
  const first = new Date(day);
  first.setUTCDate(1);
  first.setUTCMonth(first.getUTCMonth() + count);
  return { day: first.getTime(), unit: 'month' };
}

export const yearSpan = (year: number): Span => ({ day: dayFrom(year, 0, 1) ?? 0, unit: 'year' });
export const monthSpan = (year: number, month: number): Span => ({
  day: dayFrom(year, month, 1) ?? 0,
  unit: 'month',
});

/** Writes "7 May 2023", "the week of 1 May 2023", "May 2023" or "2023". */
export function spell({ day, unit }: Span): string {
  const date = new Date(day);
  const year = date.getUTCFullYear();
  if (unit === 'year') return String(year);
  const month = `${MONTHS[date.getUTCMonth()]} ${year}`;
  if (unit === 'month') return month;
  const full = `${date.getUTCDate()} ${month}`;
  return unit === 'day' ? full : `the ${unit} of ${full}`;
}

const MINUTE = 60_000;

/** Returns the time that the speaker's clock showed, as if it were UTC: days are the speaker's. */
export const localTime = (timestamp: number, utcOffset = 0): number => timestamp + utcOffset * MINUTE;

/** Returns the instant of a local time. */
export const utcTime = (local: number, utcOffset = 0): number => local - utcOffset * MINUTE;

/** Returns the speaker's day as YYYY-MM-DD. */
export const localDay = (timestamp: number, utcOffset?: number): string =>
  new Date(localTime(timestamp, utcOffset)).toISOString().slice(0, 10);

/**
 * Returns when a day begins that was named at `timestamp`. It is the UTC day, so that it reads as the day
 * that was said, unless that would be after the moment at which it was today, or before one at which it was
 * to come.
 *
 * @param start the day's midnight, Unix milliseconds as UTC
 */
export function beginning(start: number, timestamp: number, utcOffset: number): number {
  const isToCome = start > localTime(timestamp, utcOffset);
  if (isToCome) return start > timestamp ? start : start - utcOffset * MINUTE;
  return Math.min(start, timestamp);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns an ISO 8601 label: "2023-05-07", "2023-W18" (also for a weekend), "2023-05", "2023". */
export function isoLabel({ day, unit }: Span): string {
  const date = new Date(day);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  if (unit === 'year') return year;
  if (unit === 'month') return `${year}-${two(date.getUTCMonth() + 1)}`;
  if (unit === 'day') return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  // ISO 8601: a week belongs to the year of its Thursday.
  const thursday = mondayOf(day) + 3 * DAY;
  const isoYear = yearOf(thursday);
  const week = Math.floor((thursday - yearSpan(isoYear).day) / (7 * DAY)) + 1;
  return `${String(isoYear).padStart(4, '0')}-W${two(week)}`;
}
