import type { SaidFact } from '../../../schemas/facts.ts';
import type { DatedSentence } from '../dates/dates.ts';
import { afterPeriod, startOf } from './valid-from.ts';

/** "Until", and how much of the period that is named next: all of it, a part, or nothing. */
const UNTIL =
  /\b(?:until|till|through) (?<part>(?:the )?(?:(?<end>end)|middle|mid|start|beginning)(?: |-))?/gi;

/** "Nights this week", "vegetarian today", "days tomorrow": such a state is one of that time. */
const PASSING = /^(?:today|tonight|tomorrow|this (?:morning|afternoon|evening|week|weekend|month))$/i;
const MAY_PASS = /^(?:work_schedule|diet|medication|school)$/;
/** Another clause, or words after which the day is a beginning: "on nights, and it's raining today". */
const GOES_ON = /[,;:]|\b(?:and|but|so|because|for|since|as of|from|starting|until|till|by)\b/i;
/** Another clause that has an end of its own: "I live in Rome, my lease runs until June". */
const OTHER_CLAUSE = /[,;:]|\b(?:and|but|so|because|my|our|it|he|she|they)\b/i;

/**
 * Returns the said end of a fact, ISO 8601: "until Friday" and "until the end of June" hold through it,
 * "until June" to its beginning, "vegetarian today" to tomorrow. Undefined where nothing is said of it, or it
 * has passed.
 *
 * @param timestamp Unix milliseconds: when it was said
 */
export function validUntil(
  { text, dates }: Pick<DatedSentence, 'text' | 'dates'>,
  { attribute, value, stance }: Pick<SaidFact, 'attribute' | 'value' | 'stance'>,
  timestamp: number,
): string | undefined {
  if (dates.length === 0) return undefined;
  // A value may be written in other words than those of the text.
  const at = text.indexOf(value);
  const from = at < 0 ? 0 : at + value.length;
  const mayPass = MAY_PASS.test(attribute) && stance === undefined;
  const date = mayPass ? dates.find(({ said }) => PASSING.test(said)) : undefined;
  if (date !== undefined) {
    const [label] = date.labels;
    const begins = label === undefined ? undefined : startOf(label);
    const isItsOwn = at >= 0 && !GOES_ON.test(text.slice(from, text.indexOf(date.text, from)));
    const mayBegin = (start: number): boolean => start <= timestamp || /^tomorrow$/i.test(date.said);
    if (begins !== undefined && mayBegin(begins) && isItsOwn)
      return new Date(afterPeriod(label!, begins)).toISOString();
  }
  for (const { index, 0: lead, groups } of text.matchAll(UNTIL)) {
    if (index > from && OTHER_CLAUSE.test(text.slice(from, index))) continue;
    const rest = text.slice(index + lead.length);
    const named = rest.replace(/^of (?:the )?/, '');
    const [label] =
      dates.find(({ text: date }) => rest.startsWith(date) || named.startsWith(date))?.labels ?? [];
    const start = label === undefined ? undefined : startOf(label);
    if (label === undefined || start === undefined) continue;
    const isDayOrWeek = /-\d\d-|W/.test(label);
    // Nobody can say when the middle of August is.
    if (groups?.part !== undefined && groups.end === undefined && /mid/i.test(groups.part)) return undefined;
    const end = isDayOrWeek || groups?.end !== undefined ? afterPeriod(label, start) : start;
    return end > timestamp ? new Date(end).toISOString() : undefined;
  }
  return undefined;
}
