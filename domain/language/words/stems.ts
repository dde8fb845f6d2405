import { stemmer } from 'stemmer';
import { lightStem } from './light-stems.ts';

const LATIN_WORD = /^[a-z]+$/;

/**
 * Returns the stem of a folded word: Porter's for Latin letters, a light one for other scripts. Words of
 * other languages in Latin letters are stemmed as if English, in the same way in turns and queries, so they
 * still match.
 */
export const stem = (word: string): string =>
  LATIN_WORD.test(word) ? (word.length > 2 ? stemmer(word) : word) : lightStem(word);
