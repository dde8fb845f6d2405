/** Applies corrections: they replace facts as if those had never been said. */
import { endedWith } from '../values/slots.ts';
import type { Dated, Period } from './dated-facts.ts';
import { denial, type Placed } from './placed.ts';

type Correcting = Pick<Dated, 'id' | 'recordedAt' | 'corrects'>;

const laterFirst = (a: Correcting, b: Correcting): number =>
  b.recordedAt - a.recordedAt || (a.id < b.id ? 1 : -1);

/**
 * Returns the correction of each observation, by the corrected observation's id. If callers corrected one
 * observation at the same time, the last correction counts and replaces the others too.
 */
export const correctionsById = <T extends Correcting>(corrections: readonly T[]): Map<string, T> => {
  const found = new Map<string, T>();
  const distinct = new Map(corrections.map(one => [one.id, one])).values();
  for (const [id, all] of Map.groupBy(distinct, ({ corrects }) => corrects!.id)) {
    const [last, ...others] = all.sort(laterFirst);
    found.set(id, last!);
    for (const other of others) if (!found.has(other.id)) found.set(other.id, last!);
  }
  return found;
};

/**
 * Removes corrected facts. The same value said again is the same fact, so it goes too if it was said before
 * the correction; said again later, it is new. A corrected fact whose correction is of another slot leaves
 * its place to nothing, since a correction revives nothing.
 *
 * @param sorted facts of one key, in the order in which they stand
 * @returns `left`: facts that decide the current value; `corrected`: those that never held
 */
export const withoutCorrected = <T extends Dated>(
  sorted: readonly Placed<T>[],
  corrections: ReadonlyMap<string, T>,
): { corrected: Period<T>[]; left: Placed<T>[] } => {
  if (corrections.size === 0) return { corrected: [], left: [...sorted] };
  const slots = new Map(sorted.map(({ said, slot }) => [said.id, slot]));
  const corrected: Period<T>[] = [];
  const gone = new Set<string>();
  const places = new Map<string, Placed<T>>();
  const runs = runsOf(sorted);
  for (const one of sorted) {
    const { said, slot, stands } = one;
    const by = corrections.get(said.id);
    if (!by || gone.has(said.id)) continue;
    const same = runs
      .get(one)!
      .filter(
        ({ said: other }) =>
          !gone.has(other.id) &&
          (other.id === said.id || (other.timestamp <= by.recordedAt && !other.corrects)),
      );
    for (const { said: other } of same) gone.add(other.id);
    if (slots.get(by.id) !== slot && !said.fact.ended) places.set(said.id, { ...one, leftTo: by });
    const [latest, ...others] = same.map(other => other.said).reverse();
    const from = latest!.fact.validFrom ?? stands;
    corrected.push({
      said: [latest!, ...others],
      slot,
      valueId: one.id,
      from: stands,
      validFrom: from,
      until: from,
      endedBy: by,
      disputedBy: [],
      isBeside: false,
      isPlanned: false,
    });
  }
  const left = sorted.flatMap(one => places.get(one.said.id) ?? (gone.has(one.said.id) ? [] : [one]));
  return { corrected, left };
};

/**
 * Returns the run of each fact: the facts around it that say the same value, up to one that says another
 * value of its slot or ends it. Corrections have the place of another fact and interrupt nothing.
 */
const runsOf = <T extends Dated>(sorted: readonly Placed<T>[]): Map<Placed<T>, Placed<T>[]> => {
  const runs = new Map<Placed<T>, Placed<T>[]>();
  /** The runs that go on, by their slot and then their value. */
  const going = new Map<string, Map<string, Placed<T>[]>>();
  for (const one of sorted) {
    const { said, slot, id } = one;
    if (said.fact.ended) {
      runs.set(one, [one]);
      if (said.corrects) continue;
      if (denial(one) === 'any') {
        const ended = endedWith(said.fact.attribute);
        for (const [of, values] of going)
          if ([...values.values()].some(([first]) => ended.includes(first!.said.fact.attribute)))
            going.delete(of);
      } else going.delete(slot);
      continue;
    }
    const inSlot = going.get(slot);
    const run = inSlot?.get(id) ?? [];
    run.push(one);
    runs.set(one, run);
    if (said.corrects && inSlot) inSlot.set(id, run);
    else going.set(slot, new Map([[id, run]]));
  }
  return runs;
};
