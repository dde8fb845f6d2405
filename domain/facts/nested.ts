/** Which observations of a turn are shown within its hit. */
import type { StoredFact } from './stored-fact.ts';

interface Observation {
  id: string;
  text: string;
  fact?: StoredFact | undefined;
}

const YEAR = /\b(?:19|20)\d\d\b/g;

/** Whether an observation has a year that its turn doesn't name: "yesterday" became a date. */
const resolvesDate = (text: string, turn: string): boolean =>
  (text.match(YEAR) ?? []).some(year => !turn.includes(year));

/**
 * How far an observation answers: 2 for the attribute that is asked for, 1 for words of the kind that is
 * asked for, 0 otherwise.
 */
export type Answering = 0 | 1 | 2;

/**
 * Returns the observations of a turn that say what its words don't: an attribute with its value, a date that
 * was relative, or an answer in a sentence of its own. Those that answer come first, the others keep their
 * order.
 */
export const nestedOf = <T extends Observation>(
  turn: string,
  observations: readonly T[],
  answering: (one: T) => Answering,
): T[] =>
  observations
    .filter(one => one.fact !== undefined || answering(one) > 0 || resolvesDate(one.text, turn))
    .toSorted((a, b) => answering(b) - answering(a));
