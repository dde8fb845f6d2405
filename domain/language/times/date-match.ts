import { localTime } from '../../extraction/dates/calendar.ts';
import type { AskedSpan } from './asked-times.ts';
import type { QueryDate } from './query-dates.ts';

const DAY = 86_400_000;
/** People report events some days after they happened. */
const DAYS_AFTER = 4;
/** A span up to this length is matched as a day is, a longer one as a month. */
const SHORT = 9 * DAY;
const MONTH = 31 * DAY;

export interface DateMatch {
  /** Said in the month (or year, if only that is named) of a date in the query. */
  month: number;
  /**
   * Said on the day of a date, or with a lower value on one of the four days after it; in any year if the
   * query names none.
   */
  day: number;
  /** Said in the month after that of a date. */
  monthAfter: number;
  /** −1 if the query has a sharp span and the turn is neither in one of the spans nor soon after; else 0. */
  askedTime: number;
}

/** The times of a question. */
interface Times {
  dates: readonly QueryDate[];
  spans: readonly AskedSpan[];
  /** Where `dates` are days, minutes to the east of UTC. Default: 0. */
  utcOffset?: number | undefined;
}

/** Returns how well a turn's time matches the dates of the query, 0 to 1, and its spans. */
export const dateMatch = ({ dates, spans, utcOffset = 0 }: Times, timestamp: number): DateMatch => {
  const match = { month: 0, day: 0, monthAfter: 0, askedTime: spans.some(({ isSharp }) => isSharp) ? -1 : 0 };
  for (const span of spans) addSpan(match, span, timestamp);
  if (dates.length === 0) return match;
  const there = localTime(timestamp, utcOffset);
  const said = new Date(there);
  const saidYear = said.getUTCFullYear();
  const saidMonth = said.getUTCMonth() + 1;
  for (const { year, month, day } of dates) {
    if (month === undefined) {
      if (year === saidYear) match.month = 1;
      continue;
    }
    if (saidMonth === month && (year === undefined || year === saidYear)) match.month = 1;
    const following = month === 12 ? { month: 1, year: year && year + 1 } : { month: month + 1, year };
    if (saidMonth === following.month && (following.year === undefined || following.year === saidYear)) {
      match.monthAfter = 1;
    }
    if (day !== undefined) {
      const years = year === undefined ? [saidYear - 1, saidYear] : [year];
      for (const candidate of years) {
        const days = Math.floor((there - Date.UTC(candidate, month - 1, day)) / DAY);
        if (days >= 0 && days <= DAYS_AFTER) match.day = Math.max(match.day, 1 - days / (DAYS_AFTER + 1));
      }
    }
  }
  return match;
};

export const isShort = ({ from, to }: AskedSpan): boolean => to - from <= SHORT;

/** Returns the exclusive end of the time in which turns may tell of the span. */
export const endOfSpan = (span: AskedSpan): number => {
  if (!span.toldLater) return span.to;
  return span.to + (isShort(span) ? DAYS_AFTER * DAY : MONTH);
};

const addSpan = (match: DateMatch, span: AskedSpan, timestamp: number): void => {
  const { from, to } = span;
  // A day of slack: it may have been said elsewhere, or told after midnight.
  if (timestamp >= from - DAY && timestamp < endOfSpan(span) + DAY) match.askedTime = 0;
  if (timestamp < from || timestamp >= endOfSpan(span)) return;
  const days = timestamp < to ? 0 : Math.floor((timestamp - to) / DAY) + 1;
  if (days === 0 || isShort(span)) match.month = 1;
  else match.monthAfter = 1;
  if (isShort(span)) match.day = Math.max(match.day, 1 - days / (DAYS_AFTER + 1));
};
