import { MONTHS } from '../dates/calendar.ts';
import type { Predicate, Reading } from '../reading/clause.ts';
import { itemsAt } from '../reading/phrases.ts';
import { textOf } from '../reading/tokens.ts';
import { verbOf } from '../reading/verbs.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import { isBase } from '../sentences/verbs.ts';
import type { Said } from './meaning.ts';
import { place } from './place-type.ts';

/** Politeness, promises of the moment, and encouragement, which are no plans. */
const NO_PLAN =
  /^(?:murder|kill|strangle|scream|cry|punch|throw up|puke|die\b|bed\b|go (?:home|to (?:bed|sleep|the (?:loo|toilet|bathroom|shops?|kitchen)))|have the |order |move to the |pass out|lie down|be (?:honest|there|here|fine|ok|okay|able|sure|great|good|happy|back|careful|right|late)|say|tell|ask|let|see (?:what|how|if|you|it)|know|get back|keep (?:you|it|that|this)|think|send|check|share|do (?:it|that|this|so)|have (?:to|fun)|need|want|like|love|miss|try (?:it|that|this)|hear|believe|hope|admit|mention|thank|look (?:at|into|it)|make (?:it|sure)|give|take (?:it|that)|work (?:on it)?$|remember|understand|talk|use|go (?:with|for) (?:it|that)|happen|go now|sleep$|hang|chat|keep|stay (?:positive|strong|safe|calm|in touch)|do (?:my|our) best|have (?:a |so much |lots of )?(?:blast|great|good|fun|wonderful|amazing)|make (?:a|some|more|time|the most)|never|find (?:some|out|a way)|continue|reach|be more|enjoy|get (?:one|there|through|better|it)|help make|start thinking|wait|cheer|support|focus|push|live (?:life|authentically)|inspire|spread)\b/i;
const NO_VERB = /^(?:an?|the|my|some|more|you|it|that|this) /i;
/** Verbs whose progressive tells a plan: "I'm leaving Acme". */
const LEAVING = new Set([
  'leave',
  'quit',
  'sell',
  'retire',
  'resign',
  'move',
  'relocate',
  'join',
  'start',
  'marry',
  'adopt',
  'buy',
]);
const TRAVELLING = new Set(
  'go going fly flying travel travelling traveling drive driving sail sailing head heading cycle cycling'.split(
    ' ',
  ),
);
const POINTS = /\b(?:it|that|this|them|they|you|your|there|him)\b/i;
/** A calendar time as dates.ts writes it, with the words that lead to it. */
const CALENDAR_TIME = new RegExp(
  `(?:^|,? )(?:(?:on|in|at|since|from|until|till|by|before|after|around|early|late|mid|as of|back in|starting|of) )*(?:(?:the|a|several|some) [a-z ]{3,30}? (?:of|before|after) |(?:spring|summer|autumn|fall|winter) |(?:Christmas|Thanksgiving|Halloween) )?(?:\\d{1,2} )?(?:(?:${MONTHS.join('|')}) )?(?<![\\d,.])(?:1[89]|20)\\d\\d\\b.*$`,
);
const PHRASE_END = /[;:!?"“”()[\]…]|(?<!\b(?:Dr|Mr|Mrs|Ms|St|Prof))\.(?=\s|$)| [-–—]+ |, /;
const TRAILING =
  /(?:^|,? )(?:now|then|today|tonight|currently|again|any ?more|too|also|already|finally|these days|right now|full[- ]time|part[- ]time|instead|actually|permanently|recently|there|here|so far|still|really|at all|yet|as well|anyway|btw|please|for good|of course|last year|forever|(?:last|this|next) [A-Z][a-z]+|soon)$/i;
const UNFINISHED =
  /(?:^|\s)(?:the|a|an|to|for|with|of|in|on|at|and|or|like|by|than|from|ones?|about|make|their|my|our|as|is|are|be|some|more|very|so|into|this|that|not)$/i;
const LONGEST_VALUE = 64;

/** Returns a wish or an intention as a goal or a plan, never as a current fact. */
export function intended(
  { tokens, subject }: Reading,
  { verb, from, to }: Predicate,
  { labels }: { labels: readonly string[] },
  lexicon: Lexicon,
): Said[] {
  if (subject.kind === 'thing' || verb.denied) return [];
  const isLeaving = verb.intent === undefined && verb.progressive && LEAVING.has(verb.lemma);
  const isTrip = verb.intent === undefined && isTravel({ tokens, subject, verb, from, to, labels }, lexicon);
  if (verb.intent === undefined && !isLeaving && !isTrip) return [];
  // "I'll take the bet" is said and done; with a date it is a plan.
  if (verb.willed && labels.length === 0) return [];
  const text = textOf(tokens, verb.lemma === 'be' ? from : verb.at, to);
  const said = verb.lemma === 'be' ? `be ${text}` : text;
  if (NO_PLAN.test(said) || NO_VERB.test(said)) return [];
  const value = phraseOf(asBase(said, lexicon));
  if (value === undefined || value.split(' ').length < 2 || POINTS.test(value)) return [];
  return [{ attribute: verb.intent === 'wish' ? 'goal' : 'plan', value }];
}

/** "Flying to Tampere on the 25th": by its day a journey to come; without one it may be under way. */
function isTravel(
  {
    tokens,
    verb,
    from,
    to,
    labels,
  }: Pick<Reading, 'tokens' | 'subject'> &
    Pick<Predicate, 'verb' | 'from' | 'to'> & { labels: readonly string[] },
  lexicon: Lexicon,
): boolean {
  if (!verb.progressive || verb.tense !== 'present' || !TRAVELLING.has(verb.lemma) || labels.length === 0)
    return false;
  for (let at = from; at < to - 1; at++)
    if (tokens[at]!.lower === 'to') {
      const [phrase] = itemsAt(tokens, at + 1, to);
      return phrase !== undefined && place({ tokens, phrase, end: to, lexicon }) !== undefined;
    }
  return false;
}

/** "Moving to Porto" → "move to Porto". */
function asBase(text: string, lexicon: Lexicon): string {
  const [, stem, rest] = /^([a-z]{2,})ing( .*|$)/i.exec(text) ?? [];
  if (stem === undefined) return text;
  const lower = stem.toLowerCase();
  const known = verbOf(`${lower}ing`);
  if (known !== undefined) return `${known.lemma}${rest}`;
  const single = lower.at(-1) === lower.at(-2) ? lower.slice(0, -1) : lower;
  const base = [lower, `${lower}e`, single].find(word => isBase(word, lexicon));
  return base === undefined ? text : `${base}${rest}`;
}

/** Cuts a calendar time and what follows it. */
export const beforeTime = (text: string): string => text.replace(CALENDAR_TIME, '');

/** Cuts times and what follows the phrase, and turns it to the third person. */
export function phraseOf(text: string): string | undefined {
  let value = beforeTime(text);
  const end = PHRASE_END.exec(value);
  if (end !== null) value = value.slice(0, end.index);
  for (let round = 0; round < 4; round++) {
    const shorter = value.replace(TRAILING, '').trim();
    if (shorter === value) break;
    value = shorter;
  }
  value = value.replace(/[,.\s]+$/, '');
  if (value === '' || value.length > LONGEST_VALUE || UNFINISHED.test(value)) return undefined;
  return value
    .replace(/\b(?:my|our)\b/gi, 'their')
    .replace(/\b(?:me|us)\b/gi, 'them')
    .replace(/\b(?:myself|ourselves)\b/gi, 'themselves');
}
