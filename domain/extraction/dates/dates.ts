import { type Match, withWordsBeside } from './beside-dates.ts';
import { DAY, dayOf, isoLabel } from './calendar.ts';
import { CALENDAR_DATES } from './calendar-dates.ts';
import { AS_SAID, CUES, type Dated } from './date-words.ts';
import { HOLIDAY_DATES } from './holiday-dates.ts';
import { isModified } from './modified.ts';
import { MONTH_DATES } from './month-dates.ts';
import { RELATIVE_DATES } from './relative-dates.ts';
import { tenseAt } from './tense.ts';
import { WEEK_DATES } from './week-dates.ts';

export interface DatedSentence {
  text: string;
  /** ISO 8601 labels of the days, weeks, months and years that the sentence names. */
  labels: string[];
  /** The dates in it, in order. */
  dates: readonly WrittenDate[];
}

/** A date as the sentence said it, and as it is written instead. */
export interface WrittenDate {
  start: number;
  said: string;
  text: string;
  labels: readonly string[];
}

const CUE_NAMES = Object.keys(CUES) as (keyof typeof CUES)[];
/** The rules with one bit for each of their cues. */
const DATE_RULES = [
  ...WEEK_DATES,
  ...MONTH_DATES,
  ...HOLIDAY_DATES,
  ...RELATIVE_DATES,
  ...CALENDAR_DATES,
].map(rule => ({
  ...rule,
  cues: rule.when.reduce((bits, cue) => bits | (1 << CUE_NAMES.indexOf(cue)), 0),
}));
const CUE_PATTERNS = Object.values(CUES);

/**
 * A sentence without any of these contains no date. Most sentences end here, at a cost of a few hundred
 * nanoseconds.
 */
const MAY_HOLD_DATE =
  /day|night|morning|tomorrow|week|month|year|decade|hour|minute|season|spring|summer|autumn|fall|winter|january|february|march|april|june|july|august|september|october|november|december|christmas|halloween|valentine|thanksgiving|\bmay\b|ago\b|\d{4}|\d(?:st|nd|rd|th)\b/i;
/** Plausible range: a date outside it is a mistake, and its spelling would not read as a date. */
const FIRST_DAY = Date.UTC(1000, 0, 1);
const LAST_DAY = Date.UTC(9000, 0, 1);
const PREPOSITION_BEFORE =
  /\b(?:on|in|at|since|until|till|by|from|for|before|after|of|during|around|about|to|through|between|over|than|and|the|mid|early|late|that|this|next|last|every|each)[\s-]+$/i;

const AT_START = /(?:^|[,;:]\s*|\b(?:and|but|so|because|that)\s+)$/i;
/** "Last week was hard": the date is the subject. */
const VERB_NEXT = /^\s+(?:was|is|were|has|had|will|would|works|suits|marks|marked|turned|brought)\b/i;

/** Returns one bit for each of `CUES` that the sentence contains. */
function cuesOf(sentence: string): number {
  let cues = 0;
  for (let i = 0; i < CUE_PATTERNS.length; i++) if (CUE_PATTERNS[i]!.test(sentence)) cues |= 1 << i;
  return cues;
}

/** Returns the dates of a sentence in the order of the text. Words are read by the first rule for them. */
function matchesIn(sentence: string, timestamp: number): Match[] {
  const cues = cuesOf(sentence);
  const said = { day: dayOf(timestamp), timestamp, sentence };
  const taken: { start: number; end: number; dated: Dated | typeof AS_SAID }[] = [];
  for (const rule of DATE_RULES) {
    if ((rule.cues & cues) !== rule.cues) continue;
    // Not `matchAll`: it copies the pattern for every sentence, which costs more than most matches.
    rule.pattern.lastIndex = 0;
    for (;;) {
      const match = rule.pattern.exec(sentence);
      if (match === null) break;
      const start = match.index;
      const end = start + match[0].length;
      if (isTitle(sentence, start, match[0])) continue;
      if (taken.some(other => start < other.end && other.start < end)) continue;
      const dated = rule.read(match, {
        ...said,
        tense: () => tenseAt(sentence, start),
        before: sentence.slice(Math.max(0, start - 40), start),
        after: sentence.slice(end, end + 16),
      });
      if (dated === undefined) continue;
      const isFar =
        dated !== AS_SAID &&
        dated.span !== undefined &&
        Math.abs(dated.span.day - said.day) > 3000 * 366 * DAY;
      if (isFar) continue;
      taken.push({ start, end, dated: isModified(sentence, start, end) ? AS_SAID : dated });
    }
  }
  return taken.filter((match): match is Match => match.dated !== AS_SAID).sort((a, b) => a.start - b.start);
}

/** "A cat called Friday", "my favourite song is Yesterday": a name, and no day. */
const isTitle = (sentence: string, start: number, said: string): boolean => {
  const before = sentence.slice(Math.max(0, start - 12), start);
  return (
    (/^\p{Lu}\p{Ll}+$/u.test(said) && /\b(?:called|named) $/.test(before)) ||
    (/^(?:Yesterday|Today|Tonight|Tomorrow)\b/.test(said) &&
      /\p{L},? $/u.test(before) &&
      !/[.!?:] $/.test(before))
  );
};

/** Returns how a date is written in the sentence. */
function written({ start, end, dated }: Match, sentence: string): WrittenDate {
  const before = sentence.slice(Math.max(0, start - 40), start);
  // "since last year" already has a preposition, and "last year's" is an adjective.
  const possessive = /^['’]s\b/.test(sentence.slice(end, end + 3));
  const adjective = possessive && !dated.text.startsWith('the ');
  const lead = adjective && !/\bthe\s+$/i.test(before) ? 'the ' : '';
  const bare =
    adjective ||
    possessive ||
    dated.preposition === '' ||
    PREPOSITION_BEFORE.test(before) ||
    (AT_START.test(before) && VERB_NEXT.test(sentence.slice(end, end + 12)));
  return {
    start,
    said: sentence.slice(start, adjective ? end + 2 : end),
    text: bare ? lead + dated.text : `${dated.preposition} ${dated.text}`,
    labels: [dated.span, dated.until].flatMap(span => (span === undefined ? [] : [isoLabel(span)])),
  };
}

/** Returns the text with these dates in it, which are in the order of the text. */
function withDates(text: string, dates: readonly WrittenDate[]): DatedSentence {
  let absolute = '';
  let from = 0;
  for (const { start, said, text: date } of dates) {
    absolute += text.slice(from, start) + (start === 0 ? date.charAt(0).toUpperCase() + date.slice(1) : date);
    from = start + said.length;
  }
  const labels = [...new Set(dates.flatMap(date => date.labels))];
  return { text: absolute + text.slice(from), labels, dates };
}

/**
 * Replaces relative times in a sentence ("yesterday", "last summer") by calendar times ("on 7 May 2023", "in
 * summer 2022"), and labels every date in it. Precision is kept: a week, a month, a year, or "a few days
 * before" a day, never a day that nobody said.
 *
 * This is our own grammar because chrono-node reads "last week" and "a few weeks ago" as one day, "for 3
 * years" and "sat" as dates, and does not know "last summer" or "two weekends ago".
 *
 * @param timestamp Unix milliseconds: when the sentence was said
 */
export function makeDatesAbsolute(sentence: string, timestamp: number): DatedSentence {
  if (!MAY_HOLD_DATE.test(sentence) || !(timestamp > FIRST_DAY && timestamp < LAST_DAY))
    return withDates(sentence, []);
  const dates = withWordsBeside(matchesIn(sentence, timestamp), sentence);
  return withDates(
    sentence,
    dates.map(date => written(date, sentence)),
  );
}

/**
 * Like `makeDatesAbsolute`, for a clause of a sentence whose dates are known. A clause that isn't a part of
 * the sentence as it stands was tidied: its dates are those whose words it still has, in their order.
 */
export function makeClauseAbsolute(
  clause: string,
  sentence: string,
  { dates }: DatedSentence,
): DatedSentence {
  if (dates.length === 0) return withDates(clause, []);
  const offset = sentence.indexOf(clause);
  const own: WrittenDate[] = [];
  let from = 0;
  for (const date of dates) {
    const start = offset >= 0 ? date.start - offset : clause.indexOf(date.said, from);
    if (start < from || start + date.said.length > clause.length) continue;
    own.push({ ...date, start });
    from = start + date.said.length;
  }
  return withDates(clause, own);
}

/** Returns a part of a text whose dates are written, with those that are in it. */
export function partOfDated(part: string, { dates }: DatedSentence): DatedSentence {
  const own = dates.filter(({ text }) => part.toLowerCase().includes(text.toLowerCase()));
  return { text: part, labels: [...new Set(own.flatMap(date => date.labels))], dates: own };
}
