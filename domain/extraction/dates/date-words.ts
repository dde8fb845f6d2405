import { NUMBER_WORDS, numberIn } from '../reading/number-words.ts';
import {
  addMonths,
  DAY,
  dayOf,
  MONTHS,
  mondayOf,
  oneDay,
  type Span,
  spell,
  weekdayOf,
  yearOf,
  yearSpan,
} from './calendar.ts';
import type { Tense } from './tense.ts';

/** Context for a rule: the day on which the sentence was said, its tense, and the text around the match. */
export interface Said {
  day: number;
  timestamp: number;
  tense: () => Tense;
  sentence: string;
  before: string;
  after: string;
}

export interface Dated {
  /** Replacement for the matched text, without its preposition. */
  text: string;
  /** '' if none fits. */
  preposition: 'on' | 'in' | '';
  /** The named time, if the calendar has a name for it. */
  span?: Span;
  /** The last day, if it is a range within one month. */
  until?: Span;
  /** How often such a day comes back, if the text names no year: it fits a range better a turn later. */
  every?: 'week' | 'year';
}

/** The words are a date, but not one that is understood: they stay as they are, as a whole. */
export const AS_SAID = 'as said';

/** Words that date rules require. Each is searched once per sentence, for all rules that need it. */
export const CUES = {
  near: /yesterday|tomorrow|today/i,
  span: /\b(?:last|past|next|this|previous|coming|following)\b/i,
  ago: /\bago\b|\bback\b/i,
  fromNow: /from now/i,
  period: /week|month|year|fortnight/i,
  weekday: /(?:mon|tues|wednes|thurs|fri|satur|sun)day/i,
  unit: /minute|hour|day|night|week|month|year|decade/i,
  month:
    /March|May|[Jj]anuary|[Ff]ebruary|[Aa]pril|[Jj]une|[Jj]uly|[Aa]ugust|(?:[Ss]ept|[Nn]ov|[Dd]ec)ember|[Oo]ctober/,
  monthName: /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i,
  holiday: /christmas|boxing|new year|halloween|valentine|thanksgiving/i,
  digit: /\d/,
  year: /\d{4}/,
} as const satisfies Record<string, RegExp>;

export interface DateRule {
  pattern: RegExp;
  /** The rule is skipped unless the sentence contains all of these. */
  when: readonly (keyof typeof CUES)[];
  /** Undefined if it is not a date after all: a later rule may know the words. */
  read(match: RegExpExecArray, said: Said): Dated | typeof AS_SAID | undefined;
}

export const dated = (span: Span, before = ''): Dated => ({
  text: before + spell(span),
  preposition: span.unit === 'day' || span.unit === 'weekend' ? 'on' : 'in',
  span,
});
export const onDay = (day: number, part = ''): Dated => {
  const span = oneDay(day);
  return part === '' ? dated(span) : { text: `the ${part} of ${spell(span)}`, preposition: 'on', span };
};
/** Returns a weekday of the week `weeks` away from that of `day`. 0 = Monday. */
export const inWeekOf = (day: number, weeks: number, weekday: number): number =>
  mondayOf(day) + (7 * weeks + weekday) * DAY;
/** Returns the next such weekday after `day`. */
export const comingDay = (day: number, weekday: number): number =>
  day + (((weekday - weekdayOf(day) + 6) % 7) + 1) * DAY;
/** Returns the last such weekday before `day`. */
export const pastDay = (day: number, weekday: number): number =>
  day - (((weekdayOf(day) - weekday + 6) % 7) + 1) * DAY;
const inWeek = (day: number): Dated => dated({ day: mondayOf(day), unit: 'week' });
/** Returns the weekend of the week of `day`, named by its Saturday. */
export const onWeekend = (day: number): Dated => dated({ day: mondayOf(day) + 5 * DAY, unit: 'weekend' });

export const NUMBER = `\\d{1,3}|an?|${NUMBER_WORDS.join('|')}`;
export const FEW = 'a couple(?: of)?|a few|few|several|some|many|a number of';
export const number = (word: string): number => {
  const lower = word.toLowerCase();
  return /^an?$/.test(lower) ? 1 : (numberIn(lower) ?? Number(lower));
};
export const UNIT = '(minute|hour|day|night|week|weekend|fortnight|month|year|decade)s?';
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const WEEKDAY = `(${WEEKDAYS.join('|')})`;
export const PART = '(?:\\s+(morning|afternoon|evening|night))?';
/** Many people write months in lower case, but "may" and "march" are then other words. */
const MONTH_NAMES = [...MONTHS, ...MONTHS.map(name => name.toLowerCase())].filter(
  name => name !== 'may' && name !== 'march',
);
export const MONTH = `(${MONTH_NAMES.join('|')})`;
/** "The 31st" of a month, but not "the 31st floor", where a noun follows. */
export const NTH_DAY =
  '(\\d{1,2})(?:st|nd|rd|th)(?=\\s*(?:[,.!?;:)]|$)|\\s+(?:and|but|so|at|with|to|in|for|from|until|till|because|if|when|after|before)\\b)';
export const weekdayNamed = (name: string): number => WEEKDAYS.indexOf(name.toLowerCase());
export const MONTH_SHORT = `(${MONTH_NAMES.join('|')}|[Jj]an|[Ff]eb|Mar|[Aa]pr|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec)\\.?`;
export const monthIndex = (name: string): number =>
  MONTHS.findIndex(month => month.toLowerCase().startsWith(name.slice(0, 3).toLowerCase()));
export const words = (source: string): RegExp => new RegExp(`\\b${source}\\b`, 'gi');
export const exact = (source: string): RegExp => new RegExp(`\\b${source}\\b`, 'g');

/** Returns the span `count` units before or after the day on which the sentence was said. */
export function shifted(said: Said, unit: string, count: number): Dated {
  switch (unit) {
    case 'minute':
      return onDay(dayOf(said.timestamp + count * 60_000));
    case 'hour':
      return onDay(dayOf(said.timestamp + count * 3_600_000));
    case 'day':
    case 'night':
      return onDay(said.day + count * DAY);
    case 'week':
      return inWeek(said.day + count * 7 * DAY);
    case 'fortnight':
      return inWeek(said.day + count * 14 * DAY);
    case 'weekend':
      return onWeekend(said.day + count * 7 * DAY);
    case 'month':
      return dated(addMonths(said.day, count));
    case 'decade':
      return { ...dated(yearSpan(yearOf(said.day) + count * 10), 'around '), preposition: '' };
    default:
      return dated(yearSpan(yearOf(said.day) + count));
  }
}

/** Returns a vague count's reference: "a few days before 8 May 2023", "a few months before May 2023". */
export function reference(said: Said, unit: string): string {
  if (unit === 'month') return spell(addMonths(said.day, 0));
  return spell(
    unit === 'year' || unit === 'decade' ? yearSpan(yearOf(said.day)) : { day: said.day, unit: 'day' },
  );
}
