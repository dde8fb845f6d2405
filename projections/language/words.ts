/** One word of a text as it was written, and whether it begins a sentence. */
export interface RawWord {
  /** Lower case, accents and full-width forms folded; a bigram in a script that doesn't part its words. */
  text: string;
  capital: boolean;
  sentenceStart: boolean;
}

const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_RUN = /[A-Za-z0-9]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the question is whether the text is ASCII.
const NOT_ASCII = /[^\x00-\x7f]/;
const SENTENCE_END = /[.!?:;\n"“”。！？]/;
/** Scripts that part no words, or glue particles to them (Hangul): bigrams, as in Lucene's CJK analysis. */
const UNPARTED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const MARKS = /[\u0300-\u036f]/g;
/** What an apostrophe parts from an English word: it's, don't, I'm, I'd, we're, I've, we'll. */
const CLITICS = new Set(['s', 't', 'm', 'd', 're', 've', 'll']);

/** Lower case without accents: `Café` and `cafe` are one word, as in the uncased vocabulary. */
export const fold = (word: string): string =>
  NOT_ASCII.test(word)
    ? word.normalize('NFKD').replace(MARKS, '').normalize('NFC').toLowerCase().replace(MARKS, '')
    : word.toLowerCase();

/** Calls back for every word, in order. Never fails, whatever the script or however broken the text. */
export const eachWord = (text: string, visit: (word: RawWord) => void): void => {
  const ascii = !NOT_ASCII.test(text);
  const runs = ascii ? ASCII_RUN : RUN;
  runs.lastIndex = 0;
  let end = 0;
  const word: RawWord = { text: '', capital: false, sentenceStart: true };
  for (let match = runs.exec(text); match !== null; match = runs.exec(text)) {
    const run = match[0];
    const { index } = match;
    const before = index > 0 ? text.charCodeAt(index - 1) : 0;
    word.sentenceStart = index === 0 || (index - end > 1 && SENTENCE_END.test(text.slice(end, index)));
    end = index + run.length;
    word.text = fold(run);
    if ((before === 0x27 || before === 0x2019) && CLITICS.has(word.text)) continue;
    if (!ascii && run.search(UNPARTED) >= 0) {
      bigrams(run, word, visit);
      continue;
    }
    word.capital = word.text !== run && word.text[0] !== run[0];
    visit(word);
  }
};

/** A run that holds letters of an unparted script: those by twos, whatever stands between them as words. */
const bigrams = (run: string, word: RawWord, visit: (word: RawWord) => void): void => {
  word.capital = false;
  const emit = (text: string) => {
    word.text = text;
    visit(word);
    word.sentenceStart = false;
  };
  let at = 0;
  for (const match of run.matchAll(UNPARTED)) {
    if (match.index > at) emit(fold(run.slice(at, match.index)));
    at = match.index + match[0].length;
    const letters = clusters(match[0].normalize('NFKC'));
    if (letters.length === 1) emit(letters[0]!);
    for (let i = 1; i < letters.length; i++) emit(letters[i - 1]! + letters[i]!);
  }
  if (at < run.length) emit(fold(run.slice(at)));
};

/** Letters with the marks that belong to them. */
const clusters = (text: string): string[] => text.match(/\P{M}\p{M}*|\p{M}+/gu) ?? [];
