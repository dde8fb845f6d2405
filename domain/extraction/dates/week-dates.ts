import { ANY_MONTH, DAY, weekdayOf } from './calendar.ts';
import {
  AS_SAID,
  comingDay,
  type Dated,
  type DateRule,
  inWeekOf,
  NUMBER,
  number,
  onDay,
  PART,
  pastDay,
  type Said,
  WEEKDAY,
  weekdayNamed,
  words,
} from './date-words.ts';

const ON_A = ',? on (?:an? |the )?';
const COUNT = `(${NUMBER}|a couple of)`;
const count = (word: string): number => (/^a couple/i.test(word) ? 2 : number(word));
/** "It has been a week on Monday": a length of time. */
const LENGTH = /\b(?:for|been|took|takes|lasts?|lasted|about|over|only|just|spent|spend)\s+$/i;
const lower = (text: string | undefined): string => (text ?? '').toLowerCase();
const weeksOf = (which: string): number =>
  /before last/i.test(which)
    ? -2
    : /after next/i.test(which)
      ? 2
      : /last|past/i.test(which)
        ? -1
        : /next|following/i.test(which)
          ? 1
          : 0;

/** "Tuesday of last week". */
const ofWeek = (weekday: string, which: string, part: string | undefined, said: Said): Dated =>
  onDay(inWeekOf(said.day, weeksOf(which), weekdayNamed(weekday)), lower(part));

/** "Three weeks ago on a Tuesday"; "three days ago, on Monday" only if that day was a Monday. */
function ago(amount: string, unit: string, weekday: string, part: string | undefined, said: Said) {
  const away = count(amount);
  const index = weekdayNamed(weekday);
  if (/^(?:week|fortnight)/i.test(unit)) {
    const day = inWeekOf(said.day, -away * (/^w/i.test(unit) ? 1 : 2), index);
    return day <= said.day ? onDay(day, lower(part)) : AS_SAID;
  }
  const day = said.day - away * DAY;
  return /^day/i.test(unit) && weekdayOf(day) === index ? onDay(day, lower(part)) : AS_SAID;
}

const fromDay = (weeks: number, weekday: string, part: string | undefined, said: Said) =>
  said.tense() === 'past' || LENGTH.test(said.before)
    ? AS_SAID
    : onDay(comingDay(said.day, weekdayNamed(weekday)) + weeks * 7 * DAY, lower(part));

const DAYS: Record<string, number> = { yesterday: -1, today: 0, now: 0, tomorrow: 1 };
const UNITS: Record<string, number> = { day: 1, week: 7, fortnight: 14 };
const WHICH_WEEK =
  '(last week|this past week|this week|next week|the following week|the week (?:before last|after next))';
/** Not another time after it, as in "the Monday before last Christmas". */
const NO_TIME = `(?!\\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|night|time|(?:mon|tues|wednes|thurs|fri|satur|sun)day|christmas|easter|halloween|thanksgiving|${ANY_MONTH})\\b)`;

/** Weekdays with the week that they are in. They precede the rules for weeks and weekdays alone. */
export const WEEK_DATES: readonly DateRule[] = [
  {
    pattern: words(
      `${COUNT} (day|week|fortnight|month|year)s? (?:ago|back)(?:${ON_A}|, (?:an? )?)${WEEKDAY}${PART}`,
    ),
    when: ['ago', 'weekday'],
    read: (match, said) => ago(match[1]!, match[2]!, match[3]!, match[4], said),
  },
  {
    pattern: words(
      `(?:on )?(?:an? |the |one )?${WEEKDAY}${PART},? ${COUNT} (day|week|fortnight|month|year)s? ago`,
    ),
    when: ['ago', 'weekday'],
    read: (match, said) => ago(match[3]!, match[4]!, match[1]!, match[2], said),
  },
  {
    // "A week ago last Friday" is the Friday before last Friday; "a week ago Friday" may be either.
    pattern: words(`${COUNT} weeks? ago (last )?${WEEKDAY}${PART}`),
    when: ['ago', 'weekday'],
    read: (match, said) =>
      match[2] === undefined
        ? AS_SAID
        : onDay(pastDay(said.day, weekdayNamed(match[3]!)) - count(match[1]!) * 7 * DAY, lower(match[4])),
  },
  {
    pattern: words(`${COUNT} (day|week|fortnight)s? (ago|before|from|after) (yesterday|today|tomorrow)`),
    when: ['near', 'unit'],
    read: (match, said) => {
      const away = count(match[1]!) * UNITS[lower(match[2])]!;
      return onDay(
        said.day + (DAYS[lower(match[4])]! + (/ago|before/i.test(match[3]!) ? -away : away)) * DAY,
      );
    },
  },
  {
    pattern: words(`(a|one|two) (week|fortnight)s? (today|tomorrow)|(today|tomorrow) (week|fortnight)`),
    when: ['near', 'unit'],
    read: (match, said) => {
      if (said.tense() === 'past' || LENGTH.test(said.before)) return AS_SAID;
      const away = number(match[1] ?? 'one') * UNITS[lower(match[2] ?? match[5])]!;
      return onDay(said.day + (DAYS[lower(match[3] ?? match[4])]! + away) * DAY);
    },
  },
  {
    pattern: words(`${WHICH_WEEK}(?:${ON_A}| )${WEEKDAY}${PART}`),
    when: ['span', 'weekday'],
    read: (match, said) => ofWeek(match[2]!, match[1]!, match[3], said),
  },
  {
    pattern: words(`(?:the )?${WEEKDAY}${PART},? (?:of |in |from )?(?:the )?${WHICH_WEEK}`),
    when: ['span', 'weekday'],
    read: (match, said) => ofWeek(match[1]!, match[3]!, match[2], said),
  },
  {
    pattern: words(
      `in ${COUNT} (week|fortnight)s?(?:['’]? time)?${ON_A}${WEEKDAY}${PART}|on (?:the )?${WEEKDAY}${PART} in ${COUNT} (week|fortnight)s?(?:['’]? time)?`,
    ),
    when: ['weekday', 'period'],
    read: (match, said) => {
      if (said.tense() === 'past') return AS_SAID;
      const weeks = count(match[1] ?? match[7]!) * (/^f/i.test(match[2] ?? match[8]!) ? 2 : 1);
      return onDay(
        inWeekOf(said.day, weeks, weekdayNamed(match[3] ?? match[5]!)),
        lower(match[4] ?? match[6]),
      );
    },
  },
  {
    pattern: words(`(an?|one|two|three) (week|fortnight)s? (?:on|from) (this |next )?${WEEKDAY}${PART}`),
    when: ['weekday', 'period'],
    read: (match, said) => {
      const weeks = number(match[1]!) * (/^f/i.test(match[2]!) ? 2 : 1);
      if (!/next/i.test(match[3] ?? '')) return fromDay(weeks, match[4]!, match[5], said);
      return onDay(inWeekOf(said.day, weeks + 1, weekdayNamed(match[4]!)), lower(match[5]));
    },
  },
  {
    pattern: words(`(?<!\\b(?:an?|every|the|each|one) )${WEEKDAY} (week|fortnight)(?! (?:of|on|in|at)\\b)`),
    when: ['weekday', 'period'],
    read: (match, said) => fromDay(/^f/i.test(match[2]!) ? 2 : 1, match[1]!, undefined, said),
  },
  {
    // The Friday after the next one to come, as Duckling reads it.
    pattern: words(`(?:the )?${WEEKDAY} (before last|after next)${NO_TIME}`),
    when: ['span', 'weekday'],
    read: (match, said) => {
      const weekday = weekdayNamed(match[1]!);
      return /before/i.test(match[2]!)
        ? onDay(pastDay(said.day, weekday) - 7 * DAY)
        : onDay(comingDay(said.day, weekday) + 7 * DAY);
    },
  },
  {
    pattern: words(`the (night|evening) before last${NO_TIME}`),
    when: ['span', 'unit'],
    read: (match, said) => onDay(said.day - 2 * DAY, lower(match[1])),
  },
  {
    pattern: words(`(${NUMBER}) ${WEEKDAY}s (ago|from now)`),
    when: ['weekday'],
    read: (match, said) => {
      const weeks = (number(match[1]!) - 1) * 7 * DAY;
      const weekday = weekdayNamed(match[2]!);
      return onDay(
        /ago/i.test(match[3]!) ? pastDay(said.day, weekday) - weeks : comingDay(said.day, weekday) + weeks,
      );
    },
  },
];
