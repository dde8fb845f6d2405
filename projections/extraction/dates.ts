import { DAY, dayOf, isoLabel } from './calendar.ts';
import { CALENDAR_DATES } from './calendar-dates.ts';
import type { Tense } from './date-words.ts';
import { RELATIVE_DATES } from './relative-dates.ts';

export interface DatedSentence {
  text: string;
  /** ISO 8601 labels of the days, weeks, months and years that the sentence names. */
  labels: string[];
}

const DATE_RULES = [...RELATIVE_DATES, ...CALENDAR_DATES];

/** A sentence without one of these holds no date: most sentences stop here, for a few hundred nanoseconds. */
const MAY_HOLD_DATE =
  /\d{4}|\d(?:st|nd|rd|th)\b|yesterday|today|tomorrow|tonight|morning|night|day|week|month|year|decade|hour|minute|ago\b|season|spring|summer|autumn|fall|winter|january|february|march|april|\bmay\b|june|july|august|september|october|november|december|christmas|new year|halloween|valentine|thanksgiving/i;
const FUTURE =
  /\b(?:will|won't|going to|gonna|plan(?:s|ning)?|hop(?:e|es|ing) to|can't wait|looking forward|upcoming|coming|about to|let's|should|want to|shall|due)\b|['’](?:ll)\b/i;
const PAST =
  /\b(?:was|were|had|did|didn't|went|got|took|made|saw|met|came|bought|found|felt|left|began|started|gave|told|said|ate|won|lost|ran|wrote|read|spent|taught|heard|kept|brought|been|[a-z]{2,}ed)\b/i;
/** Only these years are believed: further away a date is a mistake, and its name would not read as one. */
const FIRST_DAY = Date.UTC(1000, 0, 1);
const LAST_DAY = Date.UTC(9000, 0, 1);
const PREPOSITION_BEFORE =
  /\b(?:on|in|at|since|until|till|by|from|for|before|after|of|during|around|about|to|through|between|over|than|and|the|mid|early|late|that|this|next|last|every|each)[\s-]+$/i;

const AT_START = /(?:^|[,;:]\s*|\b(?:and|but|so|because|that)\s+)$/i;
/** "Last week was hard": the date is the subject. */
const VERB_NEXT = /^\s+(?:was|is|were|has|had|will|would|marks|marked|turned|brought)\b/i;

function tenseOf(sentence: string): Tense {
  if (FUTURE.test(sentence)) return 'future';
  return PAST.test(sentence) ? 'past' : 'unknown';
}

/**
 * Writes what a sentence says about time relative to the moment it was said ("yesterday", "last summer") as
 * calendar time ("on 7 May 2023", "in summer 2022"), and names every date in it. What is vague stays vague: a week,
 * a month, a year, or "a few days before" a day, never a day that nobody said.
 *
 * The grammar is ours because chrono-node reads "last week" and "a few weeks ago" as one day, "for 3 years" and
 * "sat" as dates, and does not know "last summer" or "two weekends ago".
 *
 * @param timestamp Unix milliseconds: when the sentence was said
 */
export function makeDatesAbsolute(sentence: string, timestamp: number): DatedSentence {
  if (!MAY_HOLD_DATE.test(sentence) || !(timestamp > FIRST_DAY && timestamp < LAST_DAY))
    return { text: sentence, labels: [] };
  const said = { day: dayOf(timestamp), timestamp, tense: tenseOf(sentence), sentence };
  const found: { start: number; end: number; text: string; label: string | undefined }[] = [];
  for (const rule of DATE_RULES) {
    if (rule.when !== undefined && !rule.when.test(sentence)) continue;
    rule.pattern.lastIndex = 0;
    for (const match of sentence.matchAll(rule.pattern)) {
      const start = match.index;
      const end = start + match[0].length;
      if (found.some(other => start < other.end && other.start < end)) continue;
      const before = sentence.slice(Math.max(0, start - 24), start);
      const dated = rule.read(match, { ...said, before, after: sentence.slice(end, end + 16) });
      if (dated === undefined) continue;
      if (dated.span !== undefined && Math.abs(dated.span.day - said.day) > 3000 * 366 * DAY) continue;
      // "since last year" already has its preposition, and "last year's" is an adjective.
      const possessive = /^['’]s\b/.test(sentence.slice(end, end + 3));
      const adjective = possessive && !dated.text.startsWith('the ');
      const lead = !/\bthe\s+$/i.test(before) ? 'the ' : '';
      const isSubject = AT_START.test(before) && VERB_NEXT.test(sentence.slice(end, end + 12));
      const bare = dated.preposition === '' || isSubject || possessive || PREPOSITION_BEFORE.test(before);
      const text = adjective ? lead + dated.text : bare ? dated.text : `${dated.preposition} ${dated.text}`;
      found.push({ start, end: adjective ? end + 2 : end, text, label: dated.span && isoLabel(dated.span) });
    }
  }
  if (found.length === 0) return { text: sentence, labels: [] };
  found.sort((a, b) => a.start - b.start);
  let text = '';
  let from = 0;
  for (const { start, end, text: dated } of found) {
    const gap = sentence.slice(from, start);
    text += gap + (text + gap === '' ? dated.charAt(0).toUpperCase() + dated.slice(1) : dated);
    from = end;
  }
  const labels = found.flatMap(({ label }) => (label === undefined ? [] : [label]));
  return { text: text + sentence.slice(from), labels: [...new Set(labels)] };
}
