import { DAY, dayOf, weekdayOf } from '../extraction/calendar.ts';
import { FEW, NUMBER, WEEKDAY } from '../extraction/date-words.ts';
import { tenseOf } from '../extraction/dates.ts';
import {
  DAY_OF_MONTH,
  DAYS_THEN_MONTH,
  FULL_DAY,
  fromTo,
  MONTH_THEN_DAYS,
  namedTime,
  PART_OF_TIME,
  TIME_NAME,
} from './time-names.ts';
import {
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

/** A span of time in which what a question asks for was said or happened. */
export interface AskedSpan extends TimeRange {
  /** Whether it may have been told some days later: not what was talked about then. */
  toldLater: boolean;
  /** Whether an answer from another time is none. What held in a long time may have been told before it. */
  isSharp: boolean;
}

/** When a question is asked, Unix milliseconds. */
export interface AskedAt {
  moment: number;
  /** How far the turns reach that are asked. Without it, the words of a time stay in the question, beside its span. */
  extent?: (() => Extent | undefined) | undefined;
}

/** When the first and the last turn were said, Unix milliseconds. */
export interface Extent {
  first: number;
  last: number;
}

export interface AskedTimes {
  spans: AskedSpan[];
  /** The question without the words that only the clock gives a meaning ("yesterday", "two weeks ago"), where there are turns of then. */
  rest: string;
}

/** Open: it ends at the question or begins with the first turn, or a part of it may be ahead. */
type Range = TimeRange & { isOpen?: boolean };

interface Rule {
  pattern: RegExp;
  /** @param today the day on which the question is asked */
  read(match: RegExpExecArray, today: number): Range | undefined;
}

/** A question without any of these names no span. Most end here. */
const MAY_NAME_SPAN =
  /day|night|morning|afternoon|evening|week|fortnight|month|year|recent|lately|spring|summer|autumn|\bfall\b|winter|between|\bfrom\b|since|before|after|until|till\b|early|mid|late|half|(?:end|start|beginning|middle) of|\d ?[-–] ?\d/i;
/** Our own talk is asked for, which has no other time than its own. */
const ABOUT_TALK =
  /\b(?:did|have|had) (?:I|we|you) (?:(?:just|ever|also) )?(?:talk|talked|discuss|discussed|chat|chatted|mention|mentioned|tell you|told you|ask|asked|bring up|brought up)\b|\b(?:I|we|you) (?:talked|discussed|chatted|mentioned|told you|asked|brought up)\b/i;
/** Finite forms: "is scheduled" and "have planned" are no past. */
const FINITE_PAST =
  /\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't|happened|went|came|made|got|(?:have|has|haven't|hasn't) (?:I|we|you|they|he|she|it|[A-Z]\w+)|(?:who|what) (?:has|have)|(?:I|we|he|she|they) (?:talked|discussed|[a-z]{3,}ed|saw|had|ate|met|took|told|said))\b/;
const PRESENT_FIRST = /^\s*(?:is|are|am|do|does|what's|who's)\b/i;
/** What was planned was told before, and a comparison looks at other times, too. */
const LOOKS_FURTHER =
  /\b(?:plan|promis|book|order|schedul|decid|want|need|suppos|remind|appoint|expect|agree)\w*|\b(?:what time|due|flight|compar\w+|than|versus|vs|now|not|or|still|the (?:day|week|month|year) before)\b/i;
/** These may be ahead: "What are my plans this weekend?", "What is due before June?" */
const MAY_BE_AHEAD = new RegExp(
  `^(?:(?:on|over|during|later) )?(?:today|tonight|this (?!past\\b)|${WEEKDAY}|(?:after|before|until|till|prior to) )`,
  'i',
);
/** "The last two days of the trip" and "our last week" are not the last ones. */
const NOT_OF = '(?! (?:of|before)\\b)';
const NOT_OURS = "(?<!\\b(?:my|our|your|his|her|its|their|'s) )";
/** The longest time of which an answer from another time is none: a month. */
const SHARP = 32 * DAY;
const RECENT_DAYS = 30;
/** Of a chat that ended this long ago nobody asks by today's clock. */
const LONG_ENDED = 366 * DAY;
/** A question has one or two; a pasted page may have hundreds, each of which would be compared with each turn. */
const MOST_TIMES = 8;
const EVER = Number.MIN_SAFE_INTEGER;

const words = (source: string): RegExp => new RegExp(`\\b${source}\\b`, 'gi');
const COUNT = `(${NUMBER}|${FEW}|couple(?: of)?)`;
const IN_A = '(?:in|over|during|within|for) ';
const IN = `(?:${IN_A})?`;
const until = (from: number, today: number): Range => ({ from, to: today + DAY });
const isOpen = true;

/** Times with ends that have a name, or are told from such a time. Longer phrases precede the shorter ones that they contain. */
const BY_NAME: readonly Rule[] = [
  {
    pattern: words(`(?:between|from) (${TIME_NAME}) (?:and|to|until|till|through) (${TIME_NAME})`),
    read: ([, first, last], today) => fromTo(first!, last!, today),
  },
  {
    pattern: words(DAYS_THEN_MONTH),
    read: ([, first, last, month, year = ''], today) =>
      fromTo(`${first} ${month}`, `${last} ${month} ${year}`.trim(), today),
  },
  {
    pattern: words(MONTH_THEN_DAYS),
    read: ([, month, first, last, year = ''], today) =>
      fromTo(`${first} ${month}`, `${last} ${month} ${year}`.trim(), today),
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

/** Times that only the clock says: the words for them find nothing. */
const BY_CLOCK: readonly Rule[] = [
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
    read: (_, today) => ({ ...days(today), isOpen }),
  },
  {
    pattern: words(
      `(?:${IN_A}(?:the )?|the )(?:last|past) (\\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|few|couple(?: of)?|several) ${UNITS}${NOT_OF}`,
    ),
    read: ([, count, unit], today) => until(today - counted(count!).most * lengthOf(unit!), today),
  },
  {
    pattern: words('the (week|weekend|month|year) before last(?= *(?:[?.,!;]|$))'),
    read: ([, unit], today) => unitFrom(today, unit!, -2),
  },
  {
    pattern: words('(?:earlier |later )?this (week|month|year)'),
    read: ([, unit], today) => ({ ...until(unitFrom(today, unit!, 0).from, today), isOpen }),
  },
  {
    pattern: words(
      `(?:(?:on|over|during) )?(?:the )?${NOT_OURS}(last|this past|past|previous) weekend${NOT_OF}`,
    ),
    // On a weekend, the last one is the one before.
    read: ([, which], today) =>
      weekend(today, which!.toLowerCase() === 'last' && weekdayOf(today) >= 5 ? -1 : 0),
  },
  {
    // From Tuesday on it is the one that comes.
    pattern: words('(?:(?:on|over|during) )?this weekend'),
    read: (_, today) => ([5, 6, 0].includes(weekdayOf(today)) ? { ...weekend(today, 0), isOpen } : undefined),
  },
  {
    pattern: words(`${IN}(?:the )?${NOT_OURS}(?:last|previous) (week|fortnight|month|year)${NOT_OF}`),
    read: ([, unit], today) => unitFrom(today, unit!, -1),
  },
  {
    pattern: words(`${IN}(?:the|this) past (week|fortnight|month|year)${NOT_OF}`),
    read: ([, unit], today) => until(today - lengthOf(unit!), today),
  },
  {
    pattern: words(
      `(?:(?:on|last|this past) |(?<=\\b(?:since|after|before|until) ))${WEEKDAY}(?: (?:morning|afternoon|evening|night)\\b)?(?!,? ${DAY_OF_MONTH})`,
    ),
    // Which one "on Monday" is, and whether it is ahead, isn't sure.
    read: ([, name], today) => ({ ...weekdayBefore(name!, today), isOpen }),
  },
  {
    pattern: words('(?:recently|lately|of late(?= *(?:[?.,!;]|$)))'),
    read: (_, today) => ({ ...until(today - RECENT_DAYS * DAY, today), isOpen }),
  },
];

/** What "since", "before" and "after" make of a time. */
const relatedTo = ({ from, to }: TimeRange, relation: string, today: number): Range => {
  switch (relation.toLowerCase()) {
    case 'since':
      return { ...until(from, today), isOpen };
    case 'after':
      return { ...until(to, today), isOpen };
    default:
      return { from: EVER, to: from, isOpen };
  }
};

/** "The week before 16 November", "two weeks before": the week that ends there, or what lies that far from there. */
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

/** A question that names a day with its year says its other times from there ("last week, as mentioned on 6 November 2023"). */
const NAMES_DAY = new RegExp(FULL_DAY, 'i');
const RELATION = /(since|after|before|until|till|prior to) (?:the )?$/i;

interface Found {
  start: number;
  end: number;
  range: Range;
  isByClock: boolean;
}

/**
 * Finds the times by which an English question narrows what it asks for: by the clock ("yesterday", "in the last three weeks"), or by
 * two ends, a half or a part ("between March and May", "in early June 2026", "since August"). A single day, month or year by its name
 * is a date (query-dates.ts). What is ahead is no time of anything that was said.
 */
export const askedTimes = (q: string, { moment, extent }: AskedAt): AskedTimes => {
  const found = MAY_NAME_SPAN.test(q) ? timesIn(q, dayOf(moment)) : [];
  if (found.length === 0) return { spans: [], rest: q };
  const toldLater = !ABOUT_TALK.test(q);
  const mayBeSharp = found.length === 1 && isPast(q) && !LOOKS_FURTHER.test(q);
  const spansOf = (times: readonly Found[]): AskedSpan[] =>
    times.map(({ range: { from, to, isOpen } }) => ({
      from,
      to,
      toldLater,
      isSharp: mayBeSharp && !isOpen && to - from <= SHARP,
    }));
  if (!extent) return { spans: spansOf(found), rest: q };
  const reach = extent();
  // Who asks a chat that ended years ago means its clock, not ours; and people told of "two weeks ago" then, too.
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

/** "Who broke …", where the verb stands behind who did it. */
const SUBJECT_VERB = /^\s*(?:who|what|which \w+) (\w+)/i;

const isPast = (q: string): boolean => {
  if (tenseOf(q) === 'future' || PRESENT_FIRST.test(q)) return false;
  return FINITE_PAST.test(q) || tenseOf(SUBJECT_VERB.exec(q)?.[1] ?? '') === 'past';
};

const timesIn = (q: string, today: number): Found[] => {
  const taken: (Pick<Found, 'start' | 'end'> & Partial<Found>)[] = [];
  const past = isPast(q);
  const find = (rules: readonly Rule[], isByClock: boolean): void => {
    for (const { pattern, read } of rules) {
      for (const match of q.matchAll(pattern)) {
        const start = match.index;
        const end = start + match[0].length;
        if (taken.length === MOST_TIMES) return;
        if (taken.some(other => start < other.end && other.start < end)) continue;
        const range = isName(q, match) ? undefined : read(match, today);
        if (!range) continue;
        const isAhead = !past && (MAY_BE_AHEAD.test(match[0]) || (!isByClock && mayComeAgain(match[0])));
        // Taken, too, so that no part of it is read as a time by itself.
        taken.push({ start, end, ...(!isAhead && range.from < range.to && { range, isByClock }) });
      }
    }
  };
  find(BY_NAME, false);
  if (!NAMES_DAY.test(q)) find(BY_CLOCK, true);
  return taken.flatMap(({ start, end, range, isByClock = false }) => {
    if (!range) return [];
    const relation = RELATION.exec(q.slice(0, start))?.[1];
    // "By the end of September" and "for last Friday": told before.
    const told = /\b(?:by|for) $/i.test(q.slice(0, start)) ? { ...range, isOpen } : range;
    return [{ start, end, range: relation ? relatedTo(range, relation, today) : told, isByClock }];
  });
};

/** "Late November" without its year may be the next one. */
const mayComeAgain = (phrase: string): boolean => !/\b(?:19|20)\d\d\b|^since\b/i.test(phrase);

/** A title ("the film Yesterday"), a part of one ("on Sunday Night Football"), or whose something is ("April's birthday"). */
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
