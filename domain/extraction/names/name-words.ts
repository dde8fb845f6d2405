/** Evidence about names in single words. */

import type { Word } from '../sentences/sentences.ts';
import { NOT_NAMES } from './known-names.ts';

const set = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that are capitalised before a name only because they start a sentence. */
const STARTERS = set(`
the a an my our his her your their in on at when while after so both this that and but did do does is are was were has have had can could will would should yo morning evening afternoon glad besides last next since with from to if for by as even some no yes`);
/** Words that start sentences and are never names, however they are spelled. */
const OPENING_WORDS = set(`
here there these those what where why how who which please sorry welcome good great nice cool happy we you he she they it get got go goes
just also too then than now today tomorrow yesterday tonight first second third one two three maybe perhaps sure wait stop look see let lets
bring take make keep give tell ask call check try find send put come know think say said want need feel thank dear absolutely really right
well oh ah fair tempting respect classic same other another more most less each every any about until before during without within between
enjoy congratulations open click`);

/** Whether a capital is no evidence, because the word often starts a sentence. */
export const isOpening = (lower: string): boolean => STARTERS.has(lower) || OPENING_WORDS.has(lower);

export function isUpper(word: string): boolean {
  const code = word.charCodeAt(0);
  return code < 128 ? code >= 65 && code <= 90 : /^\p{Lu}/u.test(word);
}

export const isPossessive = (word: Word): boolean => word.lower.endsWith("'s");

const APOSTROPHES = "'’`";
export function withoutPossessive(word: string): string {
  const last = word.length - 1;
  if (APOSTROPHES.includes(word.charAt(last))) return word.slice(0, last);
  const ends = (word.endsWith('s') || word.endsWith('S')) && APOSTROPHES.includes(word.charAt(last - 1));
  return ends ? word.slice(0, last - 1) : word;
}

export const isContraction = ({ lower }: Word): boolean =>
  lower.includes("'") && /^i'|'(?:m|re|ve|ll|d|t)$/.test(lower);

/** Whether a capital can begin a name or a further word of one. */
export const mayBegin = (word: Word | undefined): boolean =>
  word !== undefined &&
  isUpper(word.core) &&
  !NOT_NAMES.has(withoutPossessive(word.lower)) &&
  !isContraction(word);

/** Whether a word is drawn out, as "NOOOO" and "yesss" are. */
export const isDrawnOut = (word: string): boolean => /(\p{L})\1\1/iu.test(word);
