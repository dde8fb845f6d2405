import { DEEP_FEATURES } from '../../../domain/ranking/features/deep-features.ts';
import { FEATURES } from '../../../domain/ranking/features/feature-names.ts';
import type { Constraints } from './listwise.ts';

/*
 * Constraints that a good ranking meets on any data: it never counts the query's words against a turn, and
 * never rates a turn higher for a neighbour's words than for its own. Without these, two similar features fit
 * by cancelling, and an exact word finds the turns around it.
 */

/** Features whose weight may be negative; every other weight is 0 or more. */
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

/**
 * Minimum weights that the conversations can't show: no question there is the text of a turn, few ask for one
 * exact word, none by the clock.
 */
const LEAST: Record<string, number> = {
  exactCoverage: 4,
  sameWords: 8,
  askedTime: 6,
};

/** A turn's features for a word that it holds; their sum is never less than a neighbour's word adds. */
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
/** Constraints on active mode's sum and the deep features. */
export const DEEP_CONSTRAINTS = constraintsOf(['sum', ...DEEP_FEATURES]);
