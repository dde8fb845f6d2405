import { DAY, dayOf, isoLabel } from './calendar.ts';
import { CALENDAR_DATES } from './calendar-dates.ts';
import { CUES, type Tense } from './date-words.ts';
import { RELATIVE_DATES } from './relative-dates.ts';

export interface DatedSentence {
  text: string;
  /** ISO 8601 labels of the days, weeks, months and years that the sentence names. */
  labels: string[];
}

const CUE_NAMES = Object.keys(CUES) as (keyof typeof CUES)[];
/** The rules with one bit for each of their cues. */
const DATE_RULES = [...RELATIVE_DATES, ...CALENDAR_DATES].map(rule => ({
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
const FUTURE =
  /\b(?:will|won't|going to|gonna|plan(?:s|ning)?|hop(?:e|es|ing) to|can't wait|looking forward|upcoming|coming|about to|let's|should|might|must|(?:have|has|needs?|wants?) to|shall|due|(?:scheduled|booked|reserved|planned|set) for)\b|['’](?:ll)\b/i;
const PAST =
  /\b(?:was|were|had|did|didn't|went|got|took|made|saw|met|came|bought|found|felt|left|began|started|gave|told|said|ate|won|lost|ran|wrote|read|spent|taught|heard|kept|brought|been|flew|rode|drove|drew|threw|grew|broke|chose|fell|spoke|woke|sold|sent|paid|slept|swam|sang|sat|stood|drank|caught|thought|held|forgot|became|fought|built|(?!(?:need|feed|seed|speed|exceed|succeed|proceed|hundred)\b)[a-z]{2,}ed)\b/i;
/** Plausible range: a date outside it is a mistake, and its spelling would not read as a date. */
const FIRST_DAY = Date.UTC(1000, 0, 1);
const LAST_DAY = Date.UTC(9000, 0, 1);
const PREPOSITION_BEFORE =
  /\b(?:on|in|at|since|until|till|by|from|for|before|after|of|during|around|about|to|through|between|over|than|and|the|mid|early|late|that|this|next|last|every|each)[\s-]+$/i;

const AT_START = /(?:^|[,;:]\s*|\b(?:and|but|so|because|that)\s+)$/i;
/** "Last week was hard": the date is the subject. */
const VERB_NEXT = /^\s+(?:was|is|were|has|had|will|would|works|suits|marks|marked|turned|brought)\b/i;

/** "is", or "she moves": the present, unless something in the clause is past. */
const PRESENT = /\b(?:am|is|are|(?:he|she|it)\s+[a-z]{2,}s)\b|['’](?:m|re)\b/i;
/** "Booked for", "moved to" a day: the verb is past, but the day is in the future. */
const APPOINTED =
  /\b(?:(?:booked|scheduled|reserved|planned|arranged|postponed|rescheduled)\b(?:(?!\b(?:and|but|so)\b)[^,;])*\bfor|(?:moved|postponed|rescheduled) to)\s+(?:the\s+)?$/i;
/** Boundary before a clause with its own subject. */
const CLAUSE_START =
  /(?:[,;:]|\b(?:and|but|so|because))\s+(?=(?:i|we|you|he|she|they|it|my|our|there|the)(?:['’]\w+)?\s)/gi;

/** Returns the tense by words of the future, then by forms of the past. */
export function tenseOf(text: string): Tense {
  if (FUTURE.test(text)) return 'future';
  return PAST.test(text) ? 'past' : 'unknown';
}

/** Returns the tense at `position`: that of its clause, otherwise of the sentence. */
function tenseAt(sentence: string, position: number): Tense {
  let from = 0;
  let to = sentence.length;
  for (const { index } of sentence.matchAll(CLAUSE_START)) {
    if (index <= position) from = index;
    else {
      to = index;
      break;
    }
  }
  if (APPOINTED.test(sentence.slice(from, position))) return 'future';
  const clause = sentence.slice(from, to);
  const tense = tenseOf(clause);
  return tense === 'unknown' && !PRESENT.test(clause) ? tenseOf(sentence) : tense;
}

/** Returns one bit for each of `CUES` that the sentence contains. */
function cuesOf(sentence: string): number {
  let cues = 0;
  for (let i = 0; i < CUE_PATTERNS.length; i++) if (CUE_PATTERNS[i]!.test(sentence)) cues |= 1 << i;
  return cues;
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
    return { text: sentence, labels: [] };
  const cues = cuesOf(sentence);
  const said = { day: dayOf(timestamp), timestamp, sentence };
  const found: { start: number; end: number; text: string; label: string | undefined }[] = [];
  for (const rule of DATE_RULES) {
    if ((rule.cues & cues) !== rule.cues) continue;
    // Not `matchAll`: it copies the pattern for every sentence, which costs more than most matches.
    rule.pattern.lastIndex = 0;
    for (;;) {
      const match = rule.pattern.exec(sentence);
      if (match === null) break;
      const start = match.index;
      const end = start + match[0].length;
      if (found.some(other => start < other.end && other.start < end)) continue;
      const before = sentence.slice(Math.max(0, start - 40), start);
      const dated = rule.read(match, {
        ...said,
        tense: () => tenseAt(sentence, start),
        before,
        after: sentence.slice(end, end + 16),
      });
      if (dated === undefined) continue;
      if (dated.span !== undefined && Math.abs(dated.span.day - said.day) > 3000 * 366 * DAY) continue;
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
      const text = bare ? lead + dated.text : `${dated.preposition} ${dated.text}`;
      found.push({ start, end: adjective ? end + 2 : end, text, label: dated.span && isoLabel(dated.span) });
    }
  }
  if (found.length === 0) return { text: sentence, labels: [] };
  found.sort((a, b) => a.start - b.start);
  let text = '';
  let from = 0;
  const labels: string[] = [];
  for (const { start, end, text: dated, label } of found) {
    const gap = sentence.slice(from, start);
    text += gap + (text + gap === '' ? dated.charAt(0).toUpperCase() + dated.slice(1) : dated);
    if (label !== undefined && !labels.includes(label)) labels.push(label);
    from = end;
  }
  return { text: text + sentence.slice(from), labels };
}

/**
 * Like `makeDatesAbsolute`, for a clause of a sentence whose dates are known. Most clauses are the sentence
 * without its full stop, so the sentence's result applies.
 */
export function makeClauseAbsolute(
  clause: string,
  sentence: string,
  dated: DatedSentence,
  timestamp: number,
): DatedSentence {
  if (dated.text === sentence) return { text: clause, labels: [] };
  if (!sentence.startsWith(clause) || !/^[.!]*$/.test(sentence.slice(clause.length)))
    return makeDatesAbsolute(clause, timestamp);
  return {
    text: dated.text.slice(0, dated.text.length - sentence.length + clause.length),
    labels: dated.labels,
  };
}
