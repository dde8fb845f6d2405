/** Compares the hits of two answers. */
import type { Recalled } from '../../../api/types.ts';
import { rankedHits } from '../answer/ranked.ts';

const keyOf = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;

/** Returns each hit's position in an answer, by kind and id. */
const ranksOf = ({ hits }: Recalled): Map<string, number> =>
  new Map(
    [...hits.turns, ...hits.observations, ...hits.entities]
      .sort((a, b) => b.score - a.score)
      .map((hit, index) => [keyOf(hit), index + 1]),
  );

/** Returns a function that tells where a hit stands in the other answer; undefined: it is not there. */
export const makeRankIn = (other: Recalled): ((hit: { kind: string; id: string }) => number | undefined) => {
  const ranks = ranksOf(other);
  return hit => ranks.get(keyOf(hit));
};

/** Returns how many hits two answers share, and how many only one has. */
export const overlapOf = (a: Recalled, b: Recalled): { both: number; onlyA: number; onlyB: number } => {
  const [inA, inB] = [ranksOf(a), ranksOf(b)];
  const both = [...inA.keys()].filter(key => inB.has(key)).length;
  return { both, onlyA: inA.size - both, onlyB: inB.size - both };
};

/** Whether both answers begin with the same hit. */
export const haveSameBest = (a: Recalled, b: Recalled): boolean => {
  const [best, other] = [rankedHits(a.hits)[0]?.hit, rankedHits(b.hits)[0]?.hit];
  return best !== undefined && other !== undefined && keyOf(best) === keyOf(other);
};
