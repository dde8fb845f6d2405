import { fold, streamSafe } from './fold.ts';

/** One word of a text, with what its spelling and position reveal. */
export interface RawWord {
  /** Lower case, accents and full-width forms folded; a bigram in scripts that don't separate words. */
  text: string;
  capital: boolean;
  sentenceStart: boolean;
}

/**
 * Letters, marks and digits, possibly with invisible characters between them: a joiner in a Devanagari
 * conjunct, a soft hyphen.
 */
const RUN = /[\p{L}\p{M}\p{N}]+(?:[\u00ad\u061c\u200c-\u200f\u2060\ufeff]+[\p{L}\p{M}\p{N}]+)*/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the question is whether the text is ASCII.
const NOT_ASCII = /[^\x00-\x7f]/;
const SENTENCE_END = /[.!?:;\n"“”。！？।॥؟۔]/;
const OPENING = /[¿¡]/;
/**
 * Scripts that don't separate words, or attach particles to them (Hangul): split into bigrams, as in Lucene's
 * CJK analysis. Their digits are treated as ordinary numbers. Han and Kana use script extensions, to include
 * their shared marks.
 */
const UNPARTED =
  /(?:(?!\p{Nd})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])+/gu;
const IDEOGRAPH = /\p{Script=Han}/u;
const HANGUL = /\p{Script=Hangul}/u;
/** Letters after an apostrophe in English: it's, don't, I'm, I'd, we're, I've, we'll. */
const CLITICS = new Set(['s', 't', 'm', 'd', 're', 've', 'll']);
const [APOSTROPHE, CURLY_APOSTROPHE] = [0x27, 0x2019];

/** Calls `visit` for every word, in order. Never fails, however malformed the text, in any script. */
export const eachWord = (said: string, visit: (word: RawWord) => void): void => {
  if (NOT_ASCII.test(said)) eachWordOfAnyScript(streamSafe(said).normalize('NFC'), visit);
  else eachAsciiWord(said, visit);
};

/** The kinds of ASCII characters; letters and digits are the last two. */
const [OTHER, ENDS_SENTENCE, SMALL, CAPITAL] = [0, 1, 2, 4];
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Z]/.test(character)) return CAPITAL;
  if (/[a-z0-9]/.test(character)) return SMALL;
  return SENTENCE_END.test(character) ? ENDS_SENTENCE : OTHER;
});

/** The same for most texts, in a fraction of the time: nothing has to be matched or folded. */
const eachAsciiWord = (text: string, visit: (word: RawWord) => void): void => {
  const word: RawWord = { text: '', capital: false, sentenceStart: true };
  const { length } = text;
  let at = 0;
  for (;;) {
    const end = at;
    let first = OTHER;
    let hasEnded = false;
    for (; at < length; at++) {
      first = ASCII[text.charCodeAt(at)]!;
      if (first >= SMALL) break;
      if (first === ENDS_SENTENCE) hasEnded = true;
    }
    if (at === length) return;
    const index = at;
    let all = 0;
    for (; at < length; at++) {
      const form = ASCII[text.charCodeAt(at)]!;
      if (form < SMALL) break;
      all |= form;
    }
    const run = text.slice(index, at);
    word.text = all === SMALL ? run : run.toLowerCase();
    word.capital = first === CAPITAL;
    word.sentenceStart = index === 0 || (hasEnded && index - end > 1);
    const isClitic = index > 0 && text.charCodeAt(index - 1) === APOSTROPHE && CLITICS.has(word.text);
    if (!isClitic) visit(word);
  }
};

const eachWordOfAnyScript = (text: string, visit: (word: RawWord) => void): void => {
  // The regular expression is shared, and the visitor may scan another text in between.
  const next = (from: number) => {
    RUN.lastIndex = from;
    return RUN.exec(text);
  };
  let end = 0;
  const word: RawWord = { text: '', capital: false, sentenceStart: true };
  for (let match = next(0); match !== null; match = next(end)) {
    const run = match[0];
    const { index } = match;
    const before = index > 0 ? text.charCodeAt(index - 1) : 0;
    word.sentenceStart = index === 0 || startsSentence(text, end, index);
    end = index + run.length;
    word.text = fold(run);
    if ((before === APOSTROPHE || before === CURLY_APOSTROPHE) && CLITICS.has(word.text)) continue;
    if (run.search(UNPARTED) >= 0) {
      bigrams(run, word, visit);
      continue;
    }
    word.capital = word.text !== run && run[0] !== run[0]!.toLowerCase();
    if (word.text !== '') visit(word);
  }
};

const startsSentence = (text: string, end: number, index: number): boolean => {
  if (index - end === 1 && text.charCodeAt(end) === 0x20) return false;
  const between = text.slice(end, index);
  return (index - end > 1 && SENTENCE_END.test(between)) || OPENING.test(between);
};

/** Splits a run with letters of an unparted script into bigrams and single letters; other parts are words. */
const bigrams = (run: string, word: RawWord, visit: (word: RawWord) => void): void => {
  word.capital = false;
  const emit = (text: string) => {
    if (text === '') return;
    word.text = text;
    visit(word);
    word.sentenceStart = false;
  };
  let at = 0;
  for (const match of run.matchAll(UNPARTED)) {
    if (match.index > at) emit(fold(run.slice(at, match.index)));
    at = match.index + match[0].length;
    const letters = clusters(match[0].normalize('NFKC'));
    letters.forEach((letter, i) => {
      if (i > 0) emit(letters[i - 1]! + letter);
      if (letters.length === 1 || standsAlone(letter, i)) emit(letter);
    });
  }
  if (at < run.length) emit(fold(run.slice(at)));
};

/**
 * Whether a letter is also a word by itself: an ideograph, a Khmer or Burmese syllable (a letter with its
 * marks), or the first syllable of a Hangul word, because a particle after it does not belong to it.
 */
const standsAlone = (letter: string, at: number): boolean =>
  letter.length > 1 || IDEOGRAPH.test(letter) || (at === 0 && HANGUL.test(letter));

/** Splits a text into letters, each with its marks. */
const clusters = (text: string): string[] => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];

/** Returns the words of a text, folded, in order. */
export const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  eachWord(text, raw => words.push(raw.text));
  return words;
};

/** Whether the text contains a letter of a script that doesn't separate words. */
export const isUnparted = (text: string): boolean => text.search(UNPARTED) >= 0;
