// biome-ignore lint/suspicious/noControlCharactersInRegex: the question is whether the text is ASCII.
const NOT_ASCII = /[^\x00-\x7f]/;
/** Marks that writers often omit: accents, Hebrew points, Arabic vowels and the tatweel, the nukta. */
const OPTIONAL = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c]/g;
/** Invisible characters that join or hyphenate letters. */
const UNSEEN = /[\u00ad\u061c\u200c-\u200f\u2060\ufeff]/g;
/** Letters that are distinct in Unicode but that people use interchangeably. */
const VARIANTS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  '\u0901': '\u0902',
};
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'g');
const DIGIT = /\p{Nd}/u;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;

/**
 * Limits marks to 30 per letter, as in Unicode's Stream-Safe Text Format (UAX 15): no language has more, and
 * the time to normalize is quadratic in their number.
 */
export const streamSafe = (text: string): string => text.replace(/(\p{M}{30})\p{M}+/gu, '$1');

/**
 * Returns the canonical form of a word for search: lower case, without accents (as in the uncased vocabulary)
 * and other marks that are often omitted, with compatibility forms resolved and digits 0 to 9. The same for
 * NFC and NFD.
 */
export const fold = (word: string): string => {
  if (!NOT_ASCII.test(word)) return word.toLowerCase();
  const bare = streamSafe(word).normalize('NFKD').replace(OPTIONAL, '').normalize('NFC').toLowerCase();
  return asciiDigits(
    bare
      .replace(OPTIONAL, '')
      .replace(UNSEEN, '')
      .replace(VARIANT, letter => VARIANTS[letter]!),
  );
};

/** Converts the digits of every script to 0 to 9. */
export const asciiDigits = (text: string): string => text.replace(FOREIGN_DIGIT, asciiDigit);

/** The ten digits of each script are consecutive in Unicode. */
const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value % 10);
};
