/** The ways to name a time in an English question, with the range that each means at the moment of asking. */
import { DAY, weekdayOf } from '../../extraction/dates/calendar.ts';
import { WEEKDAY } from '../../extraction/dates/date-words.ts';
import {
  DAY_OF_MONTH,
  DAYS_THEN_MONTH,
  fromTo,
  MONTH_THEN_DAYS,
  namedTime,
  PART_OF_TIME,
  TIME_NAME,
} from './time-names.ts';
import {
  COUNT,
  counted,
  days,
  lastSeason,
  lengthOf,
  SEASON,
  season,
  type TimeRange,
  UNITS,
  unitFrom,
  weekdayBefore,
  weekend,
} from './time-ranges.ts';

/** Loose: an answer from another time may be right, since an end is open or a part may be ahead. */
export type PhraseRange = TimeRange & { isLoose?: boolean };

export interface TimePhrase {
  pattern: RegExp;
  /** @param today the day on which the question is asked */
  read(match: RegExpExecArray, today: number): PhraseRange | undefined;
}

/** "The last two days of the trip" and "our last week" don't mean the most recent ones. */
const NOT_OF = '(?! (?:of|before)\\b)';
const NOT_OURS = "(?<!\\b(?:my|our|your|his|her|its|their|'s) )";
const RECENT_DAYS = 30;
const EVER = Number.MIN_SAFE_INTEGER;

const words = (source: string): RegExp => new RegExp(`\\b${source}\\b`, 'gi');
const IN_A = '(?:in|over|during|within|for) ';
const IN = `(?:${IN_A})?`;
const sinceThen = (from: number, today: number): PhraseRange => ({ from, to: today + DAY });
const isLoose = true;

/**
 * Times between named ends, or relative to a named time. Longer phrases precede the shorter ones that they
 * contain.
 */
export const BY_NAME: readonly TimePhrase[] = [
  {
    pattern: words(`(?:between|from) (${TIME_NAME}) (?:and|to|until|till|through) (${TIME_NAME})`),
    read: ([, first, last], today) => fromTo(first!, last!, today),
  },
  {
    pattern: words(DAYS_THEN_MONTH),
    read: ([, first, last, month, year], today) => daysOfMonth({ first, last, month, year }, today),
  },
  {
    pattern: words(MONTH_THEN_DAYS),
    read: ([, month, first, last, year], today) => daysOfMonth({ first, last, month, year }, today),
  },
  {
    pattern: words(`(?:the )?(?:${COUNT} )?${UNITS} (before|after) (${TIME_NAME})`),
    read: ([, count, unit, side, name], today) => {
      const named = namedTime(name!, today);
      return named && besides(named, side!.toLowerCase() === 'before', unit!, count);
    },
  },
  {
    pattern: words(`(since|after|before|until|till|prior to) (${TIME_NAME})`),
    read: ([, relation, name], today) => {
      const named = namedTime(name!, today);
      return named && relatedTo(named, relation!, today);
    },
  },
  { pattern: words(`(${PART_OF_TIME})`), read: ([, name], today) => namedTime(name!, today) },
  {
    pattern: words(`${SEASON},? (?:of )?((?:19|20)\\d\\d)`),
    read: ([, name, year]) => season(name!, Number(year)),
  },
  {
    pattern: words(`(last|this past|past|this) ${SEASON}`),
    read: ([, which, name], today) =>
      lastSeason(name!, today, which!.toLowerCase() === 'last' ? 'ended' : 'begun'),
  },
  {
    pattern: words(`(?:in|during|over) the ${SEASON}`),
    read: ([, name], today) => lastSeason(name!, today, 'begun'),
  },
];

/** Times relative to the clock: their words match no turn. */
export const BY_CLOCK: readonly TimePhrase[] = [
  {
    pattern: words(
      `(?:about |around |roughly )?(?<!\\b(?:how|and|than|over|almost|nearly|to|or) |[\\d.,–-])${COUNT} ${UNITS} (?:ago|back)(?: today)?`,
    ),
    read: ([, count, unit], today) => {
      const { least, most } = counted(count!);
      return { from: unitFrom(today, unit!, -most).from, to: unitFrom(today, unit!, -least).to };
    },
  },
  { pattern: words('the day before yesterday'), read: (_, today) => days(today - 2 * DAY) },
  {
    pattern: words(
      `(?:yesterday(?: (?:morning|afternoon|evening|night))?|${NOT_OURS}last (?:night|evening)(?! (?:of|before|in)\\b))`,
    ),
    read: (_, today) => days(today - DAY),
  },
  {
    pattern: words('(?:earlier )?(?:today|tonight|this (?:morning|afternoon|evening))'),
    read: (_, today) => ({ ...days(today), isLoose }),
  },
  {
    pattern: words(`(?:${IN_A}(?:the )?|the )(?:last|past) (?!an?\\b|one\\b)${COUNT} ${UNITS}${NOT_OF}`),
    read: ([, count, unit], today) => sinceThen(today - counted(count!).most * lengthOf(unit!), today),
  },
  {
    pattern: words('the (week|weekend|month|year) before last(?= *(?:[?.,!;]|$))'),
    read: ([, unit], today) => unitFrom(today, unit!, -2),
  },
  {
    pattern: words('(?:earlier |later )?this (week|month|year)'),
    read: ([, unit], today) => ({ ...sinceThen(unitFrom(today, unit!, 0).from, today), isLoose }),
  },
  {
    pattern: words(
      `(?:(?:on|over|during) )?(?:the )?${NOT_OURS}(last|this past|past|previous) weekend${NOT_OF}`,
    ),
    // On a weekend, "last weekend" is the one before.
    read: ([, which], today) =>
      weekend(today, which!.toLowerCase() === 'last' && weekdayOf(today) >= 5 ? -1 : 0),
  },
  {
    // From Tuesday on, "this weekend" is the coming one.
    pattern: words('(?:(?:on|over|during) )?this weekend'),
    read: (_, today) =>
      [5, 6, 0].includes(weekdayOf(today)) ? { ...weekend(today, 0), isLoose } : undefined,
  },
  {
    pattern: words(`${IN}(?:the )?${NOT_OURS}(?:last|previous) (week|fortnight|month|year)${NOT_OF}`),
    read: ([, unit], today) => unitFrom(today, unit!, -1),
  },
  {
    pattern: words(`${IN}(?:the|this) past (week|fortnight|month|year)${NOT_OF}`),
    read: ([, unit], today) => sinceThen(today - lengthOf(unit!), today),
  },
  {
    pattern: words(
      `(?:(?:on|last|this past) |(?<=\\b(?:since|after|before|until) ))${WEEKDAY}(?: (?:morning|afternoon|evening|night)\\b)?(?!,? ${DAY_OF_MONTH})`,
    ),
    // "On Monday" may be past or ahead.
    read: ([, name], today) => ({ ...weekdayBefore(name!, today), isLoose }),
  },
  {
    pattern: words('(?:recently|lately|of late(?= *(?:[?.,!;]|$)))'),
    read: (_, today) => ({ ...sinceThen(today - RECENT_DAYS * DAY, today), isLoose }),
  },
];

const daysOfMonth = (
  { first, last, month, year = '' }: Record<'first' | 'last' | 'month' | 'year', string | undefined>,
  today: number,
): PhraseRange | undefined => fromTo(`${first} ${month}`, `${last} ${month} ${year}`.trim(), today);

/** Returns the range that "since", "before" and "after" make of a time. */
export const relatedTo = ({ from, to }: TimeRange, relation: string, today: number): PhraseRange => {
  switch (relation.toLowerCase()) {
    case 'since':
      return { ...sinceThen(from, today), isLoose };
    case 'after':
      return { ...sinceThen(to, today), isLoose };
    default:
      return { from: EVER, to: from, isLoose };
  }
};

/**
 * Returns the range of "the week before 16 November", which ends there, or of "two weeks before", which lies
 * that far from there.
 */
const besides = ({ from, to }: TimeRange, isBefore: boolean, unit: string, count?: string): TimeRange => {
  const length = lengthOf(unit);
  const { least, most } = count === undefined ? { least: 0, most: 1 } : counted(count);
  // Nobody counts weeks to the day.
  const slack = count === undefined ? 0 : Math.floor(length / DAY / 2) * DAY;
  const near = least * length - slack;
  const far = most * length + slack;
  if (isBefore) return { from: from - far, to: near > 0 ? to - near : from };
  return { from: near > 0 ? from + near : to, to: to + far };
};
