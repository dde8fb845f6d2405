import { DAY, dayFrom, oneDay, type Span, weekdayOf, yearOf, yearSpan } from './calendar.ts';
import { AS_SAID, type DateRule, onDay, words } from './date-words.ts';
import { hasNoYear, nearestYear } from './without-year.ts';

// biome-ignore format: one table
const FIXED: Record<string, readonly [month: number, date: number]> = {
  christmas: [11, 25], 'christmas day': [11, 25], 'christmas eve': [11, 24], 'boxing day': [11, 26], "new year's eve": [11, 31], "new year's": [0, 1], "new year's day": [0, 1],
  halloween: [9, 31], "valentine's day": [1, 14],
};
const NAMES =
  "(christmas eve|christmas day|christmas|boxing day|new year['’]s eve|new year['’]s(?: day)?|halloween|valentine['’]s day|thanksgiving)";

/** Returns the day of a holiday; Thanksgiving is the fourth Thursday of November. */
function holidayOf(name: string, year: number): number {
  const known = FIXED[name.toLowerCase().replace('’', "'")];
  if (known !== undefined) return dayFrom(year, ...known)!;
  const first = dayFrom(year, 10, 1)!;
  return first + (((3 - weekdayOf(first) + 7) % 7) + 21) * DAY;
}

/** Holidays, where something says which year is meant. */
export const HOLIDAY_DATES: readonly DateRule[] = [
  {
    // "The day after Christmas": the words before it are read later, with those of other dates.
    pattern: words(`(?<=\\b(?:days?|weeks?) (?:before|after|following) )(?:(last|next|this) )?${NAMES}`),
    when: ['holiday', 'unit'],
    read: (match, said) => {
      if (hasNoYear(said)) return AS_SAID;
      const [, which, name] = match;
      const year = yearOf(said.day);
      const inYear = (in_: number): Span => oneDay(holidayOf(name!, in_));
      const isPassed = inYear(year).day < said.day;
      if (which === undefined) return onDay(nearestYear(inYear, said)!.day);
      if (/last/i.test(which)) return onDay(inYear(isPassed ? year : year - 1).day);
      return onDay(inYear(/next/i.test(which) && isPassed ? year + 1 : year).day);
    },
  },
  {
    pattern: words(`(last|next) ${NAMES}`),
    when: ['holiday', 'span'],
    read: (match, said) => {
      const day = holidayOf(match[2]!, yearOf(said.day));
      const year =
        yearOf(said.day) + (/last/i.test(match[1]!) ? (day < said.day ? 0 : -1) : day > said.day ? 0 : 1);
      return { text: `${match[2]} ${year}`, preposition: '', span: yearSpan(year) };
    },
  },
];
