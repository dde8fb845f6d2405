import { WEEKDAY, WEEKDAYS } from './date-words.ts';

const DAY_NAME = `(?:${WEEKDAYS.join('|')})`;
/** Words after a date by which it is another one: "Friday after next", "March of that year". */
const AFTER = new RegExp(
  [
    ',?\\s+(?:after next|before last|or (?:so|thereabouts))\\b',
    `,?\\s+(?:on|of|in) (?:an?|any|some|one|every|each) ${DAY_NAME}\\b`,
    '\\s+(?:of|in) (?:last|next|this|that|each|every|the (?:same|previous|following)) (?:week|month|year|season)\\b',
    '\\s+(?:of|in) the (?:week|month)\\b',
    ',?\\s+(?:\\w+|a couple of|a few) (?:days?|weeks?|months?|years?) ago\\b',
    '-?ish\\b',
  ].join('|'),
  'iy',
);
/** Words before a weekday by which it is one of many, or one that was meant before. */
const BEFORE_WEEKDAY =
  /\b(?:an?|one|any|some|no|each|every|another|other|first|second|third|fourth|fifth|last|next|previous|following|alternate|\d(?:st|nd|rd|th)|the|my|our|their|your|which|what|(?:on|by|since|until|before|after) that)\s+$/i;
/** "The last Friday", "every next Monday". */
const BEFORE_WHICH = /\b(?:the|an?|every|each|my|our|their|your|very)\s+$/i;
/** "Sunday school", "Friday-night", and others where the weekday only says which kind. */
const AFTER_WEEKDAY = new RegExp(
  `\\s+(?:school|service|league|market|club|class(?:es)?|lunch(?:es)?|dinners?|roast|paper|prayers|job|mass|brunch|shifts?|routine|ritual|tradition|blues|person|people|group|team)\\b|-(?!${DAY_NAME}\\b)\\w`,
  'iy',
);
const IS_WEEKDAY = new RegExp(`^${WEEKDAY}\\b`, 'i');
const IS_WHICH = new RegExp(`^(?:last|next) ${WEEKDAY}\\b`, 'i');

/** "The last week of May": not the one before it was said. */
const IS_PERIOD = /^(?:the )?(?:last|past|next|coming) .*(?:day|week|weekend|month|year|decade)s?$/i;
const OF = /\s+of\b/iy;

const follows = (pattern: RegExp, sentence: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(sentence);
};

/**
 * Whether words beside a date make it another one that no rule understood: such a date stays as it was said,
 * since half of it in numbers would be a day that nobody meant.
 */
export function isModified(sentence: string, start: number, end: number): boolean {
  if (follows(AFTER, sentence, end)) return true;
  const said = sentence.slice(start, end);
  const before = sentence.slice(Math.max(0, start - 20), start);
  if (IS_PERIOD.test(said) && follows(OF, sentence, end)) return true;
  if (IS_WHICH.test(said)) return BEFORE_WHICH.test(before);
  return IS_WEEKDAY.test(said) && (BEFORE_WEEKDAY.test(before) || follows(AFTER_WEEKDAY, sentence, end));
}
