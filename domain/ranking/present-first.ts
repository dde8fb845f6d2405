/**
 * Puts the turn first that says what holds now. People mention a new state in passing ("day one at
 * Oderhaus!"), in words that a question doesn't have, while the turn that told the old one has them ("I work
 * for Veltrix"). Only that turn changes its place, so that nothing else is lost if it is the wrong one.
 */
import { oddsOf } from './present/turn-features.ts';
import type { Ranked } from './rank.ts';

/** Number of turns among which it is looked for. */
export const READ = 8;
/** Where the ranking is surer of the first ones. */
const READ_WHERE_SURE = 5;
/** Log-odds between the first and the fifth. Chosen on the curve that `npm run fit:present` prints. */
const SURE = 1.5;
/** Log-odds behind the first, from which a turn is not looked at: it speaks of something else. */
const FAR = 2.5;

/** Returns the places of the turns among which one may come first. */
export const placesToRead = (ranked: readonly Ranked[]): number[] => {
  const best = ranked.find(({ candidate }) => candidate.kind === 'turn');
  if (best === undefined) return [];
  const isNear = (one: Ranked): boolean => oddsOf(best) - oddsOf(one) < FAR;
  const places = ranked
    .flatMap((one, place) => (one.candidate.kind === 'turn' && isNear(one) ? [place] : []))
    .slice(0, READ);
  const [first, fifth] = [places[0], places[READ_WHERE_SURE - 1]];
  if (first === undefined || fifth === undefined) return places;
  const isSure = oddsOf(ranked[first]!) - oddsOf(ranked[fifth]!) > SURE;
  return isSure ? places.slice(0, READ_WHERE_SURE) : places;
};

/**
 * Returns the ranking with the turn at `place` before the other turns. Places keep their scores: the
 * probability that the hit at that place is evidence.
 *
 * @param places of turns, in their order
 */
export const presentFirst = (
  ranked: readonly Ranked[],
  places: readonly number[],
  place: number,
): Ranked[] => {
  const moved = [place, ...places.filter(other => other !== place)].map(from => ranked[from]!);
  const reordered = [...ranked];
  for (const [i, at] of places.entries()) {
    const one = moved[i]!;
    const { score } = ranked[at]!;
    reordered[at] =
      one.score === score ? one : { ...one, score, factor: ((one.factor ?? 1) * score) / one.score };
  }
  return reordered;
};
