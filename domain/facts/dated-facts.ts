import type { Corrected, StoredFact } from './stored-fact.ts';

/** An observation with everything that decides between it and others. */
export interface Dated {
  id: string;
  /** Unix milliseconds: when its turn was said, and when the service recorded it. */
  timestamp: number;
  recordedAt: number;
  fact?: StoredFact | undefined;
  /** The observation that it corrects. */
  corrects?: Corrected | undefined;
}

/** An observation with a fact about a subject. */
export type Fact<T extends Dated = Dated> = T & { fact: StoredFact };

/**
 * A period in which a value held. Equal values in a row are one period with all of the observations that say
 * it, the latest first.
 */
export interface Period<T extends Dated = Dated> {
  said: readonly [Fact<T>, ...Fact<T>[]];
  /** Unix milliseconds. */
  from: number;
  /** Undefined while the value holds. Equals `from` for a corrected value: it never held. */
  until: number | undefined;
  /** The observation that ended it: another value, a denial or a correction. */
  endedBy: T | undefined;
}

const ARTICLE = /^(?:an?|the|my|our|his|her|their) /;

/** Compares values regardless of case, spaces, articles and punctuation. */
export const sameValue = (a: string, b: string): boolean => normaliseValue(a) === normaliseValue(b);
export const normaliseValue = (value: string): string =>
  value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()
    .replace(ARTICLE, '');

/** Whether a denial is about this value; one that names no value denies any. */
export const denies = ({ fact }: Fact, value: string): boolean =>
  fact.value === '' || sameValue(fact.value, value);
