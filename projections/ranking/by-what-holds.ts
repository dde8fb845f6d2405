import type { Ranked } from './rank.ts';

/** A turn that only says what no longer holds, and the one that says what does. */
export interface Replacement {
  /** Ids of turns. */
  old: string;
  now: string;
}

const idOf = ({ candidate }: Ranked): string => `trn_${candidate.id}`;

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
 * @param added turns that say what holds and were not ranked
 * @param first the turn that says what is asked for
 */
export const byWhatHolds = (
  ranked: readonly Ranked[],
  replacements: readonly Replacement[],
  added: readonly Ranked[] = [],
  first?: string,
): Ranked[] => {
  if (replacements.length === 0 && first === undefined) return [...ranked];
  const nowOf = new Map(replacements.map(({ old, now }) => [old, now]));
  const byId = new Map([...added, ...ranked].map(one => [idOf(one), one]));
  const placed = new Set<string>();
  const list: Ranked[] = [];
  const lead = first === undefined ? undefined : byId.get(first);
  if (lead) {
    placed.add(first!);
    list.push(at(lead, Math.max(lead.score, ranked[0]?.score ?? 0)));
  }
  for (const one of ranked) {
    const isTurn = one.candidate.kind === 'turn';
    const id = idOf(one);
    const now = isTurn ? nowOf.get(id) : undefined;
    const holder = now === undefined || placed.has(now) ? undefined : byId.get(now);
    if (holder) {
      placed.add(now!);
      list.push(at(holder, Math.max(holder.score, one.score)));
    }
    if (isTurn && placed.has(id)) continue;
    if (isTurn) placed.add(id);
    list.push(one);
  }
  return list;
};
