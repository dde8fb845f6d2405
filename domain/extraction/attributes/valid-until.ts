import type { DatedSentence } from '../dates/dates.ts';
import { afterPeriod, startOf } from './valid-from.ts';

/** "Until", and how much of the period that is named next: all of it, a part, or nothing. */
const UNTIL =
  /\b(?:until|till|through) (?<part>(?:the )?(?:(?<end>end)|middle|mid|start|beginning)(?: |-))?/gi;

/** "Late shift this week", "vegetarian today": what is so for the time of saying. */
const PASSING = /^(?:today|tonight|this (?:morning|afternoon|evening|week|weekend|month))$/i;

/** "Married for ten years today", "from today on": it goes on. */
const LASTS = /\b(?:for|since) .{0,20}\b(?:years?|months?|weeks?|days?)\b|\bfrom now on\b/i;
const BEGINS = /\b(?:as of|from|since|starting|effective|until|till|by) $/i;

/**
 * Returns the said end of a fact, ISO 8601: "until Friday" and "until the end of June" hold through it,
 * "until June" to its beginning. Undefined where nothing is said of it, or it has passed.
 *
 * @param timestamp Unix milliseconds: when it was said
 * @param isState what is so today is so until tomorrow; what began today goes on
 */
export function validUntil(
  { text, dates }: Pick<DatedSentence, 'text' | 'dates'>,
  timestamp: number,
  isState: boolean,
): string | undefined {
  if (dates.length === 0) return undefined;
  const date = isState && !LASTS.test(text) ? dates.find(({ said }) => PASSING.test(said)) : undefined;
  const [passing] =
    date === undefined || BEGINS.test(text.slice(0, text.indexOf(date.text))) ? [] : date.labels;
  const begins = passing === undefined ? undefined : startOf(passing);
  if (begins !== undefined && begins <= timestamp)
    return new Date(afterPeriod(passing!, begins)).toISOString();
  for (const { index, 0: lead, groups } of text.matchAll(UNTIL)) {
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
