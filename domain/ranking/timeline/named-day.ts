/**
 * Finds the day that a text names with its year: "2023-05-07", "7 May 2023", "May 7, 2023", "the week of 1
 * May 2023" (its first day).
 */
import { dayFrom, MONTHS } from '../../extraction/dates/calendar.ts';

const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAYS: readonly RegExp[] = [
  /(?<![\d-])(?<year>\d{4})-(?<number>\d\d)-(?<date>\d\d)(?![\d-])/,
  new RegExp(`(?<!\\d)(?<date>\\d{1,2})(?:st|nd|rd|th)? ${MONTH},? (?<year>\\d{4})(?!\\d)`),
  new RegExp(`\\b${MONTH} (?<date>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?!\\d)`),
];

/**
 * @returns the first such day as `YYYY-MM-DD`; undefined if the text names none, or only one that doesn't
 * exist
 */
export const namedDay = (text: string): string | undefined => {
  // A cheap test that settles most texts.
  if (!/\d{4}/.test(text)) return undefined;
  let first: { index: number; day: number } | undefined;
  for (const form of DAYS) {
    const found = form.exec(text);
    if (!found || (first && found.index >= first.index)) continue;
    const { year, number, month, date } = found.groups!;
    const index = month === undefined ? Number(number) - 1 : MONTHS.indexOf(month as (typeof MONTHS)[number]);
    const day = dayFrom(Number(year), index, Number(date));
    if (day !== undefined && Number(year) > 0) first = { index: found.index, day };
  }
  return first && new Date(first.day).toISOString().slice(0, 10);
};
