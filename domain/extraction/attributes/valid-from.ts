import { addMonths, DAY, dayFrom, dayOf, mondayOf } from '../dates/calendar.ts';
import { number } from '../dates/date-words.ts';

const WEEK = /^(\d{4})-W(\d{2})$/;
const DURATION =
  /\bfor (?:about |almost |over |nearly |around |more than |the (?:last|past) )*(\d{1,2}|an?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty) (week|month|year)s?(?: now)?(?= |$|[.,!])/i;

/**
 * Returns the first moment of an ISO label ("2024-05", "2024-W19"), Unix milliseconds; undefined for anything
 * else.
 */
export function startOf(label: string): number | undefined {
  const week = WEEK.exec(label);
  if (week !== null) {
    const fourth = dayFrom(Number(week[1]), 0, 4);
    return fourth === undefined ? undefined : mondayOf(fourth) + (Number(week[2]) - 1) * 7 * DAY;
  }
  const [year, month = '1', date = '1'] = label.split('-');
  return dayFrom(Number(year), Number(month) - 1, Number(date));
}

/** Returns the first moment after a period: of a day, a week, a month or a year, told by its ISO label. */
export const afterPeriod = (label: string, start: number): number => {
  if (label.includes('W')) return start + 7 * DAY;
  const parts = label.split('-').length;
  if (parts === 3) return start + DAY;
  return addMonths(start, parts === 2 ? 1 : 12).day;
};

const SEASON =
  /\b(?:spring|summer|autumn|fall|winter|later|middle|mid) (?:in |of |this |the )*(?:19|20)\d\d\b/i;
const END_OF = /\bend of (?:the )?(?:[A-Z]\p{L}+ )?(?:19|20)\d\d\b/u;
/** "Back in September" is when it ends. */
const BACK = /\bback (?:in|on|by) /i;

const written = (time: number): string => new Date(time).toISOString();

/** Start of another clause, whose date isn't this one's. */
const NEXT_CLAUSE =
  /(?:,| and| but| so| because) (?:then )?(?:I|we|my|our|it|its|they|their|he|she|his|her|the|that|you|your|there)(?:['’]\w+)? /;

/**
 * Returns the start of a fact as its clause tells it: the only date, or the moment of saying less a length of
 * time.
 */
export function validFrom(text: string, labels: readonly string[], timestamp: number): string | undefined {
  const next = NEXT_CLAUSE.exec(text);
  const clause = next === null || next.index < 8 ? text : text.slice(0, next.index);
  if (
    labels.length === 1 &&
    /\d{4}/.test(clause) &&
    !/\b(?:until|till|by|before) (?:the )?[\w ]{0,40}\d{4}/i.test(clause)
  ) {
    const start = startOf(labels[0]!);
    // A season, or an end, whose label is the year or the month around it.
    if (start === undefined || BACK.test(clause) || SEASON.test(clause)) return undefined;
    return written(END_OF.test(clause) ? afterPeriod(labels[0]!, start) : start);
  }
  const since = /\b(?:since|in|from) (?:about |around |early |late |the \w+ of )?((?:19|20)\d\d)\b/i.exec(
    clause,
  )?.[1];
  if (since !== undefined) return written(dayFrom(Number(since), 0, 1) ?? 0);
  const lasting = labels.length === 0 && clause.includes('for ') ? DURATION.exec(clause) : null;
  if (lasting === null) return undefined;
  const count = number(lasting[1]!);
  const unit = lasting[2]!.toLowerCase();
  if (unit === 'week') return written(dayOf(timestamp) - count * 7 * DAY);
  return written(addMonths(dayOf(timestamp), unit === 'year' ? -12 * count : -count).day);
}
