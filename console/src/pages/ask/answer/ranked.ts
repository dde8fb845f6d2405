/** Arranges hits for the page: facts under the turn that says them, weak ones folded away. */
import type { Hit, ObservationHit, Recalled, TurnHit } from '../../../api/types.ts';

type NestedFact = NonNullable<TurnHit['observations']>[number];

export interface RankedHit {
  hit: Hit;
  /** Position among all hits, from 1. */
  rank: number;
  /** The facts that the turn says: hits of their own first, then what else was understood of it. */
  facts: readonly (ObservationHit | NestedFact)[];
}

/** Hits that are shown however low they score. */
const ALWAYS_SHOWN = 5;
/** Share of the best score below which a hit is folded away. */
const WEAK = 0.1;

/** Returns the hits, best first, without the facts that stand under a turn. */
export const rankedHits = ({ turns, observations, entities }: Recalled['hits']): RankedHit[] => {
  const isShown = new Set(turns.map(({ id }) => id));
  const turnOf = ({ source_turn_ids }: ObservationHit): string | undefined =>
    source_turn_ids.find(id => isShown.has(id));
  const said = Map.groupBy(observations, turnOf);
  return [...turns, ...observations, ...entities]
    .sort((a, b) => b.score - a.score)
    .map((hit, index) => ({ hit, rank: index + 1 }))
    .filter(({ hit }) => hit.kind !== 'observation' || turnOf(hit) === undefined)
    .map(({ hit, rank }) => {
      if (hit.kind !== 'turn') return { hit, rank, facts: [] };
      const own = said.get(hit.id) ?? [];
      const hits = new Set(own.map(({ id }) => id));
      return { hit, rank, facts: [...own, ...(hit.observations ?? []).filter(({ id }) => !hits.has(id))] };
    });
};

/** Returns how many of the hits are shown at once; all, if only one would be folded away. */
export const shownAtOnce = (ranked: readonly RankedHit[]): number => {
  const least = (ranked[0]?.hit.score ?? 0) * WEAK;
  const firstWeak = ranked.findIndex(({ hit }, index) => index >= ALWAYS_SHOWN && hit.score < least);
  return firstWeak < 0 || ranked.length - firstWeak < 2 ? ranked.length : firstWeak;
};
