import { addMonths, dayFrom, monthOf, monthSpan, oneDay, type Span, weekdayOf, yearOf } from './calendar.ts';
import type { Said } from './date-words.ts';

/** "Since the race on Sunday": "since" in the same clause as the date. */
const SINCE = /\bsince\b(?:(?!\b(?:and|but|so)\b)[^,;])*$/i;

/** "I've got the room until 31 May" ends on a day to come; "I worked there until May" is over. */
const UNTIL = /\b(?:un)?till?\s+(?:(?:the\s+)?(?:end|start|beginning|middle)\s+of\s+)?(?:the\s+)?$/i;
const GOES_ON = /\b(?:have|has)\b|['’]ve\b|['’]s (?:got|been)\b/i;
const isToCome = ({ before, sentence }: Said): boolean => UNTIL.test(before) && GOES_ON.test(sentence);

export const isPast = (said: Said): boolean =>
  (said.tense() === 'past' && !isToCome(said)) ||
  SINCE.test(said.before) ||
  /\blast\s+$|(?<!,\s|\b(?:be|and|am|are|come|coming|home|get|getting)\s|['’](?:m|re|ll be)\s)\bback in\s+$/i.test(
    said.before,
  );

/**
 * Returns what comes back every year: the last one if it is told in the past, otherwise the coming one, so
 * that nothing is announced for a day before it was said.
 *
 * @param earliest the first day on which it is still to come
 */
export function nearestYear(
  inYear: (year: number) => Span | undefined,
  said: Said,
  earliest = said.day,
): Span | undefined {
  const year = yearOf(said.day);
  const span = inYear(year);
  if (span === undefined) return undefined;
  if (isPast(said)) return span.day <= earliest ? span : inYear(year - 1);
  return span.day >= earliest ? span : inYear(year + 1);
}

/** Resolves a month without a year. */
export const monthWithoutYear = (month: number, said: Said): Span | undefined =>
  nearestYear(year => monthSpan(year, month), said, addMonths(said.day, 0).day);

const daySpan = (day: number | undefined): Span | undefined => (day === undefined ? undefined : oneDay(day));

/** Resolves a day and month without a year. */
export const dayWithoutYear = (month: number, date: number, said: Said): Span | undefined =>
  nearestYear(year => daySpan(dayFrom(year, month, date)), said);

/** "Tuesday, 14 October": the weekday determines the year, among those that the tense allows. */
export function onWeekday(weekday: number, month: number, date: number, said: Said): Span | undefined {
  const year = yearOf(said.day);
  const isFuture = said.tense() === 'future';
  return daySpan(
    [year, year + 1, year - 1]
      .map(candidate => dayFrom(candidate, month, date))
      .find(day => day !== undefined && weekdayOf(day) === weekday && !(isFuture && day < said.day)),
  );
}

/** Resolves a day without month and year: the last or the next month that has it, according to the tense. */
export function dateWithoutMonth(
  date: number,
  said: Said,
  fits: (day: number) => boolean = () => true,
): number | undefined {
  const step = isPast(said) ? -1 : 1;
  for (let months = 0; months < 12; months++) {
    const month = addMonths(said.day, step * months).day;
    const day = dayFrom(yearOf(month), monthOf(month), date);
    if (day !== undefined && step * (day - said.day) >= 0 && fits(day)) return day;
  }
  return undefined;
}

export const HABIT =
  /\b(?:every|each|most|birthday|born|anniversary|annual|always|usually|often|sometimes)\b/i;

/** "Years ago", "back when I was ten", "as a child": a time of which nobody says how long ago it was. */
const LONG_AGO =
  /(?:^|[,;(] ?|\b(?:many|some|several|for|so many|a few) )(?:years|decades|ages) ago\b|\blong ago\b|\bback when\b|\bwhen (?:i|he|she|we|they) (?:was|were) (?:\d+|a |an |young|little|small|at (?:school|uni)|(?:four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty)\b)|\bas an? (?:child|kid|boy|girl|teenager|student|baby)\b/i;
const YEAR_SAID = /\b(?:19|20)\d\d\b/g;

/**
 * Whether no year can be added to a date that is said without one: it comes back every year, or it is told of
 * a time that the words before it place elsewhere.
 */
export const hasNoYear = (said: Said): boolean => {
  const { sentence, before, day } = said;
  if (HABIT.test(sentence) || LONG_AGO.test(sentence)) return true;
  const years = before.match(YEAR_SAID) ?? [];
  return years.some(year => Number(year) < yearOf(day)) && isPast(said);
};
