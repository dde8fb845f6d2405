import { addMonths, DAY, monthOf, weekdayOf, yearOf, yearSpan } from './calendar.ts';
import {
  type Dated,
  type DateRule,
  dated,
  FEW,
  NUMBER,
  number,
  onDay,
  onWeekend,
  PART,
  reference,
  type Said,
  shifted,
  UNIT,
  words,
} from './date-words.ts';

const SEASONS: Record<string, number> = { spring: 2, summer: 5, fall: 8, autumn: 8, winter: 11 };
/** Returns a northern season by its first month; a winter is named after both of its years. */
function season(name: string, which: 'last' | 'this' | 'next', said: Said): Dated {
  const start = SEASONS[name.toLowerCase()] ?? 0;
  const year = yearOf(said.day);
  const month = monthOf(said.day);
  // From one month before its start, the coming summer is "this" summer. In January the current winter began
  // last year.
  const running = start === 11 && month < 2 ? year - 1 : year;
  const over = month > start + 2;
  const current =
    which === 'this'
      ? // "This spring", announced in autumn, is to come.
        over && said.tense() === 'future'
        ? running + 1
        : running
      : which === 'last'
        ? over
          ? running
          : running - 1
        : start - month > 1
          ? year
          : year + 1;
  const label = start === 11 ? `${current}-${current + 1}` : String(current);
  return { text: `${name.toLowerCase()} ${label}`, preposition: 'in', span: yearSpan(current) };
}

const IS_FEW = new RegExp(`^(?:${FEW})$`, 'i');

/** "Yesterday", "two weeks ago", "last summer". A longer phrase precedes those that it contains. */
export const RELATIVE_DATES: readonly DateRule[] = [
  {
    pattern: words(`the day before yesterday${PART}`),
    when: ['near'],
    read: (match, said) => onDay(said.day - 2 * DAY, match[1]?.toLowerCase()),
  },
  {
    pattern: words(`the day after tomorrow${PART}`),
    when: ['near'],
    read: (match, said) => onDay(said.day + 2 * DAY, match[1]?.toLowerCase()),
  },
  {
    pattern: words(`(?:early |late |earlier )?(yesterday|tomorrow|today)${PART}`),
    when: ['near'],
    read: (match, said) => {
      const day = (match[1] ?? '').toLowerCase();
      return onDay(
        said.day + (day === 'yesterday' ? -DAY : day === 'tomorrow' ? DAY : 0),
        match[2]?.toLowerCase(),
      );
    },
  },
  {
    pattern: words('last (night|evening)'),
    when: ['span'],
    read: (match, said) => onDay(said.day - DAY, match[1]?.toLowerCase()),
  },
  {
    pattern: words('(?:earlier )?(?:tonight|this (morning|afternoon|evening))'),
    when: [],
    read: (match, said) => onDay(said.day, match[1]?.toLowerCase() ?? 'night'),
  },
  {
    pattern: words('the (week|weekend|month|year) (before last|after next)'),
    when: ['span', 'period'],
    read: (match, said) =>
      shifted(said, match[1]!.toLowerCase(), match[2]!.toLowerCase() === 'before last' ? -2 : 2),
  },
  {
    pattern: words(
      `(?:about |around |almost |over |nearly |like |just |only |more than |less than )?(${NUMBER}|half an?) ${UNIT}(?: and a half)? (?:ago|back|earlier today)`,
    ),
    when: ['ago'],
    read: (match, said) => {
      const unit = match[2]!.toLowerCase();
      if (/^half/i.test(match[1]!))
        return unit === 'year'
          ? dated(addMonths(said.day, -6))
          : unit === 'hour'
            ? onDay(said.day)
            : undefined;
      return shifted(said, unit, -number(match[1]!));
    },
  },
  {
    pattern: words(`(${FEW}) ${UNIT} (?:ago|back)`),
    when: ['ago'],
    read: (match, said) => {
      const unit = match[2]!.toLowerCase();
      if (unit === 'minute' || unit === 'hour') return onDay(said.day);
      return { text: `${match[1]!.toLowerCase()} ${unit}s before ${reference(said, unit)}`, preposition: '' };
    },
  },
  {
    pattern: words('the other (day|night|week)'),
    when: ['unit'],
    read: (match, said) => ({ text: `shortly before ${reference(said, match[1]!)}`, preposition: '' }),
  },
  {
    pattern: words(`in (${NUMBER}|${FEW}) (day|week|weekend|month|year)s?(?: time)?`),
    when: ['unit'],
    read: (match, said) => {
      if (said.tense() === 'past' || /^\s*(?:of|long)\b/.test(said.after)) return undefined;
      const unit = match[2]!.toLowerCase();
      if (IS_FEW.test(match[1]!))
        return {
          text: `${match[1]!.toLowerCase()} ${unit}s after ${reference(said, unit)}`,
          preposition: '',
        };
      return shifted(said, unit, number(match[1]!));
    },
  },
  {
    pattern: words(`(${NUMBER}) ${UNIT} from now`),
    when: ['fromNow'],
    read: (match, said) => shifted(said, match[2]!.toLowerCase(), number(match[1]!)),
  },
  {
    pattern: words(
      `the (last|past|next|coming) (${NUMBER}|${FEW})? ?(day|week|weekend|month|year|decade)(s?)`,
    ),
    when: ['span', 'unit'],
    read: (match, said) => {
      const unit = match[3]!.toLowerCase();
      const side = /next|coming/i.test(match[1]!) ? 'after' : 'before';
      return {
        text: `the ${match[2] === undefined ? '' : `${match[2].toLowerCase()} `}${unit}${match[4]} ${side} ${reference(said, unit)}`,
        preposition: 'in',
      };
    },
  },
  {
    pattern: words(`(?:the )?(last|past|next) (${NUMBER}|${FEW}) (day|week|weekend|month|year)s`),
    when: ['span', 'unit'],
    read: (match, said) => {
      const unit = match[3]!.toLowerCase();
      return {
        text: `the ${match[2]!.toLowerCase()} ${unit}s ${/next/i.test(match[1]!) ? 'after' : 'before'} ${reference(said, unit)}`,
        preposition: 'in',
      };
    },
  },
  {
    pattern: words('(earlier|later) this (week|month|year)'),
    when: ['span', 'period'],
    read: (match, said) => ({
      ...shifted(said, match[2]!.toLowerCase(), 0),
      text: `${match[1]!.toLowerCase()} in ${shifted(said, match[2]!.toLowerCase(), 0).text}`,
      preposition: '',
    }),
  },
  {
    pattern: words('(last|this past|this coming|this|next|over the|during the|on the|the coming) weekend'),
    when: ['period'],
    read: (match, said) => {
      const which = match[1]!.toLowerCase();
      const weekday = weekdayOf(said.day);
      if (which === 'next') return onWeekend(said.day + 7 * DAY);
      const back = weekday < 5 ? -7 * DAY : 0;
      if (which === 'last') return onWeekend(said.day - 7 * DAY);
      if (which === 'this past' || said.tense() === 'past') return onWeekend(said.day + back);
      return /coming|this/.test(which) || said.tense() === 'future' ? onWeekend(said.day) : undefined;
    },
  },
  {
    pattern: words('(last|this past|this coming|this|next|previous) (week|month|year)'),
    when: ['span', 'period'],
    read: (match, said) => {
      const which = match[1]!.toLowerCase();
      return shifted(
        said,
        match[2]!.toLowerCase(),
        /last|past|previous/.test(which) ? -1 : /next|coming/.test(which) ? 1 : 0,
      );
    },
  },
  {
    pattern: words('(?:of|by|at) the (week|month|year)'),
    when: ['period'],
    read: (match, said) => {
      if (!/\b(?:end|beginning|start|middle|rest)\s+$/i.test(said.before)) return undefined;
      const span = shifted(said, match[1]!.toLowerCase(), 0);
      return { ...span, text: `of ${span.text}`, preposition: '' };
    },
  },
  {
    pattern: words(`(last|this past|this|next) (spring|summer|fall|autumn|winter)`),
    when: ['span'],
    read: (match, said) =>
      season(
        match[2]!,
        /last|past/i.test(match[1]!) ? 'last' : /next/i.test(match[1]!) ? 'next' : 'this',
        said,
      ),
  },
];
