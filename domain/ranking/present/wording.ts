/**
 * How a sentence says something, by its small words: as a state of its speaker that holds ("I'm with
 * Nordbeam"), or as another's, a plan, a memory or a stay ("my aunt is with", "almost", "back then"); and as
 * news ("now", "has moved") or as something known. The words and their weights are fitted (`npm run
 * fit:present`).
 */
import { relationOf } from '../../extraction/reading/relations.ts';

/** Log-odds of each word or pair of words, by the token: that it holds, and that it is news. */
export interface WordingWeights {
  holds: { intercept: number; words: Record<string, number> };
  news: { intercept: number; words: Record<string, number> };
}

export interface Wording {
  /** Log-odds that the sentence says a state of its speaker that holds. */
  holds: number;
  /** Log-odds that such a state is told as new. */
  news: number;
}

const READ = 600;
const WORD = /\p{L}+(?:['’]\p{L}+)?|\d+|[?!,;:.]/gu;
const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const DAYS = set('monday tuesday wednesday thursday friday saturday sunday');
const TIMES = set(
  'january february march april june july august september october november december spring summer autumn winter easter christmas',
);
const NUMBERS = set(
  'one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred',
);
const OTHERS = set(
  'parents kids children grandchildren grandchild folks team people neighbours neighbors friends',
);

/** Classes of words that stand for each other: `REL` for "sister" and "neighbour's". */
const classOf = (word: string): string => {
  const bare = word.replace(/'s$/, '');
  if (relationOf(bare) !== undefined || OTHERS.has(bare)) return 'REL';
  if (DAYS.has(word) || DAYS.has(word.replace(/s$/, ''))) return 'DAY';
  if (TIMES.has(word)) return 'MONTH';
  return /^\d/.test(word) || NUMBERS.has(word) ? 'NUM' : word;
};

/** A word that is not among the known ones, such as a value. */
export const UNKNOWN = '*';
const START = '^';

export const wordsOfSentence = (sentence: string): string[] =>
  (sentence.slice(0, READ).toLowerCase().replaceAll('’', "'").match(WORD) ?? []).map(classOf);

/** The words and the pairs of words of a sentence, each once; `isKnown` tells the words that count. */
export const tokensOf = (sentence: string, isKnown: (word: string) => boolean): Set<string> => {
  const words = [START, ...wordsOfSentence(sentence).map(word => (isKnown(word) ? word : UNKNOWN))];
  return new Set([...words.slice(1), ...words.slice(1).map((word, i) => `${words[i]} ${word}`)]);
};

export type WordingOf = (sentence: string) => Wording;

export const makeWording = ({ holds, news }: WordingWeights): WordingOf => {
  const isKnown = (word: string): boolean =>
    Object.hasOwn(holds.words, word) || Object.hasOwn(news.words, word);
  return (sentence: string): Wording => {
    const odds = { holds: holds.intercept, news: news.intercept };
    for (const token of tokensOf(sentence, isKnown)) {
      odds.holds += holds.words[token] ?? 0;
      odds.news += news.words[token] ?? 0;
    }
    return odds;
  };
};
