/** Types of values: each says whether a phrase is one, and writes it. A phrase that is none is no fact. */
import { GIVEN_NAMES, NOT_NAMES, PLACES } from '../names/known-names.ts';
import type { Phrase } from '../reading/phrases.ts';
import { hasComma, isUpper, type Token, textOf } from '../reading/tokens.ts';
import {
  COORDINATOR,
  DETERMINER,
  MONTH,
  NUMBER,
  OWN,
  PREPOSITION,
  PRONOUN,
  UNIT,
  WEEKDAY,
} from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';

/** A phrase in its clause. */
export interface Item {
  tokens: readonly Token[];
  phrase: Phrase;
  /** Index at which the predicate ends. */
  end: number;
  lexicon: Lexicon;
}

/** Returns the value that a phrase gives; undefined where it is none of the type. */
export type ValueType = (item: Item) => string | undefined;

const LONGEST_VALUE = 64;
/** Words that point to something else, or to nothing. */
const NO_VALUE = new Set(
  'it that this these those them they him her me you us there here home one ones something someone somebody anything anyone everything everyone nothing nobody none same thing things stuff place way more less lot lots bit so much what how where who own myself somewhere elsewhere another person people guy idea other others everybody anywhere anybody time times both all kind sort half most rest least'.split(
    ' ',
  ),
);
const POINTS = new Set('i it that this they them him there here you your one me we us he she'.split(' '));

/** Writes the words of a phrase as they were said: "two cats". Undefined if they point elsewhere. */
export function wordsIn({ tokens, phrase: { from, to } }: Item, most = 7): string | undefined {
  if (to <= from || to - from > most) return undefined;
  for (let at = from; at < to; at++) {
    const { lower } = tokens[at]!;
    if (POINTS.has(lower) && !(lower === 'one' && at === from && to - from > 1)) return undefined;
  }
  const text = textOf(tokens, from, to);
  if (text.length > LONGEST_VALUE || (to - from === 1 && NO_VALUE.has(tokens[from]!.lower))) return undefined;
  return text.replace(/\b(?:my|our) /gi, '');
}

/** Any words. */
export const words: ValueType = item => wordsIn(item);

/** Returns the index up to which the words behind a phrase belong to it: "Smith, Jones and Partners". */
const upTo = ({ phrase, end }: Item, goesOn: (at: number) => boolean): number => {
  let to = phrase.to;
  while (to < end && goesOn(to)) to++;
  return to;
};

/** Values of a closed list, of one word to three; the text as it was said, the longest first. */
export const oneOf = (list: string): ValueType => {
  const known = new Set(list.split('|'));
  return ({ tokens, phrase: { from, to } }) => {
    for (let start = from; start < Math.min(to, from + 3); start++)
      for (let size = Math.min(3, to - start); size > 0; size--) {
        const text = textOf(tokens, start, start + size);
        const lower = text.toLowerCase();
        if (known.has(lower) || known.has(lower.replace(/-/g, ' ')) || known.has(lower.replace(/ /g, '-')))
          return text;
      }
    return undefined;
  };
};

/** Values of a closed list that stand first in their phrase and end it: "vegan", not "vegan food". */
export const isOneOf = (list: string): ValueType => {
  const known = new Set(list.split('|'));
  return ({ tokens, phrase: { from, to } }) => {
    const text = textOf(tokens, from, to);
    const lower = text.toLowerCase().replace(/-/g, ' ');
    return known.has(lower) || known.has(text.toLowerCase()) ? text : undefined;
  };
};

/** A phrase that matches a pattern. */
export const matching =
  (pattern: RegExp): ValueType =>
  item => {
    const { tokens, phrase, end } = item;
    const text = textOf(tokens, phrase.from, end);
    const match = pattern.exec(text);
    return match === null ? undefined : (match.groups?.v ?? match[0]);
  };

const DWELLING =
  /^(?:flat|apartment|house|studio|village|town|city|street|countryside|neighbou?rhood|farm|cottage|dorm|boat|van|loft|bungalow|estate|room|building|tent|hotel|hostel|place|basement|attic|suburbs?|country|area|block|complex|condo|duplex|mansion|home|houseboat|caravan|trailer|dormitory|world|bubble|shadow|moment|past|present|middle|dark|bed|fear|peace|hope|pain|denial|hurry|luck|love|touch|charge|trouble|shape|harmony|sin|poverty|luxury|style|exile|isolation|person|public|private|general|theory|practice|total|fact|particular|cars?|hotels|airbnbs?|tents|vans|flats|houses|apartments)$/;

/**
 * A place: a name, or one word that isn't English, since many people write cities in lower case. A dwelling
 * says how somebody lives, not where.
 */
export const place: ValueType = item => {
  const { tokens, phrase, lexicon } = item;
  const text = wordsIn(item, 6);
  if (text === undefined) return undefined;
  const lower = text.toLowerCase();
  if (PLACES.has(lower)) return text;
  const last = tokens[phrase.to - 1]!;
  const first = tokens[phrase.from]!;
  if (first.bits & (MONTH | WEEKDAY) || first.bits & PRONOUN) return undefined;
  const named = tokens
    .slice(phrase.from, phrase.to)
    .some((each, index) => isUpper(each) && (index === 0 || each.lower !== 'i'));
  if (named) return /^\d/.test(text) && !/\p{Lu}/u.test(text) ? undefined : text;
  if (DWELLING.test(last.lower) || DWELLING.test(first.lower)) return undefined;
  return !text.includes(' ') && !/^\d/.test(text) && !lexicon.isCommon(lower) ? text : undefined;
};

const NO_ORGANIZATION = new Set(
  'least night nights home moment same weekend work myself living hours years months weeks days minutes him her it free that this them noon midnight school uni once zero first last end bottom top beginning stuff projects project paper food fun money tips scale peanuts life keeps yourself themselves example instance now today speed capacity height thesis report book presentation proposal essay novel exam exams assignment deadline problem bug feature issue task case cases client clients customer customers friend boss man woman family clock'.split(
    ' ',
  ),
);
const COMPANY_END =
  /^(?:Partners|Sons|Daughters|Co|Brothers|Bros|Associates|Company|Ltd|Inc|LLC|Corp|Group|Smith|Spencer|Lewis|Gamble|Johnson)$/;

/** An organization: a name with its commas and "and", or what has an article ("the hospital"). */
export const organization: ValueType = item => {
  const { tokens, phrase } = item;
  const first = tokens[phrase.from]!;
  if (first.bits & (NUMBER | UNIT | MONTH | WEEKDAY | PRONOUN | PREPOSITION) || /^\d/.test(first.core))
    return undefined;
  if (!isUpper(first)) {
    const text = wordsIn(item, 5);
    const head = tokens[phrase.to - 1]!;
    if (text === undefined || NO_ORGANIZATION.has(head.lower) || NO_ORGANIZATION.has(first.lower))
      return undefined;
    const determined = phrase.bare < phrase.from;
    // "Nights", "nordbeam": without an article, only a word that isn't English.
    return determined ||
      tokens.slice(phrase.from, phrase.to).some(isUpper) ||
      !item.lexicon.isCommon(head.lower)
      ? text
      : undefined;
  }
  const to = upTo(item, at => {
    const word = tokens[at]!;
    const before = tokens[at - 1]!;
    if (isUpper(word) && (hasComma(before) || before.bits & COORDINATOR)) {
      if (PLACES.has(word.lower) && hasComma(before)) return false;
      return (
        COMPANY_END.test(word.core) ||
        companyEndsAfter(tokens, at, item.end) ||
        (before.bits & COORDINATOR) !== 0
      );
    }
    if (isUpper(word) && at > phrase.from) return !(before.bits & COORDINATOR) && at <= phrase.to;
    return (
      (word.bits & COORDINATOR) !== 0 &&
      tokens[at + 1] !== undefined &&
      at + 1 < item.end &&
      isUpper(tokens[at + 1]!)
    );
  });
  return wordsIn({ ...item, phrase: { ...phrase, to } }, 8);
};

const companyEndsAfter = (tokens: readonly Token[], at: number, end: number): boolean =>
  tokens.slice(at, Math.min(end, at + 4)).some(each => COMPANY_END.test(each.core));

const HONORIFIC = /^(?:dr|mr|mrs|ms|miss|prof|professor|doctor|sir)$/;

/** A person's name, capitalised: no month, weekday or place. */
export const person: ValueType = item => {
  const { tokens, phrase } = item;
  let to = phrase.from;
  // "Dr Hansen", "Mr. Schulz": a title is part of the name.
  const title = HONORIFIC.test(tokens[to]!.lower) && to + 1 < phrase.to ? 1 : 0;
  to += title;
  while (
    to < phrase.to &&
    isUpper(tokens[to]!) &&
    !(tokens[to]!.bits & (WEEKDAY | MONTH) && !GIVEN_NAMES.has(tokens[to]!.lower))
  )
    to++;
  if (to === phrase.from + title || to - phrase.from > 3) return undefined;
  const text = textOf(tokens, phrase.from, to).replace(/['’]s?$/, '');
  const first = text.toLowerCase().split(' ', 1)[0]!;
  if (
    /\d/.test(text) ||
    (tokens[to] !== undefined && /^\d/.test(tokens[to]!.core)) ||
    /^\d/.test(tokens[phrase.from - 1]?.core ?? '')
  )
    return undefined;
  if (title === 0 && NOT_NAMES.has(first) && first !== 'may' && first !== 'april' && first !== 'june')
    return undefined;
  if (!GIVEN_NAMES.has(first) && PLACES.has(text.toLowerCase())) return undefined;
  return text;
};

/** The phrase names a thing with an article: "a dog", "two cats". */
export const counted = ({ tokens, phrase }: Item): boolean =>
  phrase.bare < phrase.from ||
  (tokens[phrase.from]!.bits & (NUMBER | DETERMINER | OWN)) !== 0 ||
  /^\d+$/.test(tokens[phrase.from]!.core);

/** Returns the index of the name that a phrase gives its noun: "a dog called Rex". */
export function calledIn({ tokens, phrase, end }: Item): number | undefined {
  for (let at = phrase.from; at < Math.min(end, phrase.to + 2); at++)
    if (/^(?:called|named)$/.test(tokens[at]!.lower))
      return tokens[at + 1] && isUpper(tokens[at + 1]!) ? at + 1 : undefined;
  return undefined;
}
