import { DAY, dayOf, localTime, utcTime } from '../../extraction/dates/calendar.ts';
import { WEEKDAY } from '../../extraction/dates/date-words.ts';
import { tenseOf } from '../../extraction/dates/tense.ts';
import { FULL_DAY } from './time-names.ts';
import { BY_CLOCK, BY_NAME, type PhraseRange, relatedTo, type TimePhrase } from './time-phrases.ts';
import type { TimeRange } from './time-ranges.ts';

/** A span of time to which a question limits its answer. */
export interface AskedSpan extends TimeRange {
  /** Whether the answer may have been told some days later; false for a question about the talk itself. */
  toldLater: boolean;
  /**
   * Whether an answer from another time is wrong. It isn't for long spans: a state in them may have been told
   * before.
   */
  isSharp: boolean;
}

/** When and where a question is asked. */
export interface AskedAt {
  /** Unix milliseconds. */
  moment: number;
  /** Minutes to the east of UTC: days, weeks and months are counted there. Default: 0. */
  utcOffset?: number | undefined;
  /**
   * Extent of the turns that are searched. Without it, the words of a time stay in the question, beside its
   * span.
   */
  extent?: (() => Extent | undefined) | undefined;
}

/** Times of the first and the last turn, Unix milliseconds. */
export interface Extent {
  first: number;
  last: number;
}

export interface AskedTimes {
  spans: AskedSpan[];
  /**
   * The question without the words that only the clock gives a meaning ("yesterday", "two weeks ago"), if
   * there are turns of that time.
   */
  rest: string;
}

/** A question without any of these names no span, which is true of most. */
const MAY_NAME_SPAN =
  /day|night|morning|afternoon|evening|week|fortnight|month|year|recent|lately|spring|summer|autumn|\bfall\b|winter|between|\bfrom\b|since|before|after|until|till\b|early|mid|late|half|(?:end|start|beginning|middle) of|\d ?[-–] ?\d/i;
/** Questions about our own talk, which has no other time than its own. */
const ABOUT_TALK =
  /\b(?:did|have|had) (?:I|we|you) (?:(?:just|ever|also) )?(?:talk|talked|discuss|discussed|chat|chatted|mention|mentioned|tell you|told you|ask|asked|bring up|brought up)\b|\b(?:I|we|you) (?:talked|discussed|chatted|mentioned|told you|asked|brought up)\b/i;
/** Finite forms: "is scheduled" and "have planned" are no past. */
const FINITE_PAST =
  /\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't|happened|went|came|made|got|(?:have|has|haven't|hasn't) (?:I|we|you|they|he|she|it|[A-Z]\w+)|(?:who|what) (?:has|have)|(?:I|we|he|she|they) (?:talked|discussed|[a-z]{3,}ed|saw|had|ate|met|took|told|said))\b/;
const PRESENT_FIRST = /^\s*(?:is|are|am|do|does|what's|who's)\b/i;
/** A plan was told before its time, and a comparison looks at other times too. */
const LOOKS_FURTHER =
  /\b(?:plan|promis|book|order|schedul|decid|want|need|suppos|remind|appoint|expect|agree)\w*|\b(?:what time|due|flight|compar\w+|than|versus|vs|now|not|or|still|the (?:day|week|month|year) before)\b/i;
/** Times that may be ahead: "What are my plans this weekend?", "What is due before June?" */
const MAY_BE_AHEAD = new RegExp(
  `^(?:(?:on|over|during|later) )?(?:today|tonight|this (?!past\\b)|${WEEKDAY}|(?:after|before|until|till|prior to) )`,
  'i',
);
/** Maximum length of a sharp span: a month. */
const SHARP = 32 * DAY;
/** Questions about a chat that ended longer ago than this don't use today's clock. */
const LONG_ENDED = 366 * DAY;
/**
 * Maximum times of a question. It has one or two; a pasted page may have hundreds, each compared with each
 * turn.
 */
const MOST_TIMES = 8;
/**
 * If a question names a day with its year, its other times are relative to it ("last week, as mentioned on 6
 * November 2023").
 */
const NAMES_DAY = new RegExp(FULL_DAY, 'i');
const RELATION = /(since|after|before|until|till|prior to) (?:the )?$/i;

interface Found {
  start: number;
  end: number;
  range: PhraseRange;
  isByClock: boolean;
}

/**
 * Finds the times to which an English question limits its answer: by the clock ("yesterday", "in the last
 * three weeks"), or by two ends, a half or a part ("between March and May", "in early June 2026", "since
 * August"). A single day, month or year by name is a date (query-dates.ts). Times that lie ahead are left
 * out: nothing was said then.
 */
export const askedTimes = (q: string, { moment, utcOffset = 0, extent }: AskedAt): AskedTimes => {
  const found = MAY_NAME_SPAN.test(q) ? timesThere(q, moment, utcOffset) : [];
  if (found.length === 0) return { spans: [], rest: q };
  const toldLater = !ABOUT_TALK.test(q);
  const mayBeSharp = found.length === 1 && isPast(q) && !LOOKS_FURTHER.test(q);
  const spansOf = (times: readonly Found[]): AskedSpan[] =>
    times.map(({ range: { from, to, isLoose } }) => ({
      from,
      to,
      toldLater,
      isSharp: mayBeSharp && !isLoose && to - from <= SHARP,
    }));
  if (!extent) return { spans: spansOf(found), rest: q };
  const reach = extent();
  // A question about a chat that ended years ago means the chat's clock, not ours; and people said "two weeks
  // ago" then, too.
  const meant = found.filter(
    ({ range, isByClock }) =>
      reach !== undefined &&
      range.from <= reach.last &&
      range.to > reach.first &&
      !(isByClock && moment - reach.last > LONG_ENDED),
  );
  return {
    spans: spansOf(meant),
    rest: without(
      q,
      meant.filter(({ isByClock }) => isByClock),
    ),
  };
};

/** "Who broke …": the verb follows the subject. */
const SUBJECT_VERB = /^\s*(?:who|what|which \w+) (\w+)/i;

const isPast = (q: string): boolean => {
  if (tenseOf(q) === 'future' || PRESENT_FIRST.test(q)) return false;
  return FINITE_PAST.test(q) || tenseOf(SUBJECT_VERB.exec(q)?.[1] ?? '') === 'past';
};

/** Returns the times of a question with their ranges in UTC. */
const timesThere = (q: string, moment: number, utcOffset: number): Found[] =>
  timesIn(q, dayOf(localTime(moment, utcOffset))).map(({ range, ...found }) => {
    const { from, to } = range;
    return { ...found, range: { ...range, from: utcTime(from, utcOffset), to: utcTime(to, utcOffset) } };
  });

const timesIn = (q: string, today: number): Found[] => {
  const taken: (Pick<Found, 'start' | 'end'> & Partial<Found>)[] = [];
  const past = isPast(q);
  const find = (phrases: readonly TimePhrase[], isByClock: boolean): void => {
    for (const { pattern, read } of phrases) {
      for (const match of q.matchAll(pattern)) {
        const start = match.index;
        const end = start + match[0].length;
        if (taken.length === MOST_TIMES) return;
        if (taken.some(other => start < other.end && other.start < end)) continue;
        const range = isName(q, match) ? undefined : read(match, today);
        if (!range) continue;
        const isAhead = !past && (MAY_BE_AHEAD.test(match[0]) || (!isByClock && mayComeAgain(match[0])));
        // Ignored times are taken too, so that no part of them is read as a time of its own.
        taken.push({ start, end, ...(!isAhead && range.from < range.to && { range, isByClock }) });
      }
    }
  };
  find(BY_NAME, false);
  if (!NAMES_DAY.test(q)) find(BY_CLOCK, true);
  return taken.flatMap(({ start, end, range, isByClock = false }) => {
    if (!range) return [];
    const relation = RELATION.exec(q.slice(0, start))?.[1];
    // "By the end of September" and "for last Friday" may have been told before.
    const told = /\b(?:by|for) $/i.test(q.slice(0, start)) ? { ...range, isLoose: true } : range;
    return [{ start, end, range: relation ? relatedTo(range, relation, today) : told, isByClock }];
  });
};

/** Whether a time without its year, such as "late November", may be the next one. */
const mayComeAgain = (phrase: string): boolean => !/\b(?:19|20)\d\d\b|^since\b/i.test(phrase);

/**
 * Whether the time is a title ("the film Yesterday"), part of one ("on Sunday Night Football"), or an owner
 * ("April's birthday").
 */
const isName = (q: string, { 0: phrase, index }: RegExpExecArray): boolean => {
  const behind = q.slice(index + phrase.length);
  if (/^['’]s\b/.test(behind) && !/\b(?:day|week|month|year|night|weekend)$/i.test(phrase)) return true;
  if (/day$/i.test(phrase) && /^ [A-Z][a-z]/.test(behind)) return true;
  return (
    index > 0 &&
    /^(?:Yesterday|Today|Tonight|Last|This|The|Recently)/.test(phrase) &&
    !/[.!?]\s*$/.test(q.slice(0, index))
  );
};

const without = (q: string, parts: readonly Pick<Found, 'start' | 'end'>[]): string =>
  parts
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, q);
