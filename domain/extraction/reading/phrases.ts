import { endsPhrase, hasComma, isUpper, type Token } from './tokens.ts';
import {
  ADVERB,
  BE,
  CONNECTIVE,
  COORDINATOR,
  DETERMINER,
  MONTH,
  OWN,
  PARTICLE,
  PREPOSITION,
  PRONOUN,
  TRAILING,
  WEEKDAY,
} from './word-classes.ts';

/** A phrase without article and adverbs, `from` to `to` (excluded); `bare` is before the article. */
export interface Phrase {
  from: number;
  to: number;
  bare: number;
}

const LEADING = new Set(
  'some about around just actually really now currently still another called named only almost nearly roughly approximately over exactly'.split(
    ' ',
  ),
);
/** Words that end a phrase in a time: "last March 2024", "every day". */
const TIMES = new Set('last this next every each'.split(' '));
const INSIDE = new Set(['of', 'upon']);
const LONGEST_PHRASE = 8;
const MOST_ITEMS = 12;

/** Whether a preposition at `at` begins another phrase. */
const beginsPhrase = (tokens: readonly Token[], at: number): boolean => {
  const { bits, lower } = tokens[at]!;
  return (bits & PREPOSITION) !== 0 && !INSIDE.has(lower);
};

/** Returns the index at which the phrase from `from` ends: before a preposition, a comma, "and" or a time. */
function endOfPhrase(tokens: readonly Token[], from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const word = tokens[at]!;
    if (at > from && (beginsPhrase(tokens, at) || word.bits & (COORDINATOR | CONNECTIVE | BE))) return at;
    if (at > from && word.lower === 'instead') return at;
    if (at > from && TIMES.has(word.lower) && isTime(tokens[at + 1])) return at;
    if (at > from && (isDayNumber(tokens, at) || word.bits & WEEKDAY)) return at;
    if (at > from && (isHowOften(tokens, at) || word.lead.includes('('))) return at;
    if (hasComma(word) || endsPhrase(word)) return at + 1;
  }
  return to;
}

/** "Three times a day", "twice a week". */
const isHowOften = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]!.lower === 'once' ||
  tokens[at]!.lower === 'twice' ||
  tokens[at + 1]?.lower === 'times' ||
  (/^(?:mg|mcg)$/.test(tokens[at + 1]?.lower ?? '') && /^\d/.test(tokens[at]!.core));

const isTime = (word: Token | undefined): boolean =>
  word !== undefined &&
  ((word.bits & (MONTH | WEEKDAY)) !== 0 ||
    /^(?:day|week|month|year|morning|evening|night|weekend|summer|winter|spring|autumn|fall|time|other)s?$/.test(
      word.lower,
    ));
const isDayNumber = (tokens: readonly Token[], at: number): boolean => {
  const word = tokens[at]!;
  const next = tokens[at + 1];
  if (/^\d{1,2}$/.test(word.core) && next !== undefined && next.bits & MONTH && isUpper(next)) return true;
  return (word.bits & MONTH) !== 0 && isUpper(word) && next !== undefined && /^\d{1,4}$/.test(next.core);
};

/** Cuts article, adverbs before and after. */
function trimmed(tokens: readonly Token[], from: number, to: number): Phrase {
  let start = from;
  while (
    start < to &&
    (LEADING.has(tokens[start]!.lower) ||
      (tokens[start]!.bits & ADVERB && !isUpper(tokens[start]!) && start < to - 1))
  )
    start++;
  const bare = start;
  while (
    start < to - 1 &&
    (tokens[start]!.bits & (DETERMINER | OWN) || LEADING.has(tokens[start]!.lower)) &&
    !isUpper(tokens[start]!)
  )
    start++;
  let end = to;
  while (end > start + 1 && trails(tokens, end - 1)) end--;
  return { from: start, to: end, bare };
}

const trails = (tokens: readonly Token[], at: number): boolean => {
  const { bits, lower } = tokens[at]!;
  if (bits & (TRAILING | DETERMINER)) return true;
  return /^(?:more|longer|all|lot|much|well|full-time|part-time|days|moment|mostly|mainly|finally|recently|obviously|honestly|originally|myself|permanently|lately|sometimes|often|before)$/.test(
    lower,
  ) && /^(?:any|at|a|very|so|as|these|the|for)$/.test(tokens[at - 1]?.lower ?? '')
    ? true
    : /^(?:full-time|part-time|mostly|mainly|finally|recently|obviously|honestly|originally|myself|permanently|lately|sometimes|often|completely|entirely|altogether|totally|ever|regularly|daily|nowadays)$/.test(
        lower,
      );
};

/** Returns the items of a list that begins at `from`: "nuts, cats and dust" are three. */
export function itemsAt(tokens: readonly Token[], from: number, to: number): Phrase[] {
  const items: Phrase[] = [];
  let at = from;
  while (at < to && items.length < MOST_ITEMS) {
    const end = endOfPhrase(tokens, at, to);
    if (end === at) break;
    const item = trimmed(tokens, at, end);
    if (item.to > item.from && item.to - item.from <= LONGEST_PHRASE) items.push(item);
    const last = tokens[end - 1]!;
    let next = end;
    const joined = next < to && ((tokens[next]!.bits & COORDINATOR) !== 0 || tokens[next]!.lower === 'or');
    if (joined) next++;
    // "…, as well as": "and" in other words.
    if (tokens[next]?.lower === 'also') next++;
    if (!joined && !hasComma(last)) break;
    if (next >= to || tokens[next]!.bits & (PREPOSITION | CONNECTIVE | PRONOUN)) break;
    // "Camping, too much rain": another remark.
    if (
      /^(?:too|so|not|just|only|such|what|which|who|how|where|when|why|should|could|can|do|does|is|are|please)$/.test(
        tokens[next]!.lower,
      )
    )
      break;
    // "Cashews, properly, epipen and all": no list.
    if (joined && /^(?:all|everything|such|so|stuff|things)$/.test(tokens[next]!.lower) && next + 1 === to)
      return items.slice(0, 1);
    at = next;
  }
  return items;
}

/** The words after a verb, in phrases: what is directly after it, and what follows each preposition. */
export interface Complement {
  from: number;
  particles: readonly string[];
  /** Index of the first word of the object; `to` where there is none. */
  object: number;
  phrases: readonly { preposition: string; from: number }[];
  to: number;
}

export function complementOf(tokens: readonly Token[], from: number, to: number): Complement {
  const particles: string[] = [];
  let at = from;
  while (at < to && (tokens[at]!.bits & ADVERB || tokens[at]!.bits & PARTICLE) && !isUpper(tokens[at]!)) {
    const { bits, lower } = tokens[at]!;
    const next = tokens[at + 1];
    const isPreposition =
      (bits & PREPOSITION) !== 0 && !(next !== undefined && at + 1 < to && next.bits & PREPOSITION);
    if (isPreposition) break;
    if (bits & PARTICLE) particles.push(lower);
    at++;
  }
  const phrases: { preposition: string; from: number }[] = [];
  for (let word = at; word < to; word++)
    if (beginsPhrase(tokens, word) && word + 1 < to)
      phrases.push({ preposition: tokens[word]!.lower, from: word + 1 });
  const object = at < to && !beginsPhrase(tokens, at) ? at : to;
  return { from, particles, object, phrases, to };
}

/** "Not … any more": it was so until now. */
export const saysAnyMore = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens
    .slice(from, to)
    .some(
      ({ lower }, at) =>
        lower === 'anymore' ||
        (lower === 'any' && /^(?:more|longer)$/.test(tokens[from + at + 1]?.lower ?? '')),
    );
