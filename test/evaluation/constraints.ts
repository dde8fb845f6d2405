import { DEEP_FEATURES } from '../../projections/ranking/deep-features.ts';
import { FEATURES } from '../../projections/ranking/features.ts';
import type { Constraints } from './listwise.ts';

/*
 * What a good ranking never does, whatever the data: hold it against a turn that it has the words of the query, or
 * rate a turn higher for what its neighbour says than for what it says itself. Without these, two features that say nearly
 * the same fit by cancelling, and an exact word finds the turns around it.
 */

/** May be negative; every other weight is 0 or more. */
const FREE = new Set([
  'otherSpeaker',
  'namedLater',
  'assistant',
  'maxSimPrevious',
  'sessionMaxSim',
  'question',
  'length',
  'firstPerson',
]);

/** Weights that the conversations can't tell: no question there is the text of a turn, few ask for one exact word, none by the clock. */
const LEAST: Record<string, number> = {
  exactCoverage: 4,
  sameWords: 8,
  askedTime: 6,
};

/** What a turn has for a word that it holds; never less in sum than a neighbour's word brings it. */
const OWN = ['bm25', 'coverage', 'maxSim'];

const CAPS: readonly { of: string[]; under: string[] }[] = [
  { of: ['answersQuestion', 'answersSimilarQuestion'], under: OWN },
  { of: ['bm25Next'], under: OWN },
  { of: ['bm25Previous2'], under: OWN },
];

const constraintsOf = (names: readonly string[]): Constraints => {
  const numbers = (chosen: readonly string[]) => chosen.map(name => names.indexOf(name)).filter(f => f >= 0);
  return {
    least: names.map(name => (FREE.has(name) ? Number.NEGATIVE_INFINITY : (LEAST[name] ?? 0))),
    caps: CAPS.map(({ of, under }) => ({ of: numbers(of), under: numbers(under) })),
  };
};

export const CONSTRAINTS = constraintsOf(FEATURES);
/** Of active mode's sum and the deep features. */
export const DEEP_CONSTRAINTS = constraintsOf(['sum', ...DEEP_FEATURES]);
