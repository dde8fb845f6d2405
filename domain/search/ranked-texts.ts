/** Short texts that are no fragments, such as titles and names, ranked by the words of a query. */

import { fnv1a } from '../language/words/fnv.ts';
import { fold } from '../language/words/fold.ts';
import { stem } from '../language/words/stems.ts';
import { isEnglish, isStopWord } from '../language/words/stop-words.ts';
import { wordsOf } from '../language/words/words.ts';
import { bm25, inverseFrequency } from './bm25.ts';
import { B, K1 } from './first-pass.ts';
import { type Words, wordsOfText } from './word-score.ts';

/** As many words as a recall looks for (query.ts). */
const MOST_STEMS = 48;

/** Returns the stems that are looked for: without stop words, unless there are no other words. */
const askedStems = (q: string): readonly number[] => {
  const words = wordsOf(q);
  const content = isEnglish(words) ? words.filter(word => !isStopWord(word)) : words;
  const asked = content.length > 0 ? content : words;
  return [...new Set(asked.map(word => fnv1a(stem(word))))].slice(0, MOST_STEMS);
};

/** Counts texts, and then scores each among all of them. */
export interface TextRanking {
  add(text: string): void;
  /** 0 to 1: the same BM25 as of a turn's words, among the texts that were added. */
  score(text: string): number;
}

export const makeTextRanking = (q: string): TextRanking => {
  const stems = askedStems(q);
  const holding = new Float64Array(stems.length);
  let texts = 0;
  let length = 0;
  const countsIn = (words: Words): number[] => stems.map(one => words.count(one));
  let idf: Float64Array | undefined;
  let sum = 1;
  return {
    add: text => {
      const words = wordsOfText(text);
      texts++;
      length += words.length;
      for (const [i, count] of countsIn(words).entries()) if (count > 0) holding[i]!++;
      idf = undefined;
    },
    score: text => {
      if (!idf) {
        idf = holding.map(holds => inverseFrequency(texts, holds));
        sum = idf.reduce((total, value) => total + value, 0) || 1;
      }
      const words = wordsOfText(text);
      return bm25(countsIn(words), words.length, Math.max(length / Math.max(texts, 1), 1), idf, sum, K1, B);
    },
  };
};

/**
 * Returns how well a name or an id is what was typed: 1 for the whole, less for a part of it, 0 for neither.
 */
export const makeNameScore = (q: string): ((name: string) => number) => {
  const typed = fold(q.trim());
  return name => {
    const folded = fold(name);
    if (typed === '' || !folded.includes(typed)) return 0;
    return typed.length / folded.length;
  };
};
