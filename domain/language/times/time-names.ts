/** Times by their names: "3 June", "June 2026", "early March", "summer 2025", "from 3 to 10 June". */
import { DAY, dayFrom, MONTHS, yearOf } from '../../extraction/dates/calendar.ts';
import { days, months, season, type TimeRange, yearRange } from './time-ranges.ts';

const ORDINAL = '(?:st|nd|rd|th)?';
const MONTH = `(?:${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
const DATE = `\\d{1,2}${ORDINAL}`;
const YEAR = '(?:19|20)\\d\\d';
const OF_YEAR = `,? (?:of )?`;
const PART =
  'early|mid|late|(?:the )?(?:beginning|start|middle|end|(?:first|second) half|(?:first|second|third|fourth|last) week) of';
const WHOLE = [
  '(?<iso>\\d{4}-\\d\\d(?:-\\d\\d)?)',
  `(?:the )?(?<before>${DATE})(?: of)? (?<dayMonth>${MONTH})`,
  `(?<month>${MONTH})(?: (?<after>${DATE})(?!\\d))?`,
  '(?<season>spring|summer|autumn|fall|winter)',
].join('|');
const NAMED = `(?:(?<part>${PART})[ -](?:the )?)?(?:(?:${WHOLE})(?:${OF_YEAR}(?<year>${YEAR}))?|(?<only>${YEAR}))`;
const ONE = new RegExp(`^${NAMED}$`, 'i');

/** A day, a month, a season or a year, or a part of one, for use in a pattern. */
export const TIME_NAME = `(?:${NAMED.replace(/\?<\w+>/g, '?:')})`;
/** A time that begins with a part: "in early June". */
export const PART_OF_TIME = `(?:${PART})[ -](?:the )?${TIME_NAME}`;
/**
 * Two days of one month; groups: first, last, month, year if the month follows them, or month, first, last,
 * year.
 */
export const DAYS_THEN_MONTH = `(?:the )?(${DATE}) ?(?:-|–|to|and|until|through) ?(?:the )?(${DATE})(?: of)? (${MONTH})(?! (?:be|have|not|also|well)\\b)(?:${OF_YEAR}(${YEAR}))?`;
export const MONTH_THEN_DAYS = `(${MONTH}) (${DATE}) ?(?:-|–|to|and|until|through) ?(?:the )?(${DATE})(?!\\d)(?:${OF_YEAR}(${YEAR}))?`;
/** A day without its year, or the beginning of one. */
export const DAY_OF_MONTH = `(?:the )?(?:${DATE}\\b|${MONTH} \\d)`;
/** A day with its year. */
export const FULL_DAY = `\\d{4}-\\d\\d-\\d\\d|${MONTH} ${DATE},? ${YEAR}|${DATE}(?: of)? ${MONTH},? ${YEAR}`;

/** Whether a name may be another word: "may" and "march", unless written as names or beside a number. */
const isDoubtful = (name: string): boolean => /\b(?:may|march|mar)\b/.test(name) && !/\d/.test(name);

/**
 * Returns the range of a named time; without a year, the last one that has begun by `today`.
 *
 * @param name all of it: a match of TIME_NAME
 * @param of the year that another name gives both
 * @returns undefined for a day that doesn't exist, and for "may" and "march" in lower case
 */
export const namedTime = (name: string, today: number, of?: string): TimeRange | undefined => {
  const found = ONE.exec(name)?.groups;
  if (!found || isDoubtful(name)) return undefined;
  const { part, only, iso, year = only ?? iso?.slice(0, 4) ?? of } = found;
  const inYear = (number: number): TimeRange | undefined => {
    const whole = only ? yearRange(number) : wholeTime(found, number);
    return whole && part ? partOf(whole, part.toLowerCase()) : whole;
  };
  if (year !== undefined) return inYear(Number(year));
  return [0, -1].map(by => inYear(yearOf(today) + by)).find(range => range && range.from <= today);
};

/** @param year of a time that names none by itself */
const wholeTime = (
  { iso, season: ofYear, before, after, dayMonth, month }: Record<string, string | undefined>,
  year: number,
): TimeRange | undefined => {
  if (iso) {
    const [y = 0, m = 1, d] = iso.split('-').map(Number);
    return dayOrMonth(y, m - 1, d);
  }
  if (ofYear) return season(ofYear, year);
  const date = before ?? after;
  return dayOrMonth(
    year,
    monthIndex(dayMonth ?? month!),
    date === undefined ? undefined : Number.parseInt(date, 10),
  );
};

const dayOrMonth = (year: number, month: number, date: number | undefined): TimeRange | undefined => {
  const first = dayFrom(year, month, date ?? 1);
  if (first === undefined) return undefined;
  return date === undefined ? months(first, 0) : days(first);
};

const monthIndex = (name: string): number =>
  MONTHS.findIndex(month => month.toLowerCase().startsWith(name.slice(0, 3).toLowerCase()));

const WEEKS = ['first', 'second', 'third', 'fourth'];
/** Shares of the whole. "Early" and "late" have no sharp end. */
const SHARES: readonly [RegExp, from: number, to: number][] = [
  [/first half/, 0, 0.5],
  [/second half/, 0.5, 1],
  [/early|beginning|start/, 0, 0.37],
  [/mid/, 0.3, 0.7],
  [/late|end/, 0.63, 1],
];

const partOf = ({ from, to }: TimeRange, part: string): TimeRange => {
  const week = /(\w+) week/.exec(part)?.[1];
  if (week === 'last') return { from: to - 7 * DAY, to };
  if (week) return days(from + WEEKS.indexOf(week) * 7 * DAY, 7);
  const [, start, end] = SHARES.find(([words]) => words.test(part))!;
  const at = (share: number): number => from + Math.round(((to - from) / DAY) * share) * DAY;
  return { from: at(start), to: at(end) };
};

/**
 * Returns the range from one named time to the end of another. A year that only the second one names counts
 * for both, and a month makes the other a month.
 */
export const fromTo = (first: string, last: string, today: number): TimeRange | undefined => {
  const year = /(?:19|20)\d\d/;
  const named = year.exec(last)?.[0];
  const start = namedTime(asName(first), today, year.test(first) ? undefined : named);
  const own = start && new Date(start.from).getUTCFullYear();
  const ends = own === undefined ? [] : named ? [undefined] : [String(own), String(own + 1)];
  const end = ends
    .map(of => namedTime(asName(last), today, of))
    .find(range => range && range.to > start!.from);
  if (start && end) return { from: start.from, to: end.to };
  // "Between November and February 2024" begins in the November before.
  const late = namedTime(asName(last), today);
  const before = late && namedTime(asName(first), late.from);
  return before && { from: before.from, to: late.to };
};

const asName = (name: string): string =>
  isDoubtful(name)
    ? name.replace(/\b(?:may|march|mar)\b/, month => month[0]!.toUpperCase() + month.slice(1))
    : name;
