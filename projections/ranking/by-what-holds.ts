import type { Ranked } from './rank.ts';

/** A turn that only says what no longer holds, and the turn or the observation without one that says what does. */
export interface Replacement {
  old: string;
  now: string;
}

export const fragmentIdOf = ({ candidate: { kind, id } }: Ranked): string =>
  `${kind === 'turn' ? 'trn' : 'obs'}_${id}`;

/** The hit with another score: it takes a place that its own words didn't give it. */
const at = (one: Ranked, score: number): Ranked => ({
  ...one,
  score,
  factor: ((one.factor ?? 1) * score) / one.score,
});

/**
 * The ranking in which whoever says what holds stands before those who say what held: it takes the place of the first of them, which
 * all follow it. Everything else keeps its order.
 *
 * @param ranked best first
 * @param added what says what holds and was not ranked
 * @param first the id of what says what is asked for
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
