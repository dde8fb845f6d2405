/**
 * Decides which facts hold, and until when: a pure fold over all facts of one attribute of one subject. It is
 * the same for every engine and reads only what was said, so that a replay, an import out of order and a
 * question about an earlier moment get the truth of their moment.
 */
import { holdsOne } from './attributes.ts';
import { withoutCorrected } from './corrections.ts';
import { type Dated, denies, type Fact, normaliseValue, type Period, sameValue } from './dated-facts.ts';

/**
 * Returns the periods of all values, corrected ones first, the latest last. Facts that begin after the moment
 * are plans and are left out. If an attribute may have several values, only a denial ends one.
 *
 * @param facts of one key (`factKey`)
 * @param moment Unix milliseconds
 * @param corrections by the ids of the observations that they correct (corrections.ts)
 */
export const whatHeld = <T extends Dated>(
  facts: readonly Fact<T>[],
  moment: number,
  corrections: ReadonlyMap<string, T> = new Map(),
): Period<T>[] => {
  const [first] = facts;
  if (!first) return [];
  const isSingle = holdsOne(first.fact.attribute);
  const { corrected, left } = withoutCorrected(facts.toSorted(inOrder), corrections, isSingle);
  const begun = left.filter(({ fact }) => fact.validFrom <= moment).sort(inOrder);
  return [...corrected, ...(isSingle ? oneByOne<T>(begun) : sideBySide<T>(begun))];
};

/** Returns the periods that hold at the moment. */
export const holding = <T extends Dated>(periods: readonly Period<T>[]): Period<T>[] =>
  periods.filter(({ until }) => until === undefined);

const inOrder = (a: Fact, b: Fact): number =>
  a.fact.validFrom - b.fact.validFrom ||
  a.timestamp - b.timestamp ||
  a.recordedAt - b.recordedAt ||
  (a.id < b.id ? -1 : 1);

const begin = <T extends Dated>(said: Fact<T>): Period<T> => ({
  said: [said],
  from: said.fact.validFrom,
  until: undefined,
  endedBy: undefined,
});

const again = <T extends Dated>(period: Period<T>, said: Fact<T>): Period<T> => ({
  ...period,
  said: [said, ...period.said],
});

const end = <T extends Dated>(period: Period<T>, by: Fact<T>): Period<T> => ({
  ...period,
  until: by.fact.validFrom,
  endedBy: by,
});

const oneByOne = <T extends Dated>(facts: readonly Fact<T>[]): Period<T>[] => {
  const periods: Period<T>[] = [];
  for (const one of facts) {
    const last = periods.at(-1);
    const open = last !== undefined && last.until === undefined ? last : undefined;
    if (one.fact.ended) {
      if (open && denies(one, open.said[0].fact.value)) periods[periods.length - 1] = end(open, one);
    } else if (open && sameValue(open.said[0].fact.value, one.fact.value)) {
      periods[periods.length - 1] = again(open, one);
    } else {
      if (open) periods[periods.length - 1] = end(open, one);
      periods.push(begin<T>(one));
    }
  }
  return periods;
};

const sideBySide = <T extends Dated>(facts: readonly Fact<T>[]): Period<T>[] => {
  const periods: Period<T>[] = [];
  /** Index of each value's open period. */
  const open = new Map<string, number>();
  for (const one of facts) {
    const value = normaliseValue(one.fact.value);
    if (one.fact.ended) {
      for (const ended of one.fact.value === '' ? [...open.keys()] : [value]) {
        const at = open.get(ended);
        if (at === undefined) continue;
        periods[at] = end(periods[at]!, one);
        open.delete(ended);
      }
      continue;
    }
    const at = open.get(value);
    if (at === undefined) open.set(value, periods.push(begin<T>(one)) - 1);
    else periods[at] = again(periods[at]!, one);
  }
  return periods;
};
