/**
 * Which of the facts that were said hold, and until when: one pure fold over all facts of one attribute of one subject. It is the
 * same for every engine, and reads nothing but what was said, so that a replay, an import out of order and a question about an
 * earlier moment get the truth of their moment.
 */
import { holdsOne } from './attributes.ts';
import type { StoredFact } from './stored-fact.ts';

/** A fact with what decides between it and others. */
export interface DatedFact {
  /** Of the observation. */
  id: string;
  fact: StoredFact;
  /** When its turn was said, and when the service recorded it: Unix milliseconds. */
  timestamp: number;
  recordedAt: number;
}

/** A value while it held. Equal values in a row are one, with all of the observations that say it, the latest first. */
export interface Period<T extends DatedFact = DatedFact> {
  said: readonly [T, ...T[]];
  /** Unix milliseconds. */
  from: number;
  /** Undefined while it holds. */
  until: number | undefined;
  /** What says that it no longer holds: another value, or a denial. */
  endedBy: T | undefined;
}

/**
 * The values that held one after the other or at the same time, the latest last. Facts that begin after the moment are left out:
 * they are plans. Of an attribute that several values may have, only a denial ends one.
 *
 * @param facts of one key (`factKey`)
 * @param moment Unix milliseconds
 */
export const whatHeld = <T extends DatedFact>(facts: readonly T[], moment: number): Period<T>[] => {
  const [first] = facts;
  if (!first) return [];
  const begun = facts.filter(({ fact }) => fact.validFrom <= moment).sort(inOrder);
  return holdsOne(first.fact.attribute) ? oneByOne(begun) : sideBySide(begun);
};

/** Those of the periods that hold at the moment. */
export const holding = <T extends DatedFact>(periods: readonly Period<T>[]): Period<T>[] =>
  periods.filter(({ until }) => until === undefined);

const inOrder = (a: DatedFact, b: DatedFact): number =>
  a.fact.validFrom - b.fact.validFrom ||
  a.timestamp - b.timestamp ||
  a.recordedAt - b.recordedAt ||
  (a.id < b.id ? -1 : 1);

const ARTICLE = /^(?:an?|the|my|our|his|her|their) /;

/** Values are the same whatever their case, spaces, articles and marks. */
const sameValue = (a: string, b: string): boolean => normaliseValue(a) === normaliseValue(b);
export const normaliseValue = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
    .replace(ARTICLE, '');

/** Whether a denial is of this value: one that names none is of whatever holds. */
const denies = ({ fact }: DatedFact, value: string): boolean =>
  fact.value === '' || sameValue(fact.value, value);

const begin = <T extends DatedFact>(said: T): Period<T> => ({
  said: [said],
  from: said.fact.validFrom,
  until: undefined,
  endedBy: undefined,
});

const again = <T extends DatedFact>(period: Period<T>, said: T): Period<T> => ({
  ...period,
  said: [said, ...period.said],
});

const end = <T extends DatedFact>(period: Period<T>, by: T): Period<T> => ({
  ...period,
  until: by.fact.validFrom,
  endedBy: by,
});

const oneByOne = <T extends DatedFact>(facts: readonly T[]): Period<T>[] => {
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
      periods.push(begin(one));
    }
  }
  return periods;
};

const sideBySide = <T extends DatedFact>(facts: readonly T[]): Period<T>[] => {
  const periods: Period<T>[] = [];
  /** Where the open period of each value is. */
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
    if (at === undefined) open.set(value, periods.push(begin(one)) - 1);
    else periods[at] = again(periods[at]!, one);
  }
  return periods;
};
