import {
  addMonths,
  DAY,
  dayFrom,
  mondayOf,
  monthOf,
  monthSpan,
  type Span,
  weekdayOf,
  yearOf,
  yearSpan,
} from './calendar.ts';
import {
  type Dated,
  type DateRule,
  dated,
  exact,
  MONTH,
  MONTH_SHORT,
  monthIndex,
  onDay,
  PART,
  type Said,
  WEEKDAY,
  WEEKDAYS,
  words,
} from './date-words.ts';

/** "Since the race on Sunday": "since" in the same clause as the date. */
const SINCE = /\bsince\b(?:(?!\b(?:and|but|so)\b)[^,;])*$/i;

/** Resolves a month or day without a year to the last or the next one, according to the tense. */
function withoutYear(month: number, date: number | undefined, said: Said): Span | undefined {
  const year = yearOf(said.day);
  const back =
    said.tense() === 'past' || SINCE.test(said.before) || /\b(?:last|back in)\s+$/i.test(said.before);
  const spanIn = (candidate: number): Span | undefined => {
    if (date === undefined) return monthSpan(candidate, month);
    const day = dayFrom(candidate, month, date);
    return day === undefined ? undefined : { day, unit: 'day' };
  };
  const here = date === undefined ? monthSpan(yearOf(said.day), monthOf(said.day)).day : said.day;
  const span = spanIn(year);
  if (span === undefined) return undefined;
  if (back) return span.day <= here ? span : spanIn(year - 1);
  return span.day >= here ? span : spanIn(year + 1);
}

const WEEKDAY_NAME = WEEKDAYS.map(name => `[${name[0]!.toUpperCase()}${name[0]}]${name.slice(1)}`).join('|');

/** "Tuesday, 14 October": the weekday determines the year more reliably than the tense. */
function onWeekday(weekday: number, month: number, date: number, said: Said): number | undefined {
  if (weekday < 0) return undefined;
  const year = yearOf(said.day);
  return [year, year + 1, year - 1]
    .map(candidate => dayFrom(candidate, month, date))
    .find(day => day !== undefined && weekdayOf(day) === weekday);
}

const MONTH_NAMED = exact(MONTH);

/**
 * Resolves a day without a month: in the month named before it, otherwise to the last or next such day,
 * according to the tense.
 */
function dayOfMonth(match: RegExpExecArray, said: Said): Dated | undefined {
  if (HABIT.test(said.sentence) || /\b(?:month|century)\b/i.test(said.sentence)) return undefined;
  const date = Number(match[1]);
  const named = said.sentence.slice(0, match.index).match(MONTH_NAMED)?.at(-1);
  const step = said.tense() === 'past' ? -1 : 1;
  const passed = step * (date - new Date(said.day).getUTCDate()) < 0;
  const month = addMonths(said.day, passed ? step : 0).day;
  const day =
    named === undefined
      ? dayFrom(yearOf(month), monthOf(month), date)
      : withoutYear(monthIndex(named), date, said)?.day;
  return day === undefined ? undefined : onDay(day);
}

const HABIT = /\b(?:every|each|most|birthday|born|anniversary|annual|always|usually|often|sometimes)\b/i;
const weekdayRule = (match: RegExpExecArray, said: Said): Dated | undefined => {
  const which = (match[1] ?? '').toLowerCase().trim();
  const weekday = WEEKDAYS.indexOf((match[2] ?? '').toLowerCase());
  const part = (match[3] ?? '').toLowerCase();
  const monday = mondayOf(said.day);
  const back = (((weekdayOf(said.day) - weekday + 6) % 7) + 1) * DAY;
  if (/^(?:last|this past|past)$/.test(which)) return onDay(said.day - back, part);
  // "Next Friday" is in the next week; "this Friday" is in this week or, if that day is past, the coming one.
  if (which === 'next') return onDay(monday + (7 + weekday) * DAY, part);
  if (
    which === '' &&
    (/\b(?:every|each|black|good|easter|most|ash|palm|fat)\s+$/i.test(said.before) || HABIT.test(said.before))
  )
    return undefined;
  if (/^\s+(?:mornings|afternoons|evenings|nights)\b/i.test(said.after)) return undefined;
  const past = said.tense() === 'past' || SINCE.test(said.before);
  const forward = /\b(?:moved|postponed|rescheduled|pushed|changed)\b[^,;]*\b(?:to|till?|until)\s+$/i;
  if (past && !forward.test(said.before) && which !== 'this coming') return onDay(said.day - back, part);
  return onDay(said.day + (7 - ((back / DAY) % 7)) * DAY, part);
};

/** Rules for weekdays, days, months and years by name; a missing year is filled in. */
export const CALENDAR_DATES: readonly DateRule[] = [
  {
    pattern: words(`(last|this past|this coming|this|next) ${WEEKDAY}${PART}`),
    when: ['span', 'unit'],
    read: weekdayRule,
  },
  // Explicit dates: a missing year is filled in, and the spelling is normalised.
  {
    pattern: exact(
      `(?:(?<weekday>${WEEKDAY_NAME}),? )?(?:${MONTH_SHORT} (\\d{1,2})(?:st|nd|rd|th)?|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH_SHORT})(?:,? (\\d{4}))?(?!\\d|:\\d)`,
    ),
    when: ['digit'],
    read: (match, said) => {
      const month = monthIndex(match[2] ?? match[5] ?? '');
      const date = Number(match[3] ?? match[4]);
      if (match[6] === undefined && HABIT.test(said.sentence)) return undefined;
      const weekday = WEEKDAYS.indexOf(match.groups?.weekday?.toLowerCase() ?? '');
      const day =
        match[6] === undefined
          ? (onWeekday(weekday, month, date, said) ?? withoutYear(month, date, said)?.day)
          : dayFrom(Number(match[6]), month, date);
      return day === undefined ? undefined : onDay(day);
    },
  },
  {
    pattern: /(?<![\d.-])(\d{4})-(\d{2})-(\d{2})(?![\d-]|\.\d)/g,
    when: ['year'],
    read: match => {
      const day = dayFrom(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
      return day === undefined ? undefined : { text: match[0], preposition: '', span: { day, unit: 'day' } };
    },
  },
  {
    pattern: exact(`(?<!\\d )${MONTH},? (?:of )?(\\d{4})`),
    when: ['year', 'month'],
    read: match => ({ ...dated(monthSpan(Number(match[2]), monthIndex(match[1]!))), preposition: '' }),
  },
  {
    pattern: exact(`([Ll]ast|[Tt]his past|[Tt]his|[Nn]ext) ${MONTH}`),
    when: ['span', 'month'],
    read: (match, said) => {
      const month = monthIndex(match[2]!);
      const year = yearOf(said.day);
      const before = month < monthOf(said.day);
      const which = match[1]!.toLowerCase();
      return dated(
        monthSpan(
          /last|past/.test(which)
            ? before
              ? year
              : year - 1
            : which === 'next'
              ? month > monthOf(said.day)
                ? year
                : year + 1
              : year,
          month,
        ),
      );
    },
  },
  {
    pattern: exact(
      `(?<=\\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Dd]uring|[Ff]rom|[Bb]efore|[Aa]fter|[Ss]tarting|of|(?:in|of|since|by|until) (?:early|late|mid))[ -])${MONTH}(?!\\s+\\d)`,
    ),
    when: ['month'],
    read: (match, said) => {
      if (HABIT.test(said.sentence)) return undefined;
      const span = withoutYear(monthIndex(match[1]!), undefined, said);
      return span && dated(span);
    },
  },
  {
    pattern: exact(`()${WEEKDAY.replace(/\b[a-z]/g, first => first.toUpperCase())}${PART}`),
    when: ['unit'],
    read: weekdayRule,
  },
  {
    pattern: exact(
      `(?<=\\b(?:[Oo]n|[Ss]ince|[Uu]ntil|[Tt]ill?|[Bb]y|[Bb]efore|[Aa]fter) )()${WEEKDAY}${PART}`,
    ),
    when: ['unit'],
    read: weekdayRule,
  },
  // "My last day is the 31st", but not "the 31st floor", where a noun follows.
  {
    pattern:
      /(?<=\b(?:on|is|was|by|until|till?|from|since|before|after|to) )the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:[,.!?;:)]|$)|\s+(?:and|but|so|at|with|to|in|because|if|when)\b)/gi,
    when: ['digit'],
    read: dayOfMonth,
  },
  {
    pattern:
      /(?<=\b(?:in|since|of|from|until|till|by|during|around|before|after|spring|summer|autumn|fall|winter|back in|early|late|year) )((?:19|20)\d{2})\b(?!\s*(?:[a-z]+s\b|%))/gi,
    when: ['year'],
    read: match => ({ text: match[0], preposition: '', span: yearSpan(Number(match[1])) }),
  },
];
