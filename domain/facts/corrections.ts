/** Applies corrections: they replace facts as if those had never been said. */
import { type Dated, type Fact, normaliseValue, type Period } from './dated-facts.ts';

const laterFirst = (a: Dated, b: Dated): number => b.recordedAt - a.recordedAt || (a.id < b.id ? 1 : -1);

/**
 * Returns the correction of each observation, by the corrected observation's id. If callers corrected one
 * observation at the same time, the last correction counts and replaces the others too.
 */
export const correctionsById = <T extends Dated>(corrections: readonly T[]): Map<string, T> => {
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
 * the correction; said again later, it is new.
 *
 * @param sorted facts of one key, in the order in which they hold
 * @param isSingle whether the attribute has one value at a time
 * @returns `left`: facts that decide the current value; `corrected`: those that never held
 */
export const withoutCorrected = <T extends Dated>(
  sorted: readonly Fact<T>[],
  corrections: ReadonlyMap<string, T>,
  isSingle: boolean,
): { corrected: Period<T>[]; left: Fact<T>[] } => {
  if (corrections.size === 0) return { corrected: [], left: [...sorted] };
  const corrected: Period<T>[] = [];
  const gone = new Set<string>();
  /** Start of each correction that begins with the fact it corrects. */
  const begins = new Map<string, number>();
  const values = sorted.map(({ fact }) => normaliseValue(fact.value));
  for (const [at, { id, fact }] of sorted.entries()) {
    const by = corrections.get(id);
    if (!by || gone.has(id)) continue;
    const same = runAround(sorted, values, at, isSingle).filter(
      one => !gone.has(one.id) && (one.id === id || (one.timestamp <= by.recordedAt && !one.corrects)),
    );
    for (const one of same) gone.add(one.id);
    // A fact that is itself a correction began with the fact it corrected.
    const from = begins.get(id) ?? same[0]!.fact.validFrom;
    if (by.fact?.validFrom === fact.validFrom) begins.set(by.id, Math.min(from, begins.get(by.id) ?? from));
    const [latest, ...others] = same.reverse();
    corrected.push({ said: [latest!, ...others], from, until: from, endedBy: by });
  }
  const left = sorted.filter(({ id }) => !gone.has(id));
  return {
    corrected,
    left: begins.size === 0 ? left : left.map(one => beginning(one, begins.get(one.id))),
  };
};

const beginning = <T extends Dated>(one: Fact<T>, validFrom: number | undefined): Fact<T> =>
  validFrom === undefined ? one : { ...one, fact: { ...one.fact, validFrom } };

/**
 * Returns the run of facts around one of them that say the same value, up to one that says another value or
 * ends it.
 */
const runAround = <T extends Dated>(
  sorted: readonly Fact<T>[],
  values: readonly string[],
  at: number,
  isSingle: boolean,
): Fact<T>[] => {
  if (sorted[at]!.fact.ended) return [sorted[at]!];
  const walk = (step: 1 | -1): Fact<T>[] => {
    const run: Fact<T>[] = [];
    for (let i = at + step; i >= 0 && i < sorted.length; i += step) {
      const one = sorted[i]!;
      const isSame = values[i] === values[at];
      if (isSame && !one.fact.ended) run.push(one);
      else if (!one.corrects && (isSingle || (one.fact.ended && (isSame || one.fact.value === '')))) break;
    }
    return run;
  };
  return [...walk(-1).reverse(), sorted[at]!, ...walk(1)];
};
