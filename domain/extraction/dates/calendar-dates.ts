import { dayFrom, monthOf, monthSpan, yearOf, yearSpan } from './calendar.ts';
import {
  AS_SAID,
  comingDay,
  type Dated,
  type DateRule,
  dated,
  exact,
  inWeekOf,
  MONTH,
  MONTH_SHORT,
  monthIndex,
  NTH_DAY,
  onDay,
  PART,
  pastDay,
  type Said,
  WEEKDAY,
  WEEKDAYS,
  weekdayNamed,
  words,
} from './date-words.ts';
import {
  dateWithoutMonth,
  dayWithoutYear,
  HABIT,
  hasNoYear,
  isPast,
  monthWithoutYear,
  onWeekday,
} from './without-year.ts';

const WEEKDAY_NAME = WEEKDAYS.map(name => `[${name[0]!.toUpperCase()}${name[0]}]${name.slice(1)}`).join('|');

const MONTH_NAMED = exact(MONTH);
/**
 * Resolves a day without a month: in the month named before it, otherwise to the last or next such day,
 * according to the tense.
 */
function dayOfMonth(match: RegExpExecArray, said: Said): Dated | undefined {
  if (hasNoYear(said) || /\b(?:month|century)\b/i.test(said.sentence)) return undefined;
  const date = Number(match[1]);
  const named = said.sentence.slice(0, match.index).match(MONTH_NAMED)?.at(-1);
  const day =
    named === undefined ? dateWithoutMonth(date, said) : dayWithoutYear(monthIndex(named), date, said)?.day;
  return day === undefined ? undefined : onDay(day);
}

const weekdayRule = (match: RegExpExecArray, said: Said): Dated | undefined => {
  const which = (match[1] ?? '').toLowerCase().trim();
  const weekday = weekdayNamed(match[2] ?? '');
  const part = (match[3] ?? '').toLowerCase();
  if (/^(?:last|this past|past)$/.test(which)) return onDay(pastDay(said.day, weekday), part);
  // "Next Friday" is in the next week; "this Friday" is in this week or, if that day is past, the coming one.
  if (which === 'next') return onDay(inWeekOf(said.day, 1, weekday), part);
  if (
    which === '' &&
    (/\b(?:every|each|black|good|easter|most|ash|palm|fat)\s+$/i.test(said.before) || HABIT.test(said.before))
  )
    return undefined;
  if (/^\s+(?:mornings|afternoons|evenings|nights)\b/i.test(said.after)) return undefined;
  const forward = /\b(?:moved|postponed|rescheduled|pushed|changed)\b[^,;]*\b(?:to|till?|until)\s+$/i;
  const back = isPast(said) && !forward.test(said.before) && which !== 'this coming';
  const day = back ? pastDay(said.day, weekday) : comingDay(said.day, weekday);
  return which === '' ? { ...onDay(day, part), every: 'week' } : onDay(day, part);
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
      `(?:(?<weekday>${WEEKDAY_NAME}),? )?(?:${MONTH_SHORT} (\\d{1,2})(?:st|nd|rd|th)?|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH_SHORT})(?:,? (?:of )?(\\d{4}))?(?!\\d|:\\d)`,
    ),
    when: ['digit', 'monthName'],
    read: (match, said) => {
      const month = monthIndex(match[2] ?? match[5] ?? '');
      const date = Number(match[3] ?? match[4]);
      if (match[6] === undefined && hasNoYear(said)) return undefined;
      const weekday = weekdayNamed(match.groups?.weekday ?? '');
      if (match[6] === undefined) {
        const span = weekday < 0 ? dayWithoutYear(month, date, said) : onWeekday(weekday, month, date, said);
        // "Tuesday, 14 October" where no such day is a Tuesday.
        if (span === undefined) return weekday < 0 ? undefined : AS_SAID;
        return { ...onDay(span.day), every: 'year' };
      }
      const day = dayFrom(Number(match[6]), month, date);
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
      // "This March", announced in autumn, is to come.
      const isNext = before && said.tense() === 'future';
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
              : year + (isNext ? 1 : 0),
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
      if (hasNoYear(said)) return undefined;
      const span = monthWithoutYear(monthIndex(match[1]!), said);
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
      `(?<=\\b(?:[Oo]n|[Ss]ince|[Uu]ntil|[Tt]ill?|[Bb]y|[Bb]efore|[Aa]fter|[Ff]rom|[Tt]o|[Tt]hrough) )()${WEEKDAY}${PART}`,
    ),
    when: ['unit'],
    read: weekdayRule,
  },
  {
    pattern: new RegExp(
      `(?<=\\b(?:on|is|was|by|until|till?|from|since|before|after|to) )the ${NTH_DAY}`,
      'gi',
    ),
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
