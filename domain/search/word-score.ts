import { fnv1a } from '../language/words/fnv.ts';
import { stem } from '../language/words/stems.ts';
import { eachWord } from '../language/words/words.ts';
import { inverseFrequency } from './bm25.ts';
import type { CandidateQuery } from './candidate-query.ts';
import type { Document, ScopeStatistics } from './document.ts';
import { B, K1 } from './first-pass.ts';
import { findTerm } from './segments/segment.ts';

/** The words of a text, as far as a score needs them. */
export interface Words {
  /** In stems, with repetitions. */
  length: number;
  /** Occurrences of a stem. */
  count(stem: number): number;
}

export const wordsOfDocument = ({ stems, counts, length }: Document): Words => ({
  length,
  count: stem => {
    const at = findTerm(stems, stem);
    return at < 0 ? 0 : counts[at]!;
  },
});

/** The words of a text without a document: with the same stems. */
export const wordsOfText = (text: string): Words => {
  const counts = new Map<number, number>();
  let length = 0;
  eachWord(text, ({ text: word }) => {
    const hash = fnv1a(stem(word));
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
    length++;
  });
  return { length, count: stem => counts.get(stem) ?? 0 };
};

/**
 * Returns the score that the first pass of a recall gives to a text's own words: BM25 over the query's words
 * and their neighbours in the static table, 0 to about 1. A text without any of the words themselves has 0:
 * neighbours raise a score, and find nothing alone.
 */
export const makeWordScore = (
  { stems, terms }: Pick<CandidateQuery, 'stems' | 'terms'>,
  { turns, meanLength, turnsWith }: Pick<ScopeStatistics, 'turns' | 'meanLength' | 'turnsWith'>,
): ((words: Words) => number) => {
  const weighed = terms.map(({ stem, weight }) => ({
    stem,
    idf: weight * inverseFrequency(turns, turnsWith(stem)),
  }));
  const sum = stems.reduce((total, stem) => total + inverseFrequency(turns, turnsWith(stem)), 0) || 1;
  const mean = Math.max(meanLength, 1);
  return words => {
    if (!stems.some(stem => words.count(stem) > 0)) return 0;
    const norm = K1 * (1 - B + (B * words.length) / mean);
    let score = 0;
    for (const { stem, idf } of weighed) {
      const count = words.count(stem);
      if (count > 0) score += (idf * count) / (count + norm);
    }
    return Math.min(score / sum, 1);
  };
};
