import {
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

/** A month or a day that came without its year: by the tense, the last one or the next one. */
function withoutYear(month: number, date: number | undefined, said: Said): Span | undefined {
  const year = yearOf(said.day);
  const back = said.tense() === 'past' || /\b(?:since|last|back in)\s+$/i.test(said.before);
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

const HABIT = /\b(?:every|each|most|birthday|born|anniversary|annual|always|usually|often|sometimes)\b/i;
const weekdayRule = (match: RegExpExecArray, said: Said): Dated | undefined => {
  const which = (match[1] ?? '').toLowerCase().trim();
  const weekday = WEEKDAYS.indexOf((match[2] ?? '').toLowerCase());
  const part = (match[3] ?? '').toLowerCase();
  const monday = mondayOf(said.day);
  const back = (((weekdayOf(said.day) - weekday + 6) % 7) + 1) * DAY;
  if (/^(?:last|this past|past)$/.test(which)) return onDay(said.day - back, part);
  // "Next Friday" is the one of next week, "this Friday" the one of this week or, after it, the coming one.
  if (which === 'next') return onDay(monday + (7 + weekday) * DAY, part);
  if (which === '' && match[2] !== undefined && !/^[A-Z]/.test(match[2])) return undefined;
  if (
    which === '' &&
    (/\b(?:every|each|black|good|easter|most|ash|palm|fat)\s+$/i.test(said.before) || HABIT.test(said.before))
  )
    return undefined;
  if (/^\s+(?:mornings|afternoons|evenings|nights)\b/i.test(said.after)) return undefined;
  if (said.tense() === 'past' && which !== 'this coming') return onDay(said.day - back, part);
  return onDay(said.day + (7 - ((back / DAY) % 7)) * DAY, part);
};

/** Weekdays, days, months and years by their names; what lacks its year gets one. */
export const CALENDAR_DATES: readonly DateRule[] = [
  {
    pattern: words(`(last|this past|this coming|this|next) ${WEEKDAY}${PART}`),
    when: ['span', 'unit'],
    read: weekdayRule,
  },
  // Explicit dates: the year is filled in, the spelling is made one.
  {
    pattern: exact(
      `(?:${MONTH_SHORT} (\\d{1,2})(?:st|nd|rd|th)?|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH_SHORT})(?:,? (\\d{4}))?(?!\\d|:)`,
    ),
    when: ['digit'],
    read: (match, said) => {
      const month = monthIndex(match[1] ?? match[4] ?? '');
      const date = Number(match[2] ?? match[3]);
      if (match[5] === undefined && HABIT.test(said.sentence)) return undefined;
      const day =
        match[5] === undefined ? withoutYear(month, date, said)?.day : dayFrom(Number(match[5]), month, date);
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
      `(?<=\\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Dd]uring|[Ff]rom|of|(?:in|of|since|by|until) (?:early|late|mid))[ -])${MONTH}(?!\\s+\\d)`,
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
    pattern:
      /(?<=\b(?:in|since|of|from|until|till|by|during|around|before|after|spring|summer|autumn|fall|winter|back in|early|late|year) )((?:19|20)\d{2})\b(?!\s*(?:[a-z]+s\b|%))/gi,
    when: ['year'],
    read: match => ({ text: match[0], preposition: '', span: yearSpan(Number(match[1])) }),
  },
];
