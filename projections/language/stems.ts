import { stemmer } from 'stemmer';
import { lightStem } from './light-stems.ts';

const LATIN_WORD = /^[a-z]+$/;

/**
 * The stem of a folded word: Porter's for words of Latin letters, a light one for other scripts. A Latin word of another
 * language is cut as an English one, in the same way in turn and query, so it still meets itself.
 */
export const stem = (word: string): string =>
  LATIN_WORD.test(word) ? (word.length > 2 ? stemmer(word) : word) : lightStem(word);
