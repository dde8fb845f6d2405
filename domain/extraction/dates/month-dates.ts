import {
  addMonths,
  DAY,
  dayFrom,
  monthOf,
  monthSpan,
  oneDay,
  type Span,
  spell,
  weekdayOf,
  yearOf,
} from './calendar.ts';
import {
  AS_SAID,
  type Dated,
  type DateRule,
  dated,
  exact,
  MONTH,
  MONTH_SHORT,
  monthIndex,
  NTH_DAY,
  NUMBER,
  number,
  onDay,
  PART,
  type Said,
  WEEKDAY,
  weekdayNamed,
} from './date-words.ts';
import { dateWithoutMonth, hasNoYear, isPast, monthWithoutYear, nearestYear } from './without-year.ts';

const WEEKDAY_WRITTEN = WEEKDAY.replace(
  /([(|])([a-z])/g,
  (_, edge, first) => `${edge}[${first.toUpperCase()}${first}]`,
);
const NTH = ['first', 'second', 'third', 'fourth', 'fifth'];
const nth = (word: string): number => {
  const index = NTH.indexOf(word.toLowerCase());
  return index >= 0 ? index + 1 : Number.parseInt(word, 10);
};
const WHICH = '([Ll]ast|[Tt]his|[Nn]ext)';
const shiftOf = (which: string): number => (/last/i.test(which) ? -1 : /next/i.test(which) ? 1 : 0);
/** "Last year", "two years ago", "in two years". */
const YEAR = `([Ll]ast year|[Tt]his year|[Nn]ext year|(?:${NUMBER}) years? ago|[Ii]n (?:${NUMBER}) years?(?:['’]? time)?)`;
function yearNamed(words: string, said: Said): number {
  const away = /^in (\S+)/i.exec(words)?.[1];
  const back = /^(\S+) years? ago/.exec(words)?.[1];
  return yearOf(said.day) + (away ? number(away) : back ? -number(back) : shiftOf(words));
}
/** "3 May" or "May 3". */
const DAY_AND_MONTH = `(?:${MONTH_SHORT} (\\d{1,2})(?:st|nd|rd|th)?|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH_SHORT})`;

/** Returns the n-th such weekday of a month, or its last one; undefined for a fifth that it lacks. */
function nthWeekday(which: string, weekday: number, month: Span): Span | undefined {
  const next = addMonths(month.day, 1).day;
  const last = next - DAY;
  if (/last/i.test(which)) return oneDay(last - ((weekdayOf(last) - weekday + 7) % 7) * DAY);
  const day = month.day + ((weekday - weekdayOf(month.day) + 7) % 7) * DAY + (nth(which) - 1) * 7 * DAY;
  return day < next ? oneDay(day) : undefined;
}

const dayIn = (year: number, match: RegExpExecArray, at: number): Dated | typeof AS_SAID => {
  const month = monthIndex(match[at] ?? match[at + 3]!);
  const day = dayFrom(year, month, Number(match[at + 1] ?? match[at + 2]));
  return day === undefined ? AS_SAID : onDay(day);
};

/** "3 to 5 May": both days are in the month. */
function daysOf(
  [from, to]: readonly [string, string],
  month: string,
  year: string | undefined,
  joined: string,
  said: Said,
) {
  const [first, last] = [Number(from), Number(to)];
  const inYear = (in_: number): Span | undefined => {
    const day = dayFrom(in_, monthIndex(month), last);
    return day === undefined ? undefined : oneDay(day);
  };
  const end = year === undefined ? nearestYear(inYear, said) : inYear(Number(year));
  if (end === undefined || first >= last) return AS_SAID;
  const span = oneDay(end.day - (last - first) * DAY);
  const { text } = onDay(end.day);
  return { text: `${first} ${joined} ${text}`, preposition: '', span, until: end } as const;
}

/** "From March to May", "in March or April", the year of the second if it is said. */
function monthsOf(first: string, joined: string, second: string, year: string | undefined, said: Said) {
  if (hasNoYear(said)) return AS_SAID;
  const [from, to] = [monthIndex(first), monthIndex(second)];
  const start = year === undefined ? monthWithoutYear(from, said)! : monthSpan(Number(year), from);
  const end = year === undefined ? monthWithoutYear(to, said)! : monthSpan(Number(year), to);
  const isTold = year !== undefined || isPast(said);
  const isTurned = start.day > end.day || (isTold && end.day - start.day > 365 * DAY);
  const span = isTurned && isTold ? monthSpan(yearOf(start.day) - 1, from) : start;
  const until = isTurned && !isTold ? monthSpan(yearOf(end.day) + 1, to) : end;
  return { text: `${spell(span)} ${joined} ${spell(until)}`, preposition: '', span, until } as const;
}

const TO = '\\s*(?:-|–|to|through|until|till)\\s*(?:the )?';
const ORDINAL = '(?:st|nd|rd|th)?';

/** Dates that take their month or year from words beside them. They precede the rules for months alone. */
export const MONTH_DATES: readonly DateRule[] = [
  {
    pattern: exact(
      `(?:[Tt]he )?([Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]ifth|[Ll]ast|[1-5](?:st|nd|rd|th)) ${WEEKDAY_WRITTEN}${PART},? (?:in|of) (?:${WHICH} month|${MONTH}(?:(?:,? of|,)? (?:${YEAR}|(\\d{4})))?)`,
    ),
    when: ['weekday'],
    read: (match, said) => {
      const [, which, name, part, ofMonth, month, ofYear, year] = match;
      const inMonth = (span: Span): Span | undefined => nthWeekday(which!, weekdayNamed(name!), span);
      const inYear = (in_: number): Span | undefined => inMonth(monthSpan(in_, monthIndex(month!)));
      const span =
        ofMonth !== undefined
          ? inMonth(addMonths(said.day, shiftOf(ofMonth)))
          : year !== undefined
            ? inYear(Number(year))
            : ofYear !== undefined
              ? inYear(yearNamed(ofYear, said))
              : nearestYear(inYear, said);
      return span === undefined ? AS_SAID : onDay(span.day, (part ?? '').toLowerCase());
    },
  },
  {
    pattern: exact(
      `(?:[Tt]he )(\\d{1,2})(?:st|nd|rd|th)? of ${WHICH} month|${WHICH} month,? on the (\\d{1,2})(?:st|nd|rd|th)`,
    ),
    when: ['span', 'digit'],
    read: (match, said) => {
      const month = addMonths(said.day, shiftOf(match[2] ?? match[3]!)).day;
      const day = dayFrom(yearOf(month), monthOf(month), Number(match[1] ?? match[4]));
      return day === undefined ? AS_SAID : onDay(day);
    },
  },
  {
    pattern: exact(`${DAY_AND_MONTH},? (?:of )?${YEAR}`),
    when: ['digit', 'monthName', 'unit'],
    read: (match, said) => dayIn(yearNamed(match[5]!, said), match, 1),
  },
  {
    pattern: exact(`${YEAR},? on ${DAY_AND_MONTH}`),
    when: ['digit', 'monthName', 'unit'],
    read: (match, said) => dayIn(yearNamed(match[1]!, said), match, 2),
  },
  {
    pattern: exact(
      `(?<=\\b(?:[Ii]n|[Ff]rom|[Bb]etween|[Ss]ince|[Dd]uring|early|late|mid)[ -])${MONTH}(?: (to|and|or|through|until|till) |[-–])${MONTH}(?:,? (?:of )?(\\d{4}))?(?! \\d)`,
    ),
    when: ['month'],
    read: (match, said) => monthsOf(match[1]!, match[2] ?? 'to', match[3]!, match[4], said),
  },
  {
    // "Monday the 14th": the day of the month that is a Monday.
    pattern: exact(`${WEEKDAY_WRITTEN}${PART},? the ${NTH_DAY}`),
    when: ['digit', 'weekday'],
    read: (match, said) => {
      const weekday = weekdayNamed(match[1]!);
      const day = dateWithoutMonth(Number(match[3]), said, each => weekdayOf(each) === weekday);
      return day === undefined ? AS_SAID : onDay(day, (match[2] ?? '').toLowerCase());
    },
  },
  {
    pattern: exact(`(?<!\\d )${MONTH},? (?:of )?${YEAR}`),
    when: ['month', 'unit'],
    read: (match, said) => dated(monthSpan(yearNamed(match[2]!, said), monthIndex(match[1]!))),
  },
  {
    pattern: exact(`${YEAR},? in ${MONTH}(?! \\d)`),
    when: ['month', 'unit'],
    read: (match, said) => dated(monthSpan(yearNamed(match[1]!, said), monthIndex(match[2]!))),
  },
  {
    pattern: exact(
      `(?<!\\d[.:-]|\\d )(\\d{1,2})${ORDINAL}(?:${TO}|(?<=\\bbetween (?:the )?\\d{1,2}${ORDINAL}) and (?:the )?)(\\d{1,2})${ORDINAL}(?: of)? ${MONTH_SHORT}(?:,? (\\d{4}))?(?!\\d|:\\d)`,
    ),
    when: ['digit', 'monthName'],
    read: (match, said) =>
      daysOf([match[1]!, match[2]!], match[3]!, match[4], / and /.test(match[0]) ? 'and' : 'to', said),
  },
  {
    pattern: exact(
      `${MONTH_SHORT} (\\d{1,2})${ORDINAL}${TO}(\\d{1,2})${ORDINAL}(?:,? (\\d{4}))?(?!\\d|:\\d|[-.]\\d)`,
    ),
    when: ['digit', 'monthName'],
    read: (match, said) => daysOf([match[2]!, match[3]!], match[1]!, match[4], 'to', said),
  },
];
