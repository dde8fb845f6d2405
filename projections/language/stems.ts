import { stemmer } from 'stemmer';

const LATIN_WORD = /^[a-z]+$/;

/**
 * The stem of a folded word: Porter's for words of Latin letters, anything else as it is. A Latin word of another
 * language is cut too, in the same way in turn and query, so it still meets itself.
 */
export const stem = (word: string): string =>
  word.length > 2 && LATIN_WORD.test(word) ? stemmer(word) : word;
