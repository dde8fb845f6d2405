/** Types of values: each says whether a phrase is one, and writes it. A phrase that is none is no fact. */
import { GIVEN_NAMES, NOT_NAMES, PLACES } from '../names/known-names.ts';
import type { Phrase } from '../reading/phrases.ts';
import { isUpper, type Token, textOf } from '../reading/tokens.ts';
import { DETERMINER, MONTH, NUMBER, OWN, WEEKDAY } from '../reading/word-classes.ts';
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
  'it that this these those them they him her me you us there here home one ones something someone somebody anything anyone everything everyone nothing nobody none same thing things stuff place way more less lot lots bit so much what how where who own myself somewhere elsewhere another person people guy idea other others everybody anywhere anybody time times both all kind sort half most rest least sorry thanks please lol haha honestly'.split(
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
    // "My dog a Tesla" is two phrases; "Lord of the Rings" is one.
    const isInner = at > from && /^(?:an?|the|my|our|your|his|her|their)$/.test(lower);
    if (isInner && tokens[at - 1]!.lower !== 'of') return undefined;
  }
  const text = textOf(tokens, from, to);
  if (text.length > LONGEST_VALUE || (to - from === 1 && NO_VALUE.has(tokens[from]!.lower))) return undefined;
  return text.replace(/\b(?:my|our) /gi, '');
}

/** Any words. */
export const words: ValueType = item => wordsIn(item);

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
  (pattern: RegExp, written?: string): ValueType =>
  item => {
    const { tokens, phrase, end } = item;
    const text = textOf(tokens, phrase.from, end);
    const match = pattern.exec(text);
    return match === null ? undefined : (written ?? match.groups?.v ?? match[0]);
  };

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
  const last = tokens[to - 1];
  // "Sam's brother" is not Sam.
  if (last !== undefined && /['’]s$/.test(last.core)) return undefined;
  if (tokens[phrase.from]!.bits & (DETERMINER | OWN)) return undefined;
  if (/-(?:handed|ish|like|born|based|time|free|haired|eyed)$/.test(tokens[phrase.from]!.lower))
    return undefined;
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
