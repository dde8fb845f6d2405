import type { Ranked } from './rank.ts';

/**
 * Ids of a turn that states only superseded facts (`old`) and of the turn or standalone observation that
 * states the current one (`now`).
 */
export interface Replacement {
  old: string;
  now: string;
}

export const fragmentIdOf = ({ candidate: { kind, id } }: Ranked): string =>
  `${kind === 'turn' ? 'trn' : 'obs'}_${id}`;

/** Returns the hit with another score, for a place that its own words didn't earn. */
const at = (one: Ranked, score: number): Ranked => ({
  ...one,
  score,
  factor: ((one.factor ?? 1) * score) / one.score,
});

/**
 * Moves each current fact into the place of the first hit that states the superseded one; the superseded hits
 * follow it. Everything else keeps its order.
 *
 * @param ranked best first
 * @param added hits that state a current fact and were not ranked
 * @param first id of the hit that answers the question; it leads the list
 */
export const byWhatHolds = (
  ranked: readonly Ranked[],
  replacements: readonly Replacement[],
  added: readonly Ranked[] = [],
  first?: string,
): Ranked[] => {
  if (replacements.length === 0 && first === undefined) return [...ranked];
  const nowOf = new Map(replacements.map(({ old, now }) => [old, now]));
  const byId = new Map([...added, ...ranked].map(one => [fragmentIdOf(one), one]));
  const placed = new Set<string>();
  const list: Ranked[] = [];
  const lead = first === undefined ? undefined : byId.get(first);
  if (lead) {
    placed.add(first!);
    list.push(at(lead, Math.max(lead.score, ranked[0]?.score ?? 0)));
  }
  for (const one of ranked) {
    const id = fragmentIdOf(one);
    const now = nowOf.get(id);
    const holder = now === undefined || placed.has(now) ? undefined : byId.get(now);
    if (holder) {
      placed.add(now!);
      list.push(at(holder, Math.max(holder.score, one.score)));
    }
    if (placed.has(id)) continue;
    placed.add(id);
    list.push(one);
  }
  return list;
};
