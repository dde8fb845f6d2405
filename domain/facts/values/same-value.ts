/** When two values are one: however they are spelled, in whatever notation, abbreviated or not. */
import { ALSO_CALLED, WRITTEN_AS } from './value-words.ts';

const ARTICLE = /^(?:an?|the|my|our|his|her|their) /;
const LATIN_MARKS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;
/** Most values: a few words without digits. */
const PLAIN = /^[a-z]+(?: [a-z]+)*$/;
/** The dot of "1.78" is no punctuation. */
const BETWEEN_WORDS = /(?!(?<=\d)\.(?=\d))[\p{P}\p{S}\s]+/gu;
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'euro', $: 'dollar', '£': 'pound', '¥': 'yen' };
const LONGEST_UNIT = 'kilometers|kilometres|kilos|kgs|kg|cm|km|lbs|lb|mi|m|g|hrs|hr|h|mins|min';
const UNIT = new RegExp(`(\\d)(${LONGEST_UNIT})\\b`, 'g');

/** "€1,250.00" → "1250 euro", "80k" → "80000", "1.78 m" → "178 cm". */
const numbersOf = (text: string): string =>
  text
    .replace(/(\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))/g, '$1')
    .replace(/([€$£¥])\s?(\d[\d.]*k?)/g, (_, sign: string, amount: string) => `${amount} ${CURRENCIES[sign]}`)
    .replace(/(\d)\s?([€$£¥])/g, (_, digit: string, sign: string) => `${digit} ${CURRENCIES[sign]} `)
    .replace(/(\d)\s?%/g, '$1 percent')
    .replace(/(\d)\.00(?!\d)/g, '$1')
    .replace(/(\d+(?:\.\d+)?)k\b/g, (_, thousands: string) => String(Number(thousands) * 1_000))
    .replace(UNIT, '$1 $2')
    .replace(
      /(\d+\.\d+) (?:m|met(?:er|re)s?)\b/g,
      (_, metres: string) => `${Math.round(Number(metres) * 100)} cm`,
    )
    .replace(/ (?:a|an|per|\/) (month|year|week|day|hour)\b/g, ' $1');

const wordsIn = (words: string): string =>
  words
    .split(' ')
    .map(word => WRITTEN_AS.get(word) ?? word)
    .join(' ')
    // "thirty-four": the tens and the unit.
    .replace(/\b([2-9])0 ([1-9])\b/g, '$1$2');

const normalised = (value: string): string => {
  const lower = value.normalize('NFKC').toLowerCase();
  if (PLAIN.test(lower)) return named(wordsIn(lower.replace(ARTICLE, '')));
  const letters = lower.normalize('NFKD').replace(LATIN_MARKS, '$1').normalize('NFKC');
  // "N.Y." is "NY"; "C++" and "C#" are not "C".
  const signs = letters
    .replace(/\b([a-z])\.(?=[a-z]\b)/g, '$1')
    .replace(/(?<=\p{L})\+\+/gu, 'plusplus')
    .replace(/(?<=\p{L})#/gu, 'sharp');
  const numbers = /\d/.test(signs) ? numbersOf(signs) : signs;
  const words = numbers.replace(BETWEEN_WORDS, ' ').trim().replace(ARTICLE, '');
  // Nothing is left of an emoji.
  return words === '' ? lower.trim() : named(wordsIn(words));
};

const named = (words: string): string => ALSO_CALLED.get(words) ?? words;

/** The same values are compared again and again, in every fold. */
const known = new Map<string, string>();
const MOST_KNOWN = 20_000;
/** A longer value is compared rarely. */
const LONGEST_KNOWN = 64;

/** Returns the form in which values are compared. */
export const normaliseValue = (value: string): string => {
  if (value.length > LONGEST_KNOWN) return normalised(value);
  const before = known.get(value);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const form = normalised(value);
  known.set(value, form);
  return form;
};

export const sameValue = (a: string, b: string): boolean => normaliseValue(a) === normaliseValue(b);

const SMALL_WORDS = new Set(['of', 'the', 'and', 'for', 'de', 'du', 'la', 'le', 'y']);
const ABBREVIATION = /^(?:\p{Lu}\.?){2,6}$/u;

/**
 * Returns the long form of each abbreviation among the values, by their forms: "MIT" beside "Massachusetts
 * Institute of Technology". Two long forms of one abbreviation stay apart from it.
 */
export const abbreviationsIn = (values: readonly string[]): ReadonlyMap<string, string> => {
  const short = values.filter(value => ABBREVIATION.test(value));
  if (short.length === 0) return new Map();
  const long = new Map<string, Set<string>>();
  for (const value of values) {
    const words = normaliseValue(value).split(' ');
    if (words.length < 2) continue;
    const initials = words.filter(word => !SMALL_WORDS.has(word)).map(word => word[0]);
    const forms = long.get(initials.join('')) ?? new Set();
    long.set(initials.join(''), forms.add(words.join(' ')));
  }
  return new Map(
    short.flatMap(value => {
      const [form, ...others] = long.get(value.replaceAll('.', '').toLowerCase()) ?? [];
      return form === undefined || others.length > 0 ? [] : [[normaliseValue(value), form] as const];
    }),
  );
};
