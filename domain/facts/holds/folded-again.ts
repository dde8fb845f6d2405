import { madeOnce } from '../made-once.ts';
import type { Dated, Fact } from './dated-facts.ts';
import { standingTime } from './standing-time.ts';

type Fold<T extends Dated, Made> = (
  facts: readonly Fact<T>[],
  moment: number,
  corrections: ReadonlyMap<string, T>,
) => Made;

/** A fold, and what it was made of. */
interface Folded<T extends Dated, Made> {
  facts: readonly Fact<T>[];
  /** The corrections of these facts. */
  corrections: readonly T[];
  /** It is the same at every moment from the first of these to before the second. */
  from: number;
  to: number;
  made: Made;
}

/** Fewer are folded at once. */
const FEW = 8;
/** Folds that are kept of facts with the same first one: of several scopes, and of several moments. */
const MOST_KEPT = 4;

/**
 * Returns a fold of facts that is made again only where it may be another one: a fact is another object, one
 * was corrected since, or the moment has passed an end or a beginning. Facts of an index are the same objects
 * while nothing is written about them, and what was folded lives as long as they do.
 *
 * @param fold must read nothing but what was said, and of the moment whether something has begun or ended
 */
export const foldedAgain = <T extends Dated, Made>(fold: Fold<T, Made>): Fold<T, Made> => {
  const foldsWith = madeOnce((_first: Fact<T>): Folded<T, Made>[] => []);
  return (facts, moment, corrections) => {
    if (facts.length < FEW) return fold(facts, moment, corrections);
    const kept = foldsWith(facts[0]!);
    const ofThese = corrections.size === 0 ? [] : facts.flatMap(({ id }) => corrections.get(id) ?? []);
    const known = kept.find(
      one =>
        one.from <= moment && moment < one.to && isSame(one.facts, facts) && isSame(one.corrections, ofThese),
    );
    if (known) return known.made;
    const made = fold(facts, moment, corrections);
    const { from, to } = steadyAround(facts, moment);
    if (from <= moment) {
      kept.push({ facts, corrections: ofThese, from, to, made });
      if (kept.length > MOST_KEPT) kept.shift();
    }
    return made;
  };
};

const isSame = <One>(some: readonly One[], others: readonly One[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/**
 * Returns the moments around this one at which the same holds. A fact whose clock ran ahead stands at the
 * moment itself (placed.ts), so there are none before all have been said; a plan begins, and a said end ends.
 */
const steadyAround = (facts: readonly Fact[], moment: number): { from: number; to: number } => {
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const { fact, timestamp, recordedAt } of facts) {
    const stands = standingTime(fact, timestamp);
    const isPlan = fact.stance === 'plan';
    if (stands !== undefined && !isPlan) from = Math.max(from, Math.min(stands, recordedAt));
    for (const mark of [isPlan ? stands : undefined, fact.validUntil])
      if (mark !== undefined && mark > moment) to = Math.min(to, mark);
      else if (mark !== undefined) from = Math.max(from, mark);
  }
  return { from, to };
};
